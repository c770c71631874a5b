package engine_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/test/world"
)

// bench is one instance with a reconciler that wants things.
type bench struct {
	client     dynamic.Interface
	controller *dynamiccontroller.Controller
	gvr        schema.GroupVersionResource
	owner      track.Owner
	instance   *unstructured.Unstructured
	seen       *recorder
	externals  atomic.Pointer[[]track.External]
	work       atomic.Pointer[func()] // done once, in the next pass
}

func newBench(t *testing.T, w *world.World, kind string) *bench {
	t.Helper()
	b := &bench{client: w.Client, controller: newController(t, w.RESTConfig())}
	serve(t, b.controller.Start)
	gvr, gvk := define(t, b.client, kind)
	b.gvr = gvr
	b.owner = ownerOf(gvr)
	b.externals.Store(&[]track.External{})
	b.seen = newRecorder(func(context.Context, reconcile.Request) error {
		if work := b.work.Swap(nil); work != nil {
			(*work)()
		}
		b.controller.Watcher().SetWanted(b.owner, []schema.GroupVersionResource{configMaps}, *b.externals.Load())
		return nil
	})
	b.controller.Register(gvr, gvk, b.seen)
	b.instance = create(t, b.client, gvr, "default", object("engine.test/v1", kind, "one"))
	world.Eventually(t, "children are not read", func() error {
		if _, unsynced := b.controller.Watcher().Children(b.instance.GetUID(), []schema.GroupVersionResource{configMaps}); len(unsynced) > 0 {
			return fmt.Errorf("%v cannot be told", unsynced)
		}
		return nil
	})
	return b
}

// ownerOf is the instance that most tests have.
func ownerOf(gvr schema.GroupVersionResource) track.Owner {
	return track.Owner{Resource: gvr, NamespacedName: types.NamespacedName{Namespace: "default", Name: "one"}}
}

func (b *bench) want(externals ...track.External) {
	b.externals.Store(&externals)
	b.controller.Enqueue(b.gvr, b.owner.NamespacedName, dynamiccontroller.Normal)
}

// reconciled runs f and waits for a reconcile that came of it.
func (b *bench) reconciled(t *testing.T, what string, f func()) {
	t.Helper()
	before := b.seen.settled(t, "default/one")
	begun := time.Now()
	f()
	world.Eventually(t, what+" does not reconcile", func() error { return atLeast(b.seen, "default/one", before+1) })
	if took := time.Since(begun); took > time.Second {
		t.Errorf("%s: reconciled after %v", what, took)
	}
}

// quiet runs f and sees that no reconcile comes of it.
func (b *bench) quiet(t *testing.T, what string, f func()) {
	t.Helper()
	before := b.seen.settled(t, "default/one")
	f()
	if n := b.seen.settled(t, "default/one"); n != before {
		t.Errorf("%s: %d reconciles, want none", what, n-before)
	}
}

