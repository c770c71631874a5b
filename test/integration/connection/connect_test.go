package connection

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/plait-run/plait/test/world"
)

func TestSecretThatIsMendedStepByStep(t *testing.T) {
	s := newSuite(t, "mended")
	s.export(east, definition{Kind: "Database"})
	good := kubeconfig(t, east, tenant)
	s.connect("")
	s.waitReady("False/SecretNotFound")
	s.secretKey("other", good)
	s.waitReady("False/SecretKeyMissing")
	s.secret("no: [kubeconfig")
	s.WaitCondition("Connection", s.name, "SecretValid", "False/KubeconfigInvalid: the kubeconfig cannot be used: it is no YAML")
	s.secret(withUser(t, good, &clientcmdapi.AuthInfo{}))
	s.waitReady("False/Forbidden")
	s.WaitCondition("Connection", s.name, "SecretValid", "True/AsExpected: the kubeconfig can be used")
	if got := world.Condition(must(s.Get("Connection", s.name)), "SecretValid"); !strings.Contains(got, "its user has no credentials") {
		t.Errorf("SecretValid is %s, want it to say that there are no credentials", got)
	}
	s.secret(withUser(t, good, &clientcmdapi.AuthInfo{Token: "copied\n"}))
	s.WaitCondition("Connection", s.name, "SecretValid", "False/KubeconfigInvalid: the kubeconfig cannot be used: the token of its user")
	s.secret(withUser(t, good, &clientcmdapi.AuthInfo{Username: "me", Password: "s3cr3t"}))
	s.WaitCondition("Connection", s.name, "SecretValid", "False/KubeconfigInvalid: the kubeconfig cannot be used: its user has a username")
	s.secret(strings.Replace(good, "server: https://", "server: http://", 1))
	u := s.waitReady("False/KubeconfigUnsafe")
	if got := world.Condition(u, "Connected"); !strings.HasPrefix(got, "False/KubeconfigUnsafe") {
		t.Errorf("Connected is %s while the kubeconfig is refused", got)
	}
	s.secret(good)
	u = s.waitReady("True/AsExpected")
	for _, kind := range []string{"SecretValid", "Connected", "SchemaInSync"} {
		if got := world.Condition(u, kind); !strings.HasPrefix(got, "True/AsExpected") {
			t.Errorf("%s is %s", kind, got)
		}
	}
	if got := world.Condition(u, "PermissionDenied"); !strings.HasPrefix(got, "False/AsExpected") {
		t.Errorf("PermissionDenied is %s", got)
	}
	namespace, err := east.Get(t.Context(), "namespaces", "", "kube-system")
	if err != nil {
		t.Fatal(err)
	}
	if got := field(t, u, "status", "remoteClusterUID"); got != string(namespace.GetUID()) {
		t.Errorf("remoteClusterUID is %v, want the UID of the provider's kube-system %s", got, namespace.GetUID())
	}
	s.waitAPI("databases", "Available/")
	secret, err := s.Get("Secret", s.name)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(secret.GetFinalizers(), "plait.run/cleanup") {
		t.Error("the Secret is not held")
	}
	world.Eventually(t, "there is no Lease on the provider", func() error { return leaseOf(east, s.name) })
	s.Remove("Connection", s.name)
	if err := leaseOf(east, s.name); err == nil {
		t.Error("the Lease is left on the provider")
	}
	if secret, err = s.Get("Secret", s.name); err != nil || len(secret.GetFinalizers()) > 0 {
		t.Errorf("the Secret is still held, or gone: %v", err)
	}
}

