package sync_test

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

// replace puts an object of the provider in the place of what is there, as a tool does that keeps whole objects in a
// repository: whatever others have put there is lost.
func replace(t *testing.T, there *world.Space, o *offer, name string) {
	t.Helper()
	world.Eventually(t, "the object cannot be replaced", func() error {
		live, err := there.Get(o.name, name)
		if err != nil {
			return err
		}
		u := newDatabase(o, name)
		u.Object["spec"] = map[string]any{"size": int64(1), "text": "theirs"}
		u.SetResourceVersion(live.GetResourceVersion())
		_, err = there.At(o.name).Update(t.Context(), u, metav1.UpdateOptions{FieldManager: "repository"})
		return err
	})
}

// TestAdoptedIsKept has somebody at the provider replace an object that was adopted, marks and all: it is put right, and
// still not deleted when its object here goes, nor when its object goes by force.
func TestAdoptedIsKept(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	o.bind(", conflictPolicy: Adopt, deletionPolicy: Delete")
	for _, name := range []string{"deleted", "forced"} {
		made := uidOf(there.Apply(o.database(name, "{size: 9}")))
		here.Apply(o.database(name, "{size: 1}"))
		there.WaitFor(o.name, name, metaIs("plait.run/adopted", "true"))
		replace(t, there, o, name)
		there.WaitFor(o.name, name, metaIs("plait.run/adopted", "true"))
		if name == "forced" {
			here.Delete(o.name, name)
			here.Patch(o.name, name, `{"metadata":{"finalizers":null}}`)
		} else {
			here.Remove(o.name, name)
		}
		u := there.WaitFor(o.name, name, metaIs("plait.run/consumer-cluster-uid", ""))
		if uidOf(u) != made || u.GetDeletionTimestamp() != nil {
			t.Errorf("what was adopted as %s is being deleted, or was made anew", name)
		}
	}
}

// TestHandedOver has consumers adopt one object of the provider after each other. While one has it, and when its binding is
// deleted with Retain, nobody else gets it; when its object is let go, the next one does.
func TestHandedOver(t *testing.T) {
	o := newOffer(t)
	here, there := o.space("")
	made := uidOf(there.Apply(o.database("a", "{size: 9}")))
	clusterOf := func(consumer string) string { return consumer + localUID[1:] }
	begin := func(consumer string) (end func()) {
		w := newWays()
		w.local = types.UID(clusterOf(consumer))
		w.open(t, o.connection(), acme.RESTConfig())
		p := run(t, w)
		s := o.bind(", conflictPolicy: Adopt")
		return func() {
			s.Remove("ClusterBinding", o.connection())
			p.stop()
		}
	}
	isOf := func(consumer string, size int64) {
		t.Helper()
		u := there.WaitFor(o.name, "a", specIs("size", size))
		if err := metaIs("plait.run/consumer-cluster-uid", clusterOf(consumer)+clusterOf(consumer))(u); err != nil || uidOf(u) != made {
			t.Errorf("it is not what consumer %s has adopted: %v, UID %s", consumer, err, uidOf(u))
		}
	}
	end := begin("a")
	here.Apply(o.database("a", "{size: 1}"))
	isOf("a", 1)
	end()

	end = begin("b") // the first one has kept its claim
	here.WaitFor(o.name, "a", func(u *unstructured.Unstructured) error {
		want := fmt.Sprintf("False/ObjectNotOwned: the provider has %s/a already, and it belongs to another consumer cluster", here.Namespace)
		return synced(want)(u)
	})
	isOf("a", 1)
	end()

	end = begin("a")
	here.Patch(o.name, "a", `{"spec":{"size":2}}`)
	isOf("a", 2)
	here.Remove(o.name, "a")
	there.WaitFor(o.name, "a", metaIs("plait.run/consumer-cluster-uid", ""))
	end()

	end = begin("b")
	here.Apply(o.database("a", "{size: 3}"))
	isOf("b", 3)
	here.Remove(o.name, "a")
	u := there.WaitFor(o.name, "a", metaIs("plait.run/consumer-cluster-uid", ""))
	if uidOf(u) != made || u.GetDeletionTimestamp() != nil || specIs("size", int64(3))(u) != nil {
		t.Errorf("it was not let go as it was: %v", u.Object)
	}
	end()
}
