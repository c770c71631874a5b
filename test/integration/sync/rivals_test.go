package sync_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

// rivals is a ClusterBinding and a Binding of one API, and an object in the Binding's namespace and in another one.
type rivals struct {
	*offer
	here, there, apart, apartThere *world.Space
}

const namespacedBinding = "bindings.plait.run"

func newRivals(t *testing.T) *rivals {
	t.Helper()
	r := &rivals{offer: newOffer(t)}
	w := newWays()
	w.open(t, r.connection(), acme.RESTConfig())
	run(t, w)
	r.here, r.there = r.space("")
	r.apart, r.apartThere = r.space("-apart")
	return r
}

func (r *rivals) allow() {
	r.t.Helper()
	r.here.Patch("namespaces", r.here.Namespace, `{"metadata":{"labels":{"may":"bind"}}}`)
}

func (r *rivals) bindNamespace(more string) {
	r.t.Helper()
	r.here.Apply(strings.Replace(r.binding(more), "ClusterBinding", "Binding", 1))
}

func (r *rivals) sayCluster(want string) {
	r.t.Helper()
	r.here.WaitReady("ClusterBinding", r.connection(), want)
}

func (r *rivals) sayNamespace(want string) {
	r.t.Helper()
	r.here.WaitReady(namespacedBinding, r.connection(), want)
}

// create makes both objects and gives the UIDs of their copies: in the Binding's namespace, and apart.
func (r *rivals) create() (ours, others types.UID) {
	r.t.Helper()
	for _, s := range []*world.Space{r.here, r.apart} {
		s.Apply(r.database("a", "{size: 1}"))
	}
	return uidOf(r.there.WaitFor(r.name, "a", specIs("size", int64(1)))), uidOf(r.apartThere.WaitFor(r.name, "a", specIs("size", int64(1))))
}

// follows wants the object of a namespace to be synced to the same copy as ever.
func (r *rivals) follows(here, there *world.Space, size int, copied types.UID) {
	r.t.Helper()
	here.Patch(r.name, "a", fmt.Sprintf(`{"spec":{"size":%d}}`, size))
	if u := there.WaitFor(r.name, "a", specIs("size", int64(size))); uidOf(u) != copied {
		r.t.Errorf("the copy in %s was made anew", there.Namespace)
	}
	here.WaitFor(r.name, "a", held)
}

// TestBindingsOfOneAPI has bindings go that never had the API: whoever has it goes on as if nothing had been, whatever the
// other one's deletionPolicy says. When the one that has it goes, the other one goes on with the same copies.
func TestBindingsOfOneAPI(t *testing.T) {
	r := newRivals(t)
	r.allow()
	r.bind("")
	ours, others := r.create()
	beaten := fmt.Sprintf("False/APIBoundElsewhere: %s: ClusterBinding %q has bound it", r.name, r.connection())

	r.bindNamespace(", deletionPolicy: Delete")
	r.sayNamespace(beaten)
	r.here.Remove(namespacedBinding, r.connection())
	r.follows(r.here, r.there, 2, ours)

	r.bindNamespace(", deletionPolicy: Delete")
	r.sayNamespace(beaten)
	r.here.Remove("ClusterBinding", r.connection())
	r.sayNamespace("True")
	r.follows(r.here, r.there, 3, ours)
	r.apart.WaitFor(r.name, "a", func(u *unstructured.Unstructured) error {
		if got := u.GetFinalizers(); len(got) > 0 {
			return fmt.Errorf("finalizers are %v", got)
		}
		return nil
	})

	r.ask(", deletionPolicy: Delete")
	r.sayCluster(fmt.Sprintf(`False/APIBoundElsewhere: %s: Binding "%s/%s" has bound it`, r.name, r.here.Namespace, r.connection()))
	r.here.Remove("ClusterBinding", r.connection())
	r.follows(r.here, r.there, 4, ours)
	if u := must(r.apartThere.Get(r.name, "a")); uidOf(u) != others {
		t.Error("the copy of another namespace was made anew")
	}
	r.here.Remove(namespacedBinding, r.connection())
	r.there.WaitGone(r.name, "a")
	must(r.apartThere.Get(r.name, "a"))
}

// TestBindingOfALateNamespace has an older Binding take its namespace over from a ClusterBinding when it is let. The objects
// of other namespaces are held on to: they can be deleted, and let go with the binding.
func TestBindingOfALateNamespace(t *testing.T) {
	r := newRivals(t)
	r.bindNamespace("")
	r.sayNamespace("False/NamespaceNotAllowed")
	if err := world.Wait(t.Context(), time.Second); err != nil { // ages count in seconds
		t.Fatal(err)
	}
	r.bind(", deletionPolicy: Delete")
	ours, _ := r.create()
	r.apart.Apply(r.database("b", "{size: 1}"))
	r.apartThere.WaitFor(r.name, "b", specIs("size", int64(1)))

	r.allow()
	r.sayCluster(fmt.Sprintf(`False/APIBoundElsewhere: %s: Binding "%s/%s" has bound it`, r.name, r.here.Namespace, r.connection()))
	r.sayNamespace("True")
	r.follows(r.here, r.there, 2, ours)
	r.apart.Delete(r.name, "b")
	r.apart.WaitGone(r.name, "b")
	r.apartThere.WaitGone(r.name, "b")

	r.here.Remove("ClusterBinding", r.connection())
	r.apartThere.WaitGone(r.name, "a")
	if u := must(r.apart.Get(r.name, "a")); len(u.GetFinalizers()) > 0 {
		t.Errorf("an object of another namespace has finalizers %v", u.GetFinalizers())
	}
	r.follows(r.here, r.there, 3, ours)
}
