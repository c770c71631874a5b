package engine_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/test/world"
)

func TestTwentyKindsComeAndGo(t *testing.T) {
	before := goroutines()
	client := shared.Client
	controller := newController(t, shared.RESTConfig())
	var told sync.Map
	controller.OnRunning(func(gk schema.GroupKind) { told.Store(gk, true) })
	stop := serve(t, controller.Start)
	const kinds = 20
	var (
		gvrs     [kinds]schema.GroupVersionResource
		gvks     [kinds]schema.GroupVersionKind
		recorded [kinds]*recorder
	)
	for i := range kinds {
		gvrs[i], gvks[i] = define(t, client, fmt.Sprintf("Many%02d", i))
		recorded[i] = newRecorder(nil)
		controller.Register(gvrs[i], gvks[i], recorded[i])
		controller.Register(gvrs[i], gvks[i], recorded[i])
	}
	for i := range kinds {
		create(t, client, gvrs[i], "default", object("engine.test/v1", gvks[i].Kind, "one"))
		world.Eventually(t, gvks[i].Kind+" is not reconciled", func() error { return atLeast(recorded[i], "default/one", 1) })
		if running, why := controller.State(gvrs[i]); !running {
			t.Errorf("State(%s) = false, %v", gvks[i].Kind, why)
		}
		if _, ok := told.Load(gvks[i].GroupKind()); !ok {
			t.Errorf("nobody was told that %s runs", gvks[i].Kind)
		}
	}
	for i := range kinds {
		controller.Deregister(gvrs[i])
		controller.Deregister(gvrs[i])
	}
	world.Eventually(t, "caches are kept after the linger", func() error {
		if _, ok := controller.Instance(gvrs[0], types.NamespacedName{Namespace: "default", Name: "one"}); ok {
			return fmt.Errorf("the instance is still known")
		}
		return nil
	})
	controller.Register(gvrs[3], gvks[3], recorded[3])
	world.Eventually(t, "a kind that came back is not reconciled", func() error { return atLeast(recorded[3], "default/one", 2) })
	stop()
	world.Eventually(t, "goroutines are left", func() error {
		if left := goroutines(); left > before {
			return fmt.Errorf("%d goroutines before, %d after", before, left)
		}
		return nil
	})
}

func atLeast(r *recorder, name string, want int) error {
	if got := r.count(name); got < want {
		return fmt.Errorf("reconciled %d times, want %d", got, want)
	}
	return nil
}

// TestReplaceReconciler registers a kind again while its reconciler works: the queue stays, and no instance is worked
// on twice at a time.
func TestReplaceReconciler(t *testing.T) {
	client := shared.Client
	controller := newController(t, shared.RESTConfig())
	serve(t, controller.Start)
	gvr, gvk := define(t, client, "Replaced")
	begun, release := make(chan struct{}), make(chan struct{})
	var atOnce, most atomic.Int32
	track := func(f func()) func(context.Context, reconcile.Request) error {
		return func(context.Context, reconcile.Request) error {
			most.Store(max(most.Load(), atOnce.Add(1)))
			defer atOnce.Add(-1)
			f()
			return nil
		}
	}
	first := newRecorder(track(func() { close(begun); <-release }))
	controller.Register(gvr, gvk, first)
	create(t, client, gvr, "default", object("engine.test/v1", gvk.Kind, "one"))
	<-begun
	second := newRecorder(track(func() {}))
	controller.Register(gvr, gvk, second)
	controller.Enqueue(gvr, types.NamespacedName{Namespace: "default", Name: "one"}, dynamiccontroller.Change)
	controller.Deregister(gvr)
	controller.Register(gvr, gvk, second)
	close(release)
	world.Eventually(t, "the new reconciler is not called", func() error { return atLeast(second, "default/one", 1) })
	if most.Load() != 1 || first.count("default/one") != 1 {
		t.Errorf("at once %d, by the first %d; want 1 and 1", most.Load(), first.count("default/one"))
	}
}

// TestKindDefinedLate registers a kind before its definition exists: others go on, and it starts soon after.
func TestKindDefinedLate(t *testing.T) {
	client := shared.Client
	controller := newController(t, shared.RESTConfig())
	serve(t, controller.Start)
	late, lateKind := kindNamed("Late")
	lateSeen, otherSeen := newRecorder(nil), newRecorder(nil)
	controller.Register(late, lateKind, lateSeen)
	other, otherKind := define(t, client, "Other")
	controller.Register(other, otherKind, otherSeen)
	create(t, client, other, "default", object("engine.test/v1", "Other", "one"))
	world.Eventually(t, "a missing kind holds up another", func() error { return atLeast(otherSeen, "default/one", 1) })
	if running, why := controller.State(late); running || why == nil {
		t.Errorf("State of a kind that does not exist = %v, %v", running, why)
	}
	define(t, client, "Late")
	ctx, cancel := context.WithTimeout(t.Context(), world.Patience)
	defer cancel()
	begun := time.Now()
	if err := controller.WaitServed(ctx, late); err != nil {
		t.Fatal(err)
	}
	t.Logf("served after %v", time.Since(begun))
	controller.KindChanged(lateKind.GroupKind())
	begun = time.Now()
	create(t, client, late, "default", object("engine.test/v1", "Late", "one"))
	world.Eventually(t, "a late kind is not reconciled", func() error { return atLeast(lateSeen, "default/one", 1) })
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("the first reconcile took %v", took)
	}
}

// TestInstanceEvents counts reconciles: one for a change of the spec, none for a write that was told.
func TestInstanceEvents(t *testing.T) {
	client := shared.Client
	controller := newController(t, shared.RESTConfig())
	serve(t, controller.Start)
	gvr, gvk := define(t, client, "Told")
	seen := newRecorder(nil)
	controller.Register(gvr, gvk, seen)
	u := create(t, client, gvr, "default", object("engine.test/v1", gvk.Kind, "one"))
	world.Eventually(t, "not reconciled", func() error { return atLeast(seen, "default/one", 1) })
	if n := seen.settled(t, "default/one"); n != 1 {
		t.Errorf("%d reconciles of a new instance, want 1", n)
	}
	u.Object["spec"] = map[string]any{"text": "a"}
	u, err := client.Resource(gvr).Namespace("default").Update(t.Context(), u, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "a change is not reconciled", func() error { return atLeast(seen, "default/one", 2) })
	if err := client.Resource(gvr).Namespace("default").Delete(t.Context(), u.GetName(), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "a deletion is not reconciled", func() error { return atLeast(seen, "default/one", 3) })
	if n := seen.settled(t, "default/one"); n != 3 {
		t.Errorf("%d reconciles in all, want 3", n)
	}
}
