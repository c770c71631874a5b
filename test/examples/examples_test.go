// Package examples runs every example on a real API server with controllers and simulated pods: up, changed,
// broken, mended, deleted, and nothing left.
package examples

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/cmd/plait/engine"
)

// example is a folder of ../../examples and what is done to its instance.
type example struct {
	folder  string
	needs   []string                     // groups of other examples
	change  func(map[string]any)         // of the spec: valid
	spoil   func(map[string]any)         // of the spec: accepted by the API, and cannot work
	holds   func(t *testing.T, w *world) // after the change
	spoiled string                       // text of the Ready message while spoiled
}

var all = []example{
	{
		folder: "webapp",
		change: func(spec map[string]any) { spec["replicas"] = int64(3); delete(spec, "host") },
		holds: func(t *testing.T, w *world) {
			w.mustHave(t, "apps/v1", "Deployment", "shop", "spec", "replicas", int64(3))
			w.mustLack(t, "networking.k8s.io/v1", "Ingress", "shop")
		},
		spoil:   func(spec map[string]any) { spec["settings"] = map[string]any{"not a key": "x"} },
		spoiled: "config",
	},
	{
		folder: "platform",
		needs:  []string{"webapp"},
		change: func(spec map[string]any) { spec["sites"] = []any{"docs", "shop"} },
		holds: func(t *testing.T, w *world) {
			w.mustLack(t, "apps.plait.run/v1alpha1", "WebApp", "north-blog")
			w.mustHave(t, "v1", "ConfigMap", "north-index", "data", "sites", "north-docs,north-shop")
		},
		spoil:   func(spec map[string]any) { spec["sites"] = []any{"docs", "Not A Name"} },
		spoiled: "Not A Name",
	},
}

func TestExamples(t *testing.T) {
	folders, err := os.ReadDir("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, folder := range folders {
		if folder.IsDir() {
			count++
		}
	}
	if count != len(all) {
		t.Errorf("%d examples, and %d are tested", count, len(all))
	}
	w := newWorld(t)
	for _, ex := range all {
		t.Run(ex.folder, func(t *testing.T) { w.run(t, ex) })
	}
}

func (w *world) run(t *testing.T, ex example) {
	before := w.everything(t)
	groups := []*unstructured.Unstructured{}
	for _, folder := range append(ex.needs, ex.folder) {
		group := read(t, filepath.Join("../../examples", folder, "group.yaml"))
		w.apply(t, group)
		w.until(t, group, "the group to be ready", isReady)
		groups = append(groups, group)
	}
	instance := read(t, filepath.Join("../../examples", ex.folder, "instance.yaml"))
	spec, _ := instance.Object["spec"].(map[string]any)
	w.apply(t, instance)
	w.until(t, instance, "ACTIVE", isActive)

	ex.change(spec)
	w.apply(t, instance)
	w.until(t, instance, "ACTIVE after the change", isActive)
	ex.holds(t, w)

	good := instance.DeepCopy()
	ex.spoil(spec)
	w.apply(t, instance)
	w.until(t, instance, "FAILED with "+ex.spoiled, failedWith(ex.spoiled))
	w.apply(t, good)
	w.until(t, good, "ACTIVE again", isActive)

	w.delete(t, instance)
	for i := range groups {
		w.delete(t, groups[len(groups)-1-i])
	}
	w.nothingBut(t, before)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	c, err := cluster.Start(t.Context(), cluster.Config{ControllerManager: true, Pods: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	options := engine.Defaults()
	options.RESTConfig, options.InstallCRDs, options.LeaderElect, options.ActAsSelf = c.RESTConfig(), true, false, true
	options.MetricsAddress, options.HealthAddress, options.LogOutput = "0", "0", t.Output()
	e, err := engine.New(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return connect(t, c.RESTConfig())
}
