package connection

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestBoundObject takes an object of a bound API the whole way, with just the documented rights at the provider, and says
// what is missing of them before: the schema comes, the object goes, its status comes, and all of it ends in order.
func TestBoundObject(t *testing.T) {
	s := newSuite(t, "bound")
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.connect("")
	s.waitReady("True/AsExpected")
	name := "databases." + s.group
	s.Apply(fmt.Sprintf("{apiVersion: plait.run/v1alpha1, kind: ClusterBinding, metadata: {name: %s}, spec: {connectionRef: {name: %s}, apis: [{name: %s}], deletionPolicy: Delete}}",
		s.name, s.name, name))
	t.Cleanup(func() {
		if _, err := s.Get("ClusterBinding", s.name); err == nil {
			s.Remove("ClusterBinding", s.name)
		}
	})
	s.WaitCondition("ClusterBinding", s.name, "PermissionDenied", "True/Forbidden")
	east.Space(t, "default").Apply(fmt.Sprintf(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: plait-bound}
rules: [{apiGroups: [%s], resources: [databases], verbs: [get, list, watch, create, patch, delete]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: plait-bound}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-bound}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %s}]`, s.group, tenant))
	s.WaitReady("ClusterBinding", s.name, "True/AsExpected")
	s.forgetInstalled("databases")

	here, there := consumer.Space(t, "bound-objects"), east.Space(t, "bound-objects")
	here.Apply("{apiVersion: " + s.group + "/v1, kind: Database, metadata: {name: a}, spec: {size: '1'}}")
	there.WaitFor(name, "a", func(u *unstructured.Unstructured) error { return nil })
	_, err := there.At(name).Patch(t.Context(), "a", types.MergePatchType, []byte(`{"status":{"endpoint":"there"}}`), metav1.PatchOptions{}, "status")
	if err != nil {
		t.Fatal(err)
	}
	here.WaitFor(name, "a", func(u *unstructured.Unstructured) error {
		if got := field(t, u, "status", "endpoint"); got != "there" {
			return fmt.Errorf("the endpoint is %v", got)
		}
		return nil
	})
	s.Delete("Connection", s.name)
	s.waitReady("False/DrainingBindings")
	s.Remove("ClusterBinding", s.name)
	there.WaitGone(name, "a")
	if u, err := here.Get(name, "a"); err != nil || len(u.GetFinalizers()) > 0 {
		t.Errorf("the object is gone or held: %v", err)
	}
	s.WaitGone("Connection", s.name)
}
