package sync_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// TestRetain lets an API and a binding go, and everything stays as it is but for the finalizers. A binding that follows
// goes on with the same copies, and leaves alone what was unbound when its object went.
func TestRetain(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	bound := o.bind("")
	for _, name := range []string{"a", "b"} {
		here.Apply(o.database(name, "{size: 1}"))
		there.WaitFor(o.name, name, specIs("size", int64(1)))
	}
	w.shut(o.connection()) // the provider is not needed
	bound.Remove("ClusterBinding", o.connection())
	for _, name := range []string{"a", "b"} {
		if u := must(here.Get(o.name, name)); len(u.GetFinalizers()) > 0 {
			t.Errorf("%s has finalizers %v", name, u.GetFinalizers())
		}
		must(there.Get(o.name, name))
	}
	here.Remove(o.name, "b")

	w.open(t, o.connection(), acme.RESTConfig())
	copied := uidOf(must(there.Get(o.name, "a")))
	bound = o.bind("")
	here.Patch(o.name, "a", `{"spec":{"size":2}}`)
	if u := there.WaitFor(o.name, "a", specIs("size", int64(2))); uidOf(u) != copied {
		t.Error("the copy was made anew")
	}
	acme.NewLedger(t)
	must(there.Get(o.name, "b"))

	bound.Patch("ClusterBinding", o.connection(), `{"spec":{"apis":[]}}`)
	bound.WaitFor("ClusterBinding", o.connection(), func(u *unstructured.Unstructured) error {
		if got := fieldOf(u, "status", "boundAPIs"); got != "null" && got != "[]" {
			return fmt.Errorf("APIs are %s", got)
		}
		return nil
	})
	if u := must(here.Get(o.name, "a")); len(u.GetFinalizers()) > 0 {
		t.Errorf("an API that was taken out has left finalizers: %v", u.GetFinalizers())
	}
}

// TestDelete deletes the copies with the binding, but for what is to be kept.
func TestDelete(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	bound := o.bind(", deletionPolicy: Delete")
	here.Apply(o.database("a", "{size: 1}"))
	here.Apply("{" + o.gvk() + ", metadata: {name: kept, annotations: {plait.run/deletion-policy: Orphan}}, spec: {size: 1}}")
	for _, name := range []string{"a", "kept"} {
		there.WaitFor(o.name, name, specIs("size", int64(1)))
	}
	bound.Remove("ClusterBinding", o.connection())
	if got := there.Names(o.name, ""); fmt.Sprint(got) != "[kept]" {
		t.Errorf("at the provider are %v, want just the one that is kept", got)
	}
	for _, name := range []string{"a", "kept"} {
		if u := must(here.Get(o.name, name)); len(u.GetFinalizers()) > 0 {
			t.Errorf("%s has finalizers %v", name, u.GetFinalizers())
		}
	}
}

// TestTwoProviders binds one API twice: the first one has it, and the other one gets it when the first goes.
func TestTwoProviders(t *testing.T) {
	o := newOffer(t)
	second := o.connection() + "-b"
	other.Space(t, "default").Apply(definition(strings.TrimPrefix(o.name, "databases."), "plait.run/exported: 'true'", ""))
	o.connect(second, "Installed")
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	w.open(t, second, other.RESTConfig())
	run(t, w)
	here, there := o.space("")
	bound := o.bind("")
	bound.Apply(strings.ReplaceAll(o.binding(""), "name: "+o.connection()+"}", "name: "+second+"}"))
	bound.WaitReady("ClusterBinding", second, `False/APIBoundElsewhere: `+o.name+`: ClusterBinding "`+o.connection()+`" has bound it`)
	here.Apply(o.database("a", "{size: 1}"))
	there.WaitFor(o.name, "a", specIs("size", int64(1)))
	if got := other.Space(t, here.Namespace).Names(o.name, ""); len(got) > 0 {
		t.Errorf("at the other provider are %v", got)
	}
	bound.Remove("ClusterBinding", o.connection())
	bound.Patch("customresourcedefinitions.apiextensions.k8s.io", o.name, `{"metadata":{"labels":{"plait.run/connection":"`+second+`"}}}`)
	bound.WaitReady("ClusterBinding", second, "True")
	other.Space(t, here.Namespace).WaitFor(o.name, "a", specIs("size", int64(1)))
}

// TestNamespacedBinding syncs its own namespace, if the Connection lets it.
func TestNamespacedBinding(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	apart, apartThere := o.space("-apart")
	here.Apply(strings.Replace(o.binding(""), "ClusterBinding", "Binding", 1))
	here.WaitReady("bindings.plait.run", o.connection(), "False/NamespaceNotAllowed")
	here.Apply(o.database("a", "{size: 1}"))
	apart.Apply(o.database("a", "{size: 1}"))
	here.Patch("namespaces", here.Namespace, `{"metadata":{"labels":{"may":"bind"}}}`)
	here.WaitReady("bindings.plait.run", o.connection(), "True")
	there.WaitFor(o.name, "a", specIs("size", int64(1)))
	if got := apartThere.Names(o.name, ""); len(got) > 0 {
		t.Errorf("of another namespace are %v", got)
	}
	here.Remove(o.name, "a")
	there.WaitGone(o.name, "a")
	here.Remove("bindings.plait.run", o.connection())
}

// TestMappedNamespaces makes namespaces for copies, refuses two for one, and removes what is empty.
func TestMappedNamespaces(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, _ := o.space("")
	o.bind(", namespaceMapping: {prefix: from-here-}")
	here.Apply(o.database("a", "{size: 1}"))
	mapped := "from-here-" + here.Namespace
	made := waitNamespace(t, mapped)
	for key, want := range map[string]string{"plait.run/managed": "true", "plait.run/consumer-cluster-uid": localUID, "plait.run/consumer-namespace": here.Namespace} {
		if err := metaIs(key, want)(made); err != nil {
			t.Error(err)
		}
	}
	there := spaceOf(t, mapped)
	there.WaitFor(o.name, "a", metaIs("plait.run/consumer-namespace", here.Namespace))
	report(t, there, o.name, "a", `{"phase":"Up"}`)
	here.WaitFor(o.name, "a", phaseIs("Up"))

	// The copy seems to be of another namespace that is mapped to the same one.
	there.Patch(o.name, "a", `{"metadata":{"annotations":{"plait.run/consumer-namespace":"another"}}}`)
	here.WaitFor(o.name, "a", synced("False/NamespaceCollision"))
	there.Patch(o.name, "a", `{"metadata":{"annotations":{"plait.run/consumer-namespace":"`+here.Namespace+`"}}}`)
	here.WaitFor(o.name, "a", synced("absent"))

	here.Remove(o.name, "a")
	world.Eventually(t, "the empty namespace is not deleted", func() error {
		u, err := acme.Get(t.Context(), "namespaces", "", mapped)
		if err != nil || u.GetDeletionTimestamp() != nil {
			return nil
		}
		return fmt.Errorf("it is there: %v", u.GetLabels())
	})
}

func waitNamespace(t *testing.T, name string) *unstructured.Unstructured {
	t.Helper()
	return acme.Space(t, "default").WaitFor("namespaces", name, func(*unstructured.Unstructured) error { return nil })
}

// spaceOf gives a namespace that somebody else has made.
func spaceOf(t *testing.T, namespace string) *world.Space {
	t.Helper()
	s := acme.Space(t, "default")
	s.Namespace = namespace
	return s
}
