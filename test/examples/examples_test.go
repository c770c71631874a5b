// Package examples runs every example on a real API server with controllers and simulated pods: up, changed,
// broken, mended, deleted, and nothing left.
package examples

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

var shared *world.World

func TestMain(m *testing.M) {
	os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{Pods: true}}))
}

// example is a folder of ../../examples and what is done to its instance.
type example struct {
	folder  string
	needs   []string             // groups of other examples
	change  func(map[string]any) // of the spec: valid
	spoil   func(map[string]any) // of the spec: accepted by the API, and cannot work
	holds   func(w *space)       // after the change
	spoiled string               // text of the Ready message while spoiled
}

var all = []example{
	{
		folder: "webapp",
		change: func(spec map[string]any) { spec["replicas"] = int64(3); delete(spec, "host") },
		holds: func(w *space) {
			w.mustHave("Deployment", "shop", "spec", "replicas", int64(3))
			w.mustLack("Ingress", "shop")
		},
		spoil:   func(spec map[string]any) { spec["settings"] = map[string]any{"not a key": "x"} },
		spoiled: "config",
	},
	{
		folder: "platform",
		needs:  []string{"webapp"},
		change: func(spec map[string]any) { spec["sites"] = []any{"docs", "shop"} },
		holds: func(w *space) {
			w.mustLack("WebApp", "north-blog")
			w.mustHave("ConfigMap", "north-index", "data", "sites", "north-docs,north-shop")
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
	shared.RunEngine(t)
	for _, ex := range all {
		t.Run(ex.folder, func(t *testing.T) { run(t, ex) })
	}
}

func run(t *testing.T, ex example) {
	w := &space{shared.Space(t, "default"), t}
	before := w.everything()
	groups := []string{}
	for _, folder := range append(ex.needs, ex.folder) {
		group := read(t, filepath.Join("../../examples", folder, "group.yaml"))
		w.applyObject(group)
		w.WaitReady("ResourceGroup", group.GetName(), "True")
		groups = append(groups, group.GetName())
	}
	instance := read(t, filepath.Join("../../examples", ex.folder, "instance.yaml"))
	kind, name := instance.GetKind(), instance.GetName()
	spec, _ := instance.Object["spec"].(map[string]any)
	w.applyObject(instance)
	w.WaitFor(kind, name, isActive)

	ex.change(spec)
	w.applyObject(instance)
	w.WaitFor(kind, name, isActive)
	ex.holds(w)

	good := instance.DeepCopy()
	ex.spoil(spec)
	w.applyObject(instance)
	w.WaitFor(kind, name, failedWith(ex.spoiled))
	w.applyObject(good)
	w.WaitFor(kind, name, isActive)

	w.Remove(kind, name)
	for _, group := range slices.Backward(groups) {
		w.Remove("ResourceGroup", group)
	}
	w.nothingBut(before)
}
