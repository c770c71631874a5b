package sync_test

import (
	"testing"
)

// TestAnotherPrefix changes how namespaces are mapped: copies are made in the new ones, those that were made before stay, and
// the binding goes without them.
func TestAnotherPrefix(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, plain := o.space("")
	bound := o.bind(", deletionPolicy: Delete")
	here.Apply(o.database("a", "{size: 1}"))
	plain.WaitFor(o.name, "a", specIs("size", int64(1)))
	for _, prefix := range []string{"first-", "second-"} {
		bound.Patch("ClusterBinding", o.connection(), `{"spec":{"namespaceMapping":{"prefix":"`+prefix+`"}}}`)
		waitNamespace(t, prefix+here.Namespace)
		spaceOf(t, prefix+here.Namespace).WaitFor(o.name, "a", specIs("size", int64(1)))
	}
	bound.Remove("ClusterBinding", o.connection())
	spaceOf(t, "second-"+here.Namespace).WaitGone(o.name, "a")
	must(plain.Get(o.name, "a"))
	must(spaceOf(t, "first-"+here.Namespace).Get(o.name, "a"))
	if u := must(here.Get(o.name, "a")); len(u.GetFinalizers()) > 0 {
		t.Errorf("the object has finalizers %v", u.GetFinalizers())
	}
}