// withUser gives a kubeconfig whose users are all this one.
func withUser(t *testing.T, kubeconfig string, user *clientcmdapi.AuthInfo) string {
	t.Helper()
	config, err := clientcmd.Load([]byte(kubeconfig))
	if err != nil {
		t.Fatal(err)
	}
	for name := range config.AuthInfos {
		config.AuthInfos[name] = user
	}
	text, err := clientcmd.Write(*config)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// leaseOf looks for the Lease of a Connection.
func leaseOf(provider *world.World, connection string) error {
	at, err := provider.At("leases.coordination.k8s.io", "plait")
	if err != nil {
		return err
	}
	list, err := at.List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, u := range list.Items {
		if strings.HasPrefix(u.GetName(), "plait-"+connection+"-") {
			return nil
		}
	}
	return fmt.Errorf("there is none of %d", len(list.Items))
}

func TestSecretElsewhere(t *testing.T) {
	s := newSuite(t, "elsewhere")
	s.Apply(`
apiVersion: plait.run/v1alpha1
kind: Connection
metadata: {name: elsewhere}
spec: {kubeconfigSecretRef: {namespace: default, name: elsewhere}}`)
	s.waitReady("False/SecretNamespaceForbidden")
	s.Remove("Connection", s.name)
}

func TestAnotherClusterIsRefusedUntilItIsAccepted(t *testing.T) {
	s := newSuite(t, "moved")
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases", "queues")
	s.connect("schema: {pullPolicy: All}")
	s.waitAPI("databases", "Installed/")
	s.export(west, definition{Kind: "Queue"})
	s.secret(kubeconfig(t, west, tenant))
	s.waitReady("False/ClusterIdentityChanged")
	if s.installed("queues") != nil {
		t.Error("a definition of the other cluster was installed")
	}
	if s.installed("databases") == nil {
		t.Error("what was installed is gone")
	}
	if err := leaseOf(west, s.name); err == nil {
		t.Error("there is a Lease on the other cluster")
	}
	namespace, err := west.Get(t.Context(), "namespaces", "", "kube-system")
	if err != nil {
		t.Fatal(err)
	}
	s.Patch("Connection", s.name, fmt.Sprintf(`{"spec":{"acceptClusterUID":%q}}`, namespace.GetUID()))
	u := s.waitReady("True/AsExpected")
	if got := field(t, u, "status", "remoteClusterUID"); got != string(namespace.GetUID()) {
		t.Errorf("remoteClusterUID is %v, want %s", got, namespace.GetUID())
	}
	s.waitAPI("queues", "Installed/")
	s.waitAPI("databases", "Withdrawn/")
}

func TestRotatedCredentials(t *testing.T) {
	s := newSuite(t, "rotated")
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.connect("schema: {pullPolicy: All}")
	s.waitAPI("databases", "Installed/")
	before := s.installed("databases").GetUID()
	s.secret(kubeconfig(t, east, "nobody-in-particular"))
	u := s.waitReady("False/Forbidden")
	if got := world.Condition(u, "PermissionDenied"); !strings.HasPrefix(got, "True/Forbidden") || !strings.Contains(got, "get namespaces/kube-system") {
		t.Errorf("PermissionDenied is %s, want it to name verb and resource", got)
	}
	s.secret(kubeconfig(t, east, tenant))
	s.waitReady("True/AsExpected")
	if after := s.installed("databases").GetUID(); after != before {
		t.Error("the definition was made anew")
	}
}

func TestTwoConnectionsOfOneSecretDeletedTogether(t *testing.T) {
	s := newSuite(t, "shared")
	s.secret(kubeconfig(t, east, tenant))
	s.connectAs("shared", "")
	s.connectAs("shared-too", "")
	s.WaitReady("Connection", "shared", "True")
	s.WaitReady("Connection", "shared-too", "True")
	s.Delete("Connection", "shared")
	s.Delete("Connection", "shared-too")
	s.WaitGone("Connection", "shared")
	s.WaitGone("Connection", "shared-too")
	world.Eventually(t, "the Secret stays held", func() error {
		secret, err := s.Get("Secret", s.name)
		if err == nil && len(secret.GetFinalizers()) > 0 {
			err = fmt.Errorf("finalizers %v", secret.GetFinalizers())
		}
		return err
	})
}

func TestHungProviderHoldsUpNobody(t *testing.T) {
	hung, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and never says a word
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hung.Close() })
	silent := newSuite(t, "hung")
	good := kubeconfig(t, east, tenant)
	silent.secret(replaceServer(good, "https://"+hung.Addr().String()))
	silent.connect("")
	healthy := newSuite(t, "healthy")
	healthy.secret(good)
	healthy.connect("")
	healthy.waitReady("True")
	silent.waitReady("False/Unreachable")
	silent.Patch("Connection", silent.name, `{"spec":{"abandon":true}}`) // it has nothing there, and is not to ask before it goes
}

// replaceServer gives a kubeconfig for another address.
func replaceServer(kubeconfig, server string) string {
	lines := strings.Split(kubeconfig, "\n")
	for i, line := range lines {
		if before, _, ok := strings.Cut(line, "server: "); ok {
			lines[i] = before + "server: " + server
		}
	}
	return strings.Join(lines, "\n")
}

func TestDeletionWaitsForBindings(t *testing.T) {
	s := newSuite(t, "drained")
	s.secret(kubeconfig(t, east, tenant))
	s.connect("")
	s.waitReady("True")
	s.Apply(`
apiVersion: plait.run/v1alpha1
kind: ClusterBinding
metadata: {name: users-own}
spec: {connectionRef: {name: drained}}`)
	s.Delete("Connection", s.name)
	u := s.waitReady("False/DrainingBindings")
	if got := world.Condition(u, "Ready"); !strings.Contains(got, `ClusterBinding "users-own"`) {
		t.Errorf("Ready is %s, want it to name the binding", got)
	}
	s.Delete("ClusterBinding", "users-own")
	s.WaitGone("Connection", s.name)
	if _, err := s.Get("ClusterBinding", "users-own"); err == nil || !apierrors.IsNotFound(err) {
		t.Errorf("the binding is left: %v", err)
	}
}
