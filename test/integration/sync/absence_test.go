package sync_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestProviderAway deletes an object while there is no way to the provider, and nothing is lost or forgotten.
func TestProviderAway(t *testing.T) {
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
	w.shut(o.connection())
	bound.WaitReady("ClusterBinding", o.connection(), "False/ConnectionNotReady")
	here.Delete(o.name, "a")
	here.Patch(o.name, "b", `{"spec":{"size":2}}`)
	here.Apply(o.database("c", "{size: 3}"))
	requests := acme.NewLedger(t)
	if got := requests.Take(); len(got) > 0 {
		t.Errorf("without a way: %v", got)
	}
	if u := must(here.Get(o.name, "a")); held(u) != nil {
		t.Error("the object was let go without its copy")
	}
	w.open(t, o.connection(), acme.RESTConfig())
	here.WaitGone(o.name, "a")
	there.WaitGone(o.name, "a")
	there.WaitFor(o.name, "b", specIs("size", int64(2)))
	there.WaitFor(o.name, "c", specIs("size", int64(3)))
	bound.WaitReady("ClusterBinding", o.connection(), "True")
}

// TestEngineAway recreates one object and takes another one away by force while nobody looks.
func TestEngineAway(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	first := run(t, w)
	here, there := o.space("")
	o.bind("")
	uids := map[string]string{}
	for _, name := range []string{"again", "gone", "kept"} {
		here.Apply(o.database(name, "{size: 1}"))
		uids[name] = string(uidOf(there.WaitFor(o.name, name, specIs("size", int64(1)))))
	}
	first.stop()
	for _, name := range []string{"again", "gone"} {
		here.Patch(o.name, name, `{"metadata":{"finalizers":null}}`)
		here.Remove(o.name, name)
	}
	here.Apply(o.database("again", "{size: 2}"))
	run(t, w)
	live := there.WaitFor(o.name, "again", specIs("size", int64(2)))
	if string(uidOf(live)) != uids["again"] {
		t.Error("the copy of a recreated object was not taken over")
	}
	there.WaitGone(o.name, "gone")
	if u := must(there.Get(o.name, "kept")); string(uidOf(u)) != uids["kept"] {
		t.Error("a copy whose object is there was replaced")
	}
}

// TestNoRights waits for rights of the provider, tells of them, and goes on by itself when they are given.
func TestNoRights(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	config, err := acme.RESTConfigFor("consumer-" + o.connection())
	if err != nil {
		t.Fatal(err)
	}
	w.open(t, o.connection(), config)
	run(t, w)
	here, there := o.space("")
	bound := o.ask("")
	here.Apply(o.database("a", "{size: 1}"))
	bound.WaitCondition("ClusterBinding", o.connection(), "PermissionDenied", "True/Forbidden")
	bound.WaitReady("ClusterBinding", o.connection(), "False/Forbidden")
	grant := func(verbs string) {
		there.Apply(fmt.Sprintf(`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: %[1]s}, rules: [{apiGroups: ["*"], resources: [databases], verbs: [%[2]s]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: %[1]s}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %[1]s},
  subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: consumer-%[1]s}]}`, o.connection(), verbs))
	}
	grant("list, watch, get")
	here.WaitFor(o.name, "a", synced("False/Forbidden: the credentials of Connection"))
	bound.WaitCondition("ClusterBinding", o.connection(), "PermissionDenied", "True/Forbidden")
	grant("list, watch, get, create, patch, delete")
	there.WaitFor(o.name, "a", specIs("size", int64(1)))
	bound.WaitCondition("ClusterBinding", o.connection(), "PermissionDenied", "False")
	bound.WaitReady("ClusterBinding", o.connection(), "True")
	here.WaitFor(o.name, "a", synced("absent"))

	// A namespace that is not there, and that may not be made.
	lone := consumer.Space(t, o.connection()+"-lone")
	lone.Apply(o.database("b", "{size: 1}"))
	lone.WaitFor(o.name, "b", synced("False/NamespaceNotFound"))
	acme.Space(t, o.connection()+"-lone").WaitFor(o.name, "b", func(*unstructured.Unstructured) error { return nil })
}

func must(u *unstructured.Unstructured, err error) *unstructured.Unstructured {
	if err != nil {
		panic(err)
	}
	return u
}