func (b *bench) update(t *testing.T, u *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	out, err := b.client.Resource(configMaps).Namespace("default").Update(t.Context(), u, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (b *bench) remove(t *testing.T, name string) {
	t.Helper()
	if err := b.client.Resource(configMaps).Namespace("default").Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestChildEvents(t *testing.T) {
	b := newBench(t, shared, "Parent")
	var c *unstructured.Unstructured
	b.reconciled(t, "a new child", func() {
		c = create(t, b.client, configMaps, "default", child("parent-a", b.instance, "1"))
	})
	objs, unsynced := b.controller.Watcher().Children(b.instance.GetUID(), []schema.GroupVersionResource{configMaps})
	if len(objs) != 1 || len(unsynced) != 0 || objs[0].GetName() != "parent-a" {
		t.Errorf("Children = %v, unsynced %v", objs, unsynced)
	}
	b.reconciled(t, "a changed child", func() {
		c.Object["data"] = map[string]any{"text": "2"}
		c = b.update(t, c)
	})
	b.quiet(t, "somebody else's ConfigMap", func() {
		create(t, b.client, configMaps, "default", object("v1", "ConfigMap", "stranger"))
	})
	b.reconciled(t, "a child that lost its labels", func() {
		c.SetLabels(nil)
		c = b.update(t, c)
	})
	if objs, _ := b.controller.Watcher().Children(b.instance.GetUID(), []schema.GroupVersionResource{configMaps}); len(objs) != 0 {
		t.Errorf("Children = %v, want none without labels", objs)
	}
	d := create(t, b.client, configMaps, "default", child("parent-b", b.instance, "1"))
	b.reconciled(t, "a deleted child", func() { b.remove(t, d.GetName()) })
}

// TestChildOfFormerInstance tells the present instance of a name about children that carry the UID of a former one.
func TestChildOfFormerInstance(t *testing.T) {
	b := newBench(t, shared, "Former")
	former := b.instance.DeepCopy()
	former.SetUID("11111111-2222-3333-4444-555555555555")
	b.reconciled(t, "a child of the former instance", func() {
		create(t, b.client, configMaps, "default", child("former-a", former, "1"))
	})
}

// TestWrote reads an answer before the watch shows it, and is not reconciled by the events of its own writes, whether
// they come before or after the answer.
func TestWrote(t *testing.T) {
	b := newBench(t, shared, "Writer")
	resources := []schema.GroupVersionResource{configMaps}
	work := func() {
		c := create(t, b.client, configMaps, "default", child("writer-a", b.instance, "1"))
		b.controller.Watcher().Wrote(configMaps, c)
		for i := range 20 {
			c.Object["data"] = map[string]any{"text": fmt.Sprint(i)}
			c = b.update(t, c)
			b.controller.Watcher().Wrote(configMaps, c)
			objs, _ := b.controller.Watcher().Children(b.instance.GetUID(), resources)
			if len(objs) != 1 || objs[0].GetResourceVersion() != c.GetResourceVersion() {
				t.Errorf("write %d is not read back: %v", i, objs)
			}
		}
		status := b.instance.DeepCopy()
		status.Object["status"] = map[string]any{"text": "done"}
		status, err := b.client.Resource(b.gvr).Namespace("default").UpdateStatus(t.Context(), status, metav1.UpdateOptions{})
		if err != nil {
			t.Errorf("writing the status: %v", err)
			return
		}
		b.controller.Wrote(b.gvr, status)
		if read, _ := b.controller.Instance(b.gvr, b.owner.NamespacedName); read.GetResourceVersion() != status.GetResourceVersion() {
			t.Error("the status is not read back")
		}
	}
	before := b.seen.settled(t, "default/one")
	b.work.Store(&work)
	b.want()
	world.Eventually(t, "not reconciled", func() error { return atLeast(b.seen, "default/one", before+1) })
	if n := b.seen.settled(t, "default/one"); n != before+1 {
		t.Errorf("%d reconciles of own writes, want 1", n-before)
	}
	b.reconciled(t, "a deletion after writes", func() { b.remove(t, "writer-a") })
	if objs, _ := b.controller.Watcher().Children(b.instance.GetUID(), resources); len(objs) != 0 {
		t.Errorf("Children = %v after the deletion", objs)
	}
}

// TestForeignWriteDuringPass changes spec and child from outside while a pass writes both: the instance is reconciled
// again.
func TestForeignWriteDuringPass(t *testing.T) {
	b := newBench(t, shared, "Disturbed")
	work := func() {
		spec := b.instance.DeepCopy()
		spec.Object["spec"] = map[string]any{"text": "new"}
		spec, err := b.client.Resource(b.gvr).Namespace("default").Update(t.Context(), spec, metav1.UpdateOptions{})
		if err != nil {
			t.Errorf("changing the spec: %v", err)
			return
		}
		spec.Object["status"] = map[string]any{"text": "done"}
		status, err := b.client.Resource(b.gvr).Namespace("default").UpdateStatus(t.Context(), spec, metav1.UpdateOptions{})
		if err != nil {
			t.Errorf("writing the status: %v", err)
			return
		}
		b.controller.Wrote(b.gvr, status)
	}
	before := b.seen.settled(t, "default/one")
	b.work.Store(&work)
	b.want()
	world.Eventually(t, "a foreign change during a pass is lost", func() error { return atLeast(b.seen, "default/one", before+2) })
	if n := b.seen.settled(t, "default/one"); n != before+2 {
		t.Errorf("%d reconciles, want 2", n-before)
	}
}

func TestExternals(t *testing.T) {
	b := newBench(t, shared, "Reader")
	named := track.External{Resource: configMaps, Namespace: "default", Name: "facts"}
	selected := track.External{Resource: configMaps, Selector: "facts=yes"}
	b.want(named, selected)
	read := func(key track.External) (names []string, synced bool) {
		objs, synced := b.controller.Watcher().External(key)
		for _, o := range objs {
			names = append(names, o.GetName())
		}
		return names, synced
	}
	world.Eventually(t, "externals are not read", func() error {
		if _, ok := read(named); !ok {
			return fmt.Errorf("the name cannot be told")
		}
		if _, ok := read(selected); !ok {
			return fmt.Errorf("the selector cannot be told")
		}
		return nil
	})
	b.reconciled(t, "an external that appears", func() {
		create(t, b.client, configMaps, "default", object("v1", "ConfigMap", "facts"))
	})
	if names, _ := read(named); len(names) != 1 {
		t.Errorf("External = %v, want facts", names)
	}
	u := object("v1", "ConfigMap", "more-facts")
	u.SetLabels(map[string]string{"facts": "yes"})
	b.reconciled(t, "a selected external", func() { u = create(t, b.client, configMaps, "kube-public", u) })
	if names, _ := read(selected); len(names) != 1 || names[0] != "more-facts" {
		t.Errorf("External = %v, want more-facts", names)
	}
	b.reconciled(t, "an external that leaves the selection", func() {
		u.SetLabels(nil)
		if _, err := b.client.Resource(configMaps).Namespace("kube-public").Update(t.Context(), u, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	})
	world.Eventually(t, "the selection keeps it", func() error {
		if names, ok := read(selected); len(names) != 0 || !ok {
			return fmt.Errorf("External = %v, %v", names, ok)
		}
		return nil
	})
	b.want()
	world.Eventually(t, "caches nobody wants are kept", func() error {
		if n := len(b.controller.Watcher().Stats()); n != 1 {
			return fmt.Errorf("%d caches", n)
		}
		return nil
	})
}

// TestExternalOfMissingKind waits for a kind that is not installed without holding up the rest.
func TestExternalOfMissingKind(t *testing.T) {
	b := newBench(t, shared, "Hoping")
	gvr, gvk := kindNamed("Hoped")
	key := track.External{Resource: gvr, Namespace: "default", Name: "x"}
	b.want(key)
	b.reconciled(t, "a child beside a missing kind", func() {
		create(t, b.client, configMaps, "default", child("hoping-a", b.instance, "1"))
	})
	if _, synced := b.controller.Watcher().External(key); synced {
		t.Error("an external of a kind that does not exist counts as read")
	}
	b.reconciled(t, "a kind that appears", func() {
		define(t, b.client, gvk.Kind)
		ctx, cancel := context.WithTimeout(t.Context(), world.Patience)
		defer cancel()
		if err := b.controller.WaitServed(ctx, gvr); err != nil {
			t.Fatal(err)
		}
		b.controller.KindChanged(gvk.GroupKind())
	})
	world.Eventually(t, "the external cannot be told", func() error {
		if _, synced := b.controller.Watcher().External(key); !synced {
			return fmt.Errorf("not synced")
		}
		return nil
	})
}

// TestServerRestart loses the API server: reads say that they cannot tell, and what changes afterwards arrives.
func TestServerRestart(t *testing.T) {
	own := world.New(t, cluster.Config{})
	b := newBench(t, own, "Restarted")
	create(t, b.client, configMaps, "default", child("restarted-a", b.instance, "1"))
	b.seen.settled(t, "default/one")
	if err := own.StopAPIServer(); err != nil {
		t.Fatal(err)
	}
	resources := []schema.GroupVersionResource{configMaps}
	world.Eventually(t, "the cache is believed without a server", func() error {
		if _, unsynced := b.controller.Watcher().Children(b.instance.GetUID(), resources); len(unsynced) == 0 {
			return fmt.Errorf("believed")
		}
		return nil
	})
	before := b.seen.settled(t, "default/one")
	if err := own.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "nobody is told that the cache can be read again", func() error { return atLeast(b.seen, "default/one", before+1) })
	b.reconciled(t, "a child after the restart", func() {
		create(t, b.client, configMaps, "default", child("restarted-b", b.instance, "1"))
	})
	objs, unsynced := b.controller.Watcher().Children(b.instance.GetUID(), resources)
	if len(objs) != 2 || len(unsynced) != 0 {
		t.Errorf("%d children, unsynced %v; want 2", len(objs), unsynced)
	}
}
