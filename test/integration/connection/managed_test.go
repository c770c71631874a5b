package connection

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

// isManaged wants the managed ClusterBinding as autoBind makes it: its APIs, and that it retains everything.
func (s *suite) isManaged(u *unstructured.Unstructured) error {
	apis, _, _ := unstructured.NestedSlice(u.Object, "spec", "apis")
	policy, _, _ := unstructured.NestedString(u.Object, "spec", "deletionPolicy")
	marks := u.GetLabels()["plait.run/managed"] + "/" + u.GetLabels()["plait.run/connection"]
	if len(apis) != 1 || apis[0].(map[string]any)["name"] != "databases."+s.group || policy != "Retain" || marks != "true/"+s.name {
		return fmt.Errorf("it has the APIs %v, the deletionPolicy %s and the marks %s", apis, policy, marks)
	}
	if u.GetDeletionTimestamp() != nil {
		return fmt.Errorf("it is being deleted")
	}
	return nil
}

// TestManagedBindingIsKept has a user edit, delete, hold and take over the ClusterBinding that autoBind makes, also while the
// engine does not look: it comes right again, what the user may say in it stays, and the copies at the provider are never
// touched.
func TestManagedBindingIsKept(t *testing.T) {
	t.Parallel()
	s := newSuite(t, "managed")
	databases := "databases." + s.group
	s.export(east, definition{Kind: "Database"})
	s.secret(newGate(t, east).kubeconfig(t))
	s.forgetInstalled("databases")
	s.connect("schema: {}, autoBind: true")
	s.WaitReady("ClusterBinding", s.name, "True/AsExpected")
	here, there := consumer.Space(t, "managed"), east.Space(t, "managed")
	here.Apply(s.database("a", "1"))
	copied := there.WaitFor(databases, "a", hasSize("1")).GetUID()
	size := 1
	goesOn := func(t *testing.T, binding string) {
		t.Helper()
		size++
		s.WaitReady("ClusterBinding", binding, "True/AsExpected")
		here.Apply(s.database("a", fmt.Sprint(size)))
		if u := there.WaitFor(databases, "a", hasSize(fmt.Sprint(size))); u.GetUID() != copied {
			t.Error("the copy was made anew")
		}
	}
	suspend := func(value string) {
		s.Patch("Connection", s.name, `{"metadata":{"annotations":{"plait.run/reconcile":`+value+`}}}`)
	}

	t.Run("edited", func(t *testing.T) {
		s.Patch("ClusterBinding", s.name, `{"metadata":{"labels":null},"spec":{"deletionPolicy":"Delete","conflictPolicy":"Adopt",
			"apis":[{"name":"`+databases+`","metadata":{"labels":["team"]}},{"name":"others.`+s.group+`"}]}}`)
		u := s.WaitFor("ClusterBinding", s.name, s.isManaged)
		if got := fmt.Sprint(field(t, u, "spec", "conflictPolicy"), field(t, u, "spec", "apis")); got != "Adopt[map[metadata:map[labels:[team]] name:"+databases+"]]" {
			t.Errorf("of what the user may say is left %s", got)
		}
		goesOn(t, s.name)
	})
	t.Run("edited while nobody looks", func(t *testing.T) {
		suspend(`"suspended"`)
		s.waitReady("False/Suspended")
		s.Patch("ClusterBinding", s.name, `{"spec":{"deletionPolicy":"Delete"}}`)
		suspend("null")
		s.WaitFor("ClusterBinding", s.name, s.isManaged)
		goesOn(t, s.name)
	})
	t.Run("deleted, and held by a finalizer", func(t *testing.T) {
		s.Patch("ClusterBinding", s.name, `{"metadata":{"finalizers":["plait.run/cleanup","example.com/hold"]}}`)
		former := must(s.Get("ClusterBinding", s.name)).GetUID()
		s.Delete("ClusterBinding", s.name)
		world.Eventually(t, "the object is not let go", func() error {
			if held := must(here.Get(databases, "a")).GetFinalizers(); len(held) > 0 {
				return fmt.Errorf("it is held by %v", held)
			}
			return nil
		})
		s.Patch("ClusterBinding", s.name, `{"metadata":{"finalizers":null}}`)
		s.waitForAnother(s.name, former)
		goesOn(t, s.name)
	})
	t.Run("taken over", func(t *testing.T) {
		s.Patch("ClusterBinding", s.name, `{"metadata":{"ownerReferences":null}}`)
		second := fmt.Sprintf("%s-%.8s", s.name, must(s.Get("Connection", s.name)).GetUID())
		s.WaitReady("ClusterBinding", second, fmt.Sprintf("False/APIBoundElsewhere: %s: ClusterBinding %q has bound it", databases, s.name))
		goesOn(t, s.name)
		s.Remove("ClusterBinding", s.name) // it is the user's now
		goesOn(t, second)
	})
	here.Remove(databases, "a")
}

// waitForAnother waits until there is a managed binding of a name that is not the former one.
func (s *suite) waitForAnother(name string, former types.UID) {
	s.t.Helper()
	s.WaitFor("ClusterBinding", name, func(u *unstructured.Unstructured) error {
		if u.GetUID() == former {
			return fmt.Errorf("it is the former one")
		}
		return s.isManaged(u)
	})
}

// TestHeldManagedBinding has a Connection go whose managed ClusterBinding a user holds by a finalizer: it waits and says so.
func TestHeldManagedBinding(t *testing.T) {
	t.Parallel()
	s := newSuite(t, "heldmanaged")
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.connect("schema: {}, autoBind: true")
	s.waitAPI("databases", "Installed/")
	s.Patch("ClusterBinding", s.name, `{"metadata":{"finalizers":["plait.run/cleanup","example.com/hold"]}}`)
	s.Delete("Connection", s.name)
	s.waitReady(fmt.Sprintf("False/DrainingBindings: it is being deleted, and waits until nothing binds it any more: ClusterBinding %q", s.name))
	s.WaitFor("ClusterBinding", s.name, func(u *unstructured.Unstructured) error {
		if got := fmt.Sprint(u.GetFinalizers()); got != "[example.com/hold]" {
			return fmt.Errorf("finalizers are %s", got)
		}
		return nil
	})
	s.Patch("ClusterBinding", s.name, `{"metadata":{"finalizers":null}}`)
	s.WaitGone("Connection", s.name)
}
