package cluster_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

func TestSideBySide(t *testing.T) {
	one, two := start(t, cluster.Config{}), start(t, cluster.Config{})
	toOne, toTwo := newClient(t, one.RESTConfig()), newClient(t, two.RESTConfig())
	create(t, toOne, configMap("only-in-one"))
	err := toTwo.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "only-in-one"}, &corev1.ConfigMap{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("the second cluster answers %v for an object of the first, want not found", err)
	}
	stop(t, one)
	create(t, toTwo, configMap("after"))
}

// TestContinue stops a cluster and starts one on the same folder: objects, port
// and the kubeconfigs handed out stay good.
func TestContinue(t *testing.T) {
	dir := t.TempDir()
	first := start(t, cluster.Config{Dir: dir, NoFsync: true})
	create(t, newClient(t, first.RESTConfig()), configMap("kept"))
	path, err := first.WriteKubeconfig("someone", "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cluster.Start(t.Context(), cluster.Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), "another process runs a cluster there: end it first") {
		t.Errorf("a second Start on a folder in use gives %v", err)
	}
	begun := time.Now()
	stop(t, first)
	t.Logf("stopped in %v", time.Since(begun).Round(time.Millisecond))

	second := start(t, cluster.Config{Dir: dir, NoFsync: true})
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	if config.Host != second.RESTConfig().Host {
		t.Errorf("the second start is at %s, the first was at %s", second.RESTConfig().Host, config.Host)
	}
	key := client.ObjectKeyFromObject(configMap("kept"))
	if err := newClient(t, config).Get(t.Context(), key, &corev1.ConfigMap{}); err != nil {
		t.Errorf("getting an object of the first start: %v", err)
	}
}

// TestRestartAPIServer has an outage of the API server: clients find it again,
// and the controllers go on.
func TestRestartAPIServer(t *testing.T) {
	c := start(t, cluster.Config{ControllerManager: true})
	to := newClient(t, c.RESTConfig())
	create(t, to, configMap("kept"))
	if err := c.StopAPIServer(); err != nil {
		t.Fatal(err)
	}
	key := client.ObjectKeyFromObject(configMap("kept"))
	if err := to.Get(t.Context(), key, &corev1.ConfigMap{}); err == nil {
		t.Error("the API server answers after StopAPIServer")
	}
	if err := c.StopAPIServer(); err == nil {
		t.Error("stopping a stopped API server succeeds")
	}
	begun := time.Now()
	if err := c.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("the API server was back after %v", time.Since(begun).Round(time.Millisecond))
	if err := to.Get(t.Context(), key, &corev1.ConfigMap{}); err != nil {
		t.Errorf("getting an object from before: %v", err)
	}
	create(t, to, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "later"}})
	eventually(t, "controllers at work", func(ctx context.Context) error {
		return to.Get(ctx, client.ObjectKey{Namespace: "later", Name: "default"}, &corev1.ServiceAccount{})
	})
	select {
	case err := <-c.Failed():
		t.Errorf("a component ended of itself: %v", err)
	default:
	}
}

func TestUsersAndAudit(t *testing.T) {
	c := start(t, cluster.Config{Audit: true})
	config, err := c.RESTConfigFor("alice", "readers")
	if err != nil {
		t.Fatal(err)
	}
	alice := newClient(t, config)
	key := client.ObjectKeyFromObject(configMap("absent"))
	if err := alice.Get(t.Context(), key, &corev1.ConfigMap{}); !apierrors.IsForbidden(err) {
		t.Errorf("a user without any role gets %v, want forbidden", err)
	}
	name := metav1.ObjectMeta{Name: "readers"}
	create(t, newClient(t, c.RESTConfig()), &rbacv1.ClusterRole{
		ObjectMeta: name,
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get"}}},
	}, &rbacv1.ClusterRoleBinding{
		ObjectMeta: name,
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name.Name},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "readers"}},
	})
	eventually(t, "role in force", func(ctx context.Context) error {
		return isNotFound(alice.Get(ctx, key, &corev1.ConfigMap{}))
	})

	events, next, err := c.AuditEvents(0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []int
	for _, event := range events {
		if event.User.Username == "alice" && event.ObjectRef != nil && event.ObjectRef.Resource == "configmaps" && event.Verb == "get" {
			codes = append(codes, event.ResponseStatus.Code)
		}
		if event.Verb == "watch" {
			t.Errorf("a watch is in the log: %+v", event)
		}
	}
	if len(codes) < 2 || codes[0] != 403 || codes[len(codes)-1] != 404 {
		t.Errorf("the log has the answers %v for alice, want 403 first and 404 last", codes)
	}
	if again, _, err := c.AuditEvents(next); err != nil || len(again) > len(events)/2 {
		t.Errorf("reading on gives %d events, error %v", len(again), err)
	}
}

func TestFailed(t *testing.T) {
	c := start(t, cluster.Config{})
	if err := syscall.Kill(c.PIDs()[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-c.Failed():
		if !strings.Contains(err.Error(), "etcd: signal: killed") {
			t.Errorf("Failed yields %v", err)
		}
	case <-time.After(patience):
		t.Fatal("nobody noticed that etcd was killed")
	}
}

// TestStartFails checks that the error shows the component's own words, and that
// nothing is left.
func TestStartFails(t *testing.T) {
	dir := t.TempDir()
	_, err := cluster.Start(t.Context(), cluster.Config{Dir: dir, APIServerArgs: []string{"--no-such-flag"}})
	if err == nil {
		t.Fatal("Start succeeds with a flag that does not exist")
	}
	for _, want := range []string{"starting kube-apiserver:", "unknown flag: --no-such-flag"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
	again, err := cluster.Start(t.Context(), cluster.Config{Dir: dir})
	if err != nil {
		t.Fatalf("starting in the same folder after a failure: %v", err)
	}
	stop(t, again)
}

func TestCanceledStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	config := cluster.Config{Progress: func(message string) {
		if strings.Contains(message, "API server") {
			cancel()
		}
	}}
	if _, err := cluster.Start(ctx, config); !errors.Is(err, context.Canceled) {
		t.Errorf("Start = %v, want context canceled", err)
	}
}

func TestMissingAssets(t *testing.T) {
	empty := t.TempDir()
	_, err := cluster.Start(t.Context(), cluster.Config{Assets: empty})
	if err == nil || !strings.Contains(err.Error(), "make controlplane") || !strings.Contains(err.Error(), "etcd, kube-apiserver") {
		t.Errorf("Start without binaries = %v", err)
	}
	t.Setenv(cluster.AssetsEnv, "")
	t.Chdir(empty)
	if _, err := cluster.FindAssets(); err == nil || !strings.Contains(err.Error(), "make controlplane") {
		t.Errorf("FindAssets outside of any source tree = %v", err)
	}
	t.Setenv(cluster.AssetsEnv, empty)
	if found, err := cluster.FindAssets(); err != nil || found != empty {
		t.Errorf("FindAssets = %q, %v, want %q", found, err, empty)
	}
}

func TestTemporaryFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c := start(t, cluster.Config{})
	path := c.KubeconfigPath()
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	stop(t, c)
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of a stopped cluster gives %v, want that it does not exist", err)
	}
}
