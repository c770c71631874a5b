package engine_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/test/world"
)

// TestSlowKindLeavesRoom works on many instances of a kind whose reconciles hang, and one of another kind.
func TestSlowKindLeavesRoom(t *testing.T) {
	client := shared.Client
	controller := newController(t, shared.RESTConfig())
	slow, slowKind := define(t, client, "Slow")
	quick, quickKind := define(t, client, "Quick")
	release := make(chan struct{})
	var working atomic.Int32
	controller.Register(slow, slowKind, newRecorder(func(context.Context, reconcile.Request) error {
		working.Add(1)
		<-release
		return nil
	}))
	seen := newRecorder(nil)
	controller.Register(quick, quickKind, seen)
	serve(t, controller.Start)
	t.Cleanup(func() { close(release) }) // before the end of Start, which joins the workers
	world.Eventually(t, "the slow kind does not run", func() error {
		for i := range 100 {
			controller.Enqueue(slow, types.NamespacedName{Namespace: "default", Name: fmt.Sprint(i)}, dynamiccontroller.Change)
		}
		if n := working.Load(); n != 15 {
			return fmt.Errorf("%d at work, want three quarters of 20", n)
		}
		return nil
	})
	create(t, client, quick, "default", object("engine.test/v1", quickKind.Kind, "one"))
	begun := time.Now()
	world.Eventually(t, "the quick kind waits for the slow one", func() error { return atLeast(seen, "default/one", 1) })
	if took := time.Since(begun); took > time.Second {
		t.Errorf("the quick kind waited %v", took)
	}
	if n := working.Load(); n != 15 {
		t.Errorf("%d of the slow kind at work, want 15", n)
	}
}

// TestIdleIsSilent brings caches up and reads them without one request but watches.
func TestIdleIsSilent(t *testing.T) {
	var requests atomic.Int64
	client := shared.Client
	registry := prometheus.NewRegistry()
	controller, err := dynamiccontroller.New(dynamiccontroller.Config{REST: counting(shared.RESTConfig(), &requests), Metrics: registry})
	if err != nil {
		t.Fatal(err)
	}
	serve(t, controller.Start)
	gvr, gvk := define(t, client, "Silent")
	owner := ownerOf(gvr)
	resources := []schema.GroupVersionResource{configMaps}
	seen := newRecorder(func(context.Context, reconcile.Request) error {
		controller.Watcher().SetWanted(owner, resources, nil)
		return nil
	})
	controller.Register(gvr, gvk, seen)
	u := create(t, client, gvr, "default", object("engine.test/v1", gvk.Kind, "one"))
	create(t, client, configMaps, "default", child("silent-a", u, "1"))
	world.Eventually(t, "the child is not read", func() error {
		if objs, unsynced := controller.Watcher().Children(u.GetUID(), resources); len(objs) != 1 || len(unsynced) != 0 {
			return fmt.Errorf("%d children, unsynced %v", len(objs), unsynced)
		}
		return nil
	})
	seen.settled(t, "default/one")
	// Until the definition is established the kind's watch is refused, and that a refused watch may be sought as a list
	// is up to the library.
	after := requests.Load()
	t.Logf("%d requests besides watches to begin with", after)
	controller.Enqueue(gvr, owner.NamespacedName, dynamiccontroller.Change)
	create(t, client, configMaps, "default", child("silent-b", u, "1"))
	seen.settled(t, "default/one")
	if n := requests.Load() - after; n != 0 {
		t.Errorf("%d requests besides watches, want none", n)
	}
	if problems, err := testutil.GatherAndLint(registry); err != nil || len(problems) != 0 {
		t.Errorf("metrics: %v, %v", problems, err)
	}
	if n := testutil.CollectAndCount(registry, "plait_cached_instances"); n != 1 {
		t.Errorf("%d series of cached instances, want one for the kind", n)
	}
}
