package identity_test

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
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
	t.Parallel()
	w := shared.Tenant(t, "fenced")
	w.Grant("children", `[{apiGroups: [networking.k8s.io], resources: [networkpolicies], verbs: [get, create, patch, delete]}]`)
	w.Define(fenced)
	u := w.WaitFor("ResourceGroup", "fences.apps.plait.run", func(u *unstructured.Unstructured) error {
		return world.HasCondition("ControllerReady", "False/EngineForbidden: the engine may not list networkpolicies.networking.k8s.io, watch networkpolicies.networking.k8s.io;")(u)
	})
	w.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: Fence, metadata: {name: a}}")
	_, role, _ := strings.Cut(world.Condition(u, "ControllerReady"), "prints first:\n")
	w.Apply(role)
	granted := time.Now()
	w.WaitFor("ResourceGroup", "fences.apps.plait.run", func(u *unstructured.Unstructured) error {
		return world.HasCondition("ControllerReady", "True/Running")(u)
	})
	if took := time.Since(granted); took > 40*time.Second {
		t.Errorf("a granted right is noticed after %s, want 30s", took)
	}
	w.WaitReady("Fence", "a", "True/Available")
	w.Remove("Fence", "a")
}

// TestEngineMayBeNobodyElse has an account that the engine may not be.
func TestEngineMayBeNobodyElse(t *testing.T) {
	t.Parallel()
	w := shared.Tenant(t, "stranger")
	w.Serve(strings.ReplaceAll(strings.ReplaceAll(settings, "Setting", "Stranger"), "settings.", "strangers."))
	w.Grant("children", configMaps)
	if err := w.At("RoleBinding").Delete(t.Context(), "plait-impersonator", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: Stranger, metadata: {name: a}}")
	u := w.WaitReady("Stranger", "a", "False/Forbidden: the engine may not act as the service account stranger/deployer")
	if state, _, _ := unstructured.NestedString(u.Object, "status", "state"); state != "FAILED" {
		t.Errorf("the state is %s, want FAILED", state)
	}
	w.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: plait-impersonator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-impersonator}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: plait-engine}]`)
	w.WaitReady("Stranger", "a", "True/Available")
	w.Remove("Stranger", "a")
}
