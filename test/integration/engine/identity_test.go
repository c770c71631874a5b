package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/test/world"
)

var (
	accounts = schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}
	roles    = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"}
	bindings = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"}
)

// TestActAs writes as a service account that may write ConfigMaps in one namespace and nothing else.
func TestActAs(t *testing.T) {
	admin := shared.Client
	create(t, admin, namespaces, "", object("v1", "Namespace", "team-a"))
	create(t, admin, accounts, "team-a", object("v1", "ServiceAccount", "deployer"))
	role := object("rbac.authorization.k8s.io/v1", "Role", "deployer")
	role.Object["rules"] = []any{map[string]any{
		"apiGroups": []any{""}, "resources": []any{"configmaps"}, "verbs": []any{"create", "get"},
	}}
	create(t, admin, roles, "team-a", role)
	binding := object("rbac.authorization.k8s.io/v1", "RoleBinding", "deployer")
	binding.Object["roleRef"] = map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "deployer"}
	binding.Object["subjects"] = []any{map[string]any{"kind": "ServiceAccount", "namespace": "team-a", "name": "deployer"}}
	create(t, admin, bindings, "team-a", binding)

	registry := prometheus.NewRegistry()
	clients, err := identity.NewClients(shared.RESTConfig(), registry)
	if err != nil {
		t.Fatal(err)
	}
	id := identity.Identity{Namespace: "team-a", Name: "deployer"}
	waitAllowed(t, id, identity.Request{Verb: "create", Resource: configMaps, Namespace: "team-a"})
	client, err := clients.For(id)
	if err != nil {
		t.Fatal(err)
	}
	create(t, client.Dynamic, configMaps, "team-a", object("v1", "ConfigMap", "allowed"))
	_, err = client.Dynamic.Resource(configMaps).Namespace("default").Create(t.Context(), object("v1", "ConfigMap", "denied"), metav1.CreateOptions{})
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), id.Username()) {
		t.Errorf("writing elsewhere = %v, want forbidden for %s", err, id.Username())
	}
	if n := testutil.CollectAndCount(registry, "controller_impersonation_total"); n != 2 {
		t.Errorf("%d series of results, want success and error", n)
	}
	want := `
# HELP controller_impersonation_errors_total Requests made as a service account that failed, by kind of error.
# TYPE controller_impersonation_errors_total counter
controller_impersonation_errors_total{error_type="forbidden",namespace="team-a",service_account="deployer"} 1
`
	if err := testutil.CollectAndCompare(registry, strings.NewReader(want), "controller_impersonation_errors_total"); err != nil {
		t.Error(err)
	}
	clients.Release("team-a")
	if n := testutil.CollectAndCount(registry); n != 0 {
		t.Errorf("%d series are left after the last instance", n)
	}
}

// waitAllowed waits until the API server has taken notice of a binding.
func waitAllowed(t *testing.T, id identity.Identity, req identity.Request) {
	t.Helper()
	clients, err := identity.NewClients(shared.RESTConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rights, err := identity.NewRights(clients)
	if err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "the binding has no effect", func() error {
		rights.Forget(id)
		allowed, reason, err := rights.May(t.Context(), id, req)
		if err == nil && !allowed {
			err = fmt.Errorf("not allowed: %s", reason)
		}
		return err
	})
}

func TestRights(t *testing.T) {
	admin := shared.Client
	create(t, admin, namespaces, "", object("v1", "Namespace", "team-b"))
	create(t, admin, accounts, "team-b", object("v1", "ServiceAccount", "reader"))
	clients, err := identity.NewClients(shared.RESTConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rights, err := identity.NewRights(clients)
	if err != nil {
		t.Fatal(err)
	}
	id := identity.Identity{Namespace: "team-b", Name: "reader"}
	get := identity.Request{Verb: "get", Resource: configMaps, Namespace: "team-b", Name: "x"}
	if allowed, _, err := rights.May(t.Context(), id, get); allowed || err != nil {
		t.Errorf("May = %v, %v; want no", allowed, err)
	}
	if allowed, _, err := rights.May(t.Context(), identity.Identity{Self: true}, get); !allowed || err != nil {
		t.Errorf("May of the engine itself = %v, %v; want yes", allowed, err)
	}
	if exists, err := rights.Exists(t.Context(), id); !exists || err != nil {
		t.Errorf("Exists = %v, %v; want yes", exists, err)
	}
	nobody := identity.Identity{Namespace: "team-b", Name: "nobody"}
	if exists, err := rights.Exists(t.Context(), nobody); exists || err != nil {
		t.Errorf("Exists = %v, %v; want no", exists, err)
	}
}
