package identity_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const fenced = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: fences.apps.plait.run}
spec:
  schema: {apiVersion: v1alpha1, kind: Fence}
  defaultServiceAccounts: {"*": deployer}
  resources:
  - id: policy
    template:
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: "${schema.metadata.name}"}
      spec: {podSelector: {}}
`

// TestEngineSaysWhatItLacks follows the message: the role in it is all that is missing.
func TestEngineSaysWhatItLacks(t *testing.T) {
	w := newTenant(t, "fenced")
	w.grant("children", `[{apiGroups: [networking.k8s.io], resources: [networkpolicies], verbs: [get, create, patch, delete]}]`)
	w.define(fenced)
	u := w.waitFor("ResourceGroup", "fences.apps.plait.run", func(u *unstructured.Unstructured) error {
		return wantCondition(u, "ControllerReady", "False/EngineForbidden: the engine may not list networkpolicies.networking.k8s.io, watch networkpolicies.networking.k8s.io;")
	})
	w.apply("{apiVersion: apps.plait.run/v1alpha1, kind: Fence, metadata: {name: a}}")
	_, role, _ := strings.Cut(condition(u, "ControllerReady"), "prints first:\n")
	w.apply(role)
	granted := time.Now()
	w.waitFor("ResourceGroup", "fences.apps.plait.run", func(u *unstructured.Unstructured) error {
		return wantCondition(u, "ControllerReady", "True/Running")
	})
	if took := time.Since(granted); took > 40*time.Second {
		t.Errorf("a granted right is noticed after %s, want 30s", took)
	}
	w.waitReady("Fence", "a", "True/Available")
	w.remove("Fence", "a")
}

// TestEngineMayBeNobodyElse has an account that the engine may not be.
func TestEngineMayBeNobodyElse(t *testing.T) {
	w := newTenant(t, "stranger")
	w.serve(strings.ReplaceAll(strings.ReplaceAll(settings, "Setting", "Stranger"), "settings.", "strangers."))
	w.grant("children", configMaps)
	if err := w.at("RoleBinding").Delete(t.Context(), "plait-impersonator", deleteNow); err != nil {
		t.Fatal(err)
	}
	w.apply("{apiVersion: apps.plait.run/v1alpha1, kind: Stranger, metadata: {name: a}}")
	u := w.waitReady("Stranger", "a", "False/Forbidden: the engine may not act as the service account stranger/deployer")
	if state, _, _ := unstructured.NestedString(u.Object, "status", "state"); state != "FAILED" {
		t.Errorf("the state is %s, want FAILED", state)
	}
	w.apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: plait-impersonator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-impersonator}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: plait-engine}]`)
	w.waitReady("Stranger", "a", "True/Available")
	w.remove("Stranger", "a")
}
