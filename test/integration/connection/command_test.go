package connection

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/plait-run/plait/cmd/plait/connect"
	"github.com/plait-run/plait/test/world"
)

// command is plait connect, the built program, for one Connection.
type command struct{ *suite }

func newCommand(t *testing.T, name string) *command {
	t.Helper()
	return &command{newSuite(t, name)}
}

// run runs it, and removes the Connection at the end.
func (c *command) run(kubeconfig string, flags ...string) (stdout, stderr string, status int) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), program, append([]string{"connect", c.name, "--kubeconfig", kubeconfig}, flags...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append(os.Environ(), "KUBECONFIG="+consumer.KubeconfigPath())
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.t.Fatal(err)
	}
	c.t.Logf("$ plait connect %s %s\n%s%s", c.name, strings.Join(flags, " "), errs.String(), out.String())
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func (c *command) removeAtEnd() {
	c.t.Cleanup(func() {
		if _, err := c.Get("Connection", c.name); err == nil {
			c.Remove("Connection", c.name)
		}
	})
}

// withPlugin gives a kubeconfig of the provider's administrator whose credentials come of a program, as those of clouds do.
func withPlugin(t *testing.T, w *world.World) string {
	t.Helper()
	dir, config := t.TempDir(), w.RESTConfig()
	credential, err := json.Marshal(map[string]any{
		"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
		"status": map[string]any{"clientCertificateData": string(config.CertData), "clientKeyData": string(config.KeyData)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string][]byte{"credential.json": credential, "ca.crt": config.CAData} {
		if err := os.WriteFile(filepath.Join(dir, file), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := clientcmdapi.NewConfig()
	out.Clusters["there"] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthority: "ca.crt"}
	out.AuthInfos["me"] = &clientcmdapi.AuthInfo{Exec: &clientcmdapi.ExecConfig{
		APIVersion: "client.authentication.k8s.io/v1", Command: "cat", Args: []string{filepath.Join(dir, "credential.json")},
		InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
	}}
	out.Contexts["admin"] = &clientcmdapi.Context{Cluster: "there", AuthInfo: "me"}
	file := filepath.Join(dir, "kubeconfig")
	if err := clientcmd.WriteToFile(*out, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// actions gives what a run did about objects, as "cluster action Kind namespace/name", without those of what is shared.
func actions(r connect.Result) []string {
	var out []string
	for _, o := range r.Objects {
		name := strings.TrimPrefix(o.Namespace+"/"+o.Name, "/")
		out = append(out, fmt.Sprintf("%s %s %s %s", o.Cluster, o.Action, o.Kind, name))
	}
	return out
}

func (c *command) result(kubeconfig string, flags ...string) connect.Result {
	c.t.Helper()
	out, _, status := c.run(kubeconfig, append(flags, "-o", "json")...)
	var r connect.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != 0 {
		c.t.Fatalf("status %d, %v", status, err)
	}
	return r
}

// TestConnectByAccount takes the way of a user of a cloud: a kubeconfig with a plugin is refused, and serves once to make an
// account with the rights that it takes and no others, by which objects are synced.
func TestConnectByAccount(t *testing.T) {
	c := newCommand(t, "clouded")
	c.export(west, definition{Kind: "Database"})
	file := withPlugin(t, west)
	_, said, status := c.run(file, "--context", "admin")
	if status != 1 || !strings.Contains(said, "it runs a program (exec): --create-account cures it") {
		t.Errorf("status %d: %s", status, said)
	}
	for _, kind := range []string{"Secret", "Connection"} {
		if _, err := c.Get(kind, c.name); err == nil {
			t.Errorf("the refused run wrote the %s", kind)
		}
	}

	c.removeAtEnd()
	flags := []string{"--context", "admin", "--create-account"}
	r := c.result(file, append(flags, "--auto-bind")...)
	account := strings.TrimPrefix(r.Account, "plait/")
	for _, want := range []string{
		"provider created ServiceAccount plait/" + account, "provider created Secret plait/" + account,
		"provider created ClusterRoleBinding " + account, "provider created RoleBinding plait/" + account,
		"provider created ClusterRole " + account + "-exports", "provider created ClusterRoleBinding " + account + "-exports",
		"consumer created Secret plait-system/clouded", "consumer created Connection clouded",
	} {
		if !slices.Contains(actions(r), want) {
			t.Errorf("%q is not among %v", want, actions(r))
		}
	}
	c.forgetInstalled("databases")
	if got := c.states(r)["databases."+c.group]; got != "Installed" {
		t.Errorf("the API is %q", got)
	}
	c.mayDoJust(file)
	c.syncs()

	for _, action := range actions(c.result(file, flags...)) {
		if strings.Split(action, " ")[1] != "unchanged" {
			t.Errorf("the second run has %s", action)
		}
	}
	own := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(own, []byte(kubeconfig(t, west, tenant)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, said, status := c.run(own); status != 1 || !strings.Contains(said, "holds the kubeconfig of the account "+r.Account) {
		t.Errorf("rights are widened in silence: status %d: %s", status, said)
	}
	if u, _ := c.Get("Connection", c.name); field(t, u, "spec", "autoBind") != true {
		t.Error("autoBind went, which no flag said")
	}
	c.export(west, definition{Kind: "Queue"})
	if got := actions(c.result(file, flags...)); !slices.Contains(got, "provider changed ClusterRole "+account+"-exports") {
		t.Errorf("a new export gives %v", got)
	}
	c.forgetInstalled("queues")
}

func (c *command) states(r connect.Result) map[string]string {
	out := map[string]string{}
	for _, api := range r.ExportedAPIs {
		out[api.Name] = string(api.State)
	}
	return out
}

// mayDoJust asks the provider what the kubeconfig in the Secret may do.
func (c *command) mayDoJust(file string) {
	c.t.Helper()
	secret, err := c.Get("Secret", c.name)
	if err != nil {
		c.t.Fatal(err)
	}
	encoded, _, _ := unstructured.NestedString(secret.Object, "data", "kubeconfig")
	text, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || strings.Contains(string(text), filepath.Dir(file)) || strings.Contains(string(text), "exec") {
		c.t.Fatalf("%v: what is kept is\n%s", err, text)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(text)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, row := range []struct {
		verb, group, resource, namespace string
		want                             bool
	}{
		{"create", c.group, "databases", "default", true},
		{"delete", c.group, "databases", "default", true},
		{"update", c.group, "databases", "default", false},
		{"list", "apiextensions.k8s.io", "customresourcedefinitions", "", true},
		{"create", "coordination.k8s.io", "leases", "plait", true},
		{"create", "coordination.k8s.io", "leases", "default", false},
		{"get", "", "secrets", "plait", false},
		{"create", "", "namespaces", "", false},
		{"create", "", "pods", "default", false},
	} {
		if got := may(c.t, config, row.verb, row.group, row.resource, row.namespace); got != row.want {
			c.t.Errorf("may %s %s.%s in %q: %t", row.verb, row.resource, row.group, row.namespace, got)
		}
	}
}

func may(t *testing.T, config *rest.Config, verb, group, resource, namespace string) bool {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: verb, Group: group, Resource: resource, Namespace: namespace},
	}}
	answer, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(t.Context(), review, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return answer.Status.Allowed
}

// syncs takes an object to the provider by the account, and away.
func (c *command) syncs() {
	c.t.Helper()
	name := "databases." + c.group
	here, there := consumer.Space(c.t, "clouded-objects"), west.Space(c.t, "clouded-objects")
	here.Apply("{apiVersion: " + c.group + "/v1, kind: Database, metadata: {name: a}, spec: {size: '1'}}")
	there.WaitFor(name, "a", func(*unstructured.Unstructured) error { return nil })
	here.Remove(name, "a")
	there.WaitGone(name, "a")
}

// TestConnectOverwritesNobody has what others made stay, unless it is said.
func TestConnectOverwritesNobody(t *testing.T) {
	c := newCommand(t, "careful")
	c.secret("of somebody else")
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(kubeconfig(t, east, tenant)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said, status := c.run(file)
	if status != 1 || !strings.Contains(said, "Secret plait-system/careful is there, and plait connect has not made it") {
		t.Errorf("status %d: %s", status, said)
	}
	if u, err := c.Get("Secret", c.name); err != nil || field(t, u, "data", "kubeconfig") != base64.StdEncoding.EncodeToString([]byte("of somebody else")) {
		t.Errorf("the Secret of somebody else was written: %v", err)
	}
	c.removeAtEnd()
	out, said, status := c.run(file, append(flagsOfThePage(t), "--overwrite")...)
	if status != 0 || !strings.Contains(said, "overwriting Secret plait-system/careful") || !strings.Contains(out, "Connection careful is ready") {
		t.Errorf("status %d: %s%s", status, said, out)
	}
}

// flagsOfThePage are those with which the page has its reader connect.
func flagsOfThePage(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile(world.InTree("docs", "connections.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "\nplait connect acme --kubeconfig acme.yaml ")
	if !ok {
		t.Fatal("the page does not tell how to connect")
	}
	flags, _, _ := strings.Cut(rest, "\n")
	return strings.Fields(flags)
}

// TestConnectSaysWhyNot ends with the cause and its cure when nobody answers.
func TestConnectSaysWhyNot(t *testing.T) {
	c := newCommand(t, "silent")
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(replaceServer(kubeconfig(t, east, tenant), "https://127.0.0.1:1")), 0o600); err != nil {
		t.Fatal(err)
	}
	c.removeAtEnd()
	out, said, status := c.run(file, "--timeout", "5s")
	for _, part := range []string{"Unreachable", "See that the provider's API server runs", `plait: Connection "silent" is not ready after 5s`} {
		if status != 1 || out != "" || !strings.Contains(said, part) {
			t.Errorf("status %d, no %q: %s", status, part, said)
		}
	}
	if strings.Contains(said, "not looked at yet\n   Next") {
		t.Errorf("what was not come to is told as a cause of its own: %s", said)
	}
}

// TestConnectWithOtherCredentials has a second run speak of the credentials that it has brought, not of the former ones.
func TestConnectWithOtherCredentials(t *testing.T) {
	c := newCommand(t, "rotating")
	c.removeAtEnd()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	for _, row := range []struct {
		user   string
		status int
		said   string
	}{
		{tenant, 0, "consumer: created Connection rotating"},
		{"a-stranger", 1, "the provider does not allow to get namespaces/kube-system"},
		{tenant, 0, "consumer: changed Secret plait-system/rotating"},
	} {
		if err := os.WriteFile(file, []byte(kubeconfig(t, east, row.user)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, said, status := c.run(file, "--pull", "None"); status != row.status || !strings.Contains(said, row.said) {
			t.Errorf("as %s: status %d, want %d and %q:\n%s", row.user, status, row.status, row.said, said)
		}
	}
}
