package instance

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/dynamiccontroller/deepequal"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// isRelevant tells whether a change of a child can change what a pass comes to: what we applied is not all ours any more, it
// is another object or is going, or an expression of the graph reads what changed. Heartbeats are none, and neither is what
// others write beside us.
func isRelevant(g *graph.Graph, old, now *unstructured.Unstructured) bool {
	if g == nil || !standsAlike(old.Object, now.Object) {
		return true
	}
	id := plan.NodeOf(now.Object)
	if g.Node(id) == nil {
		return true
	}
	for _, path := range g.ReadsOf(id) {
		before, existed := runtime.At(old.Object, path)
		after, exists := runtime.At(now.Object, path)
		if existed != exists || !deepequal.Values(before, after) {
			return true
		}
	}
	return false
}

// standsAlike tells whether two states of an object agree in what tells whether it is there and ours: whoever changes a value
// that we applied takes the field from our entry in managedFields. Of these there is only what the cache keeps: our own
// entries and those of scalers.
func standsAlike(old, now map[string]any) bool {
	before, _ := old["metadata"].(map[string]any)
	after, _ := now["metadata"].(map[string]any)
	if before["uid"] != after["uid"] || before["deletionTimestamp"] != after["deletionTimestamp"] {
		return false
	}
	if after["deletionTimestamp"] != nil && !deepequal.Values(before["finalizers"], after["finalizers"]) {
		return false
	}
	entries, _ := before["managedFields"].([]any)
	others, _ := after["managedFields"].([]any)
	return slices.EqualFunc(entries, others, isSameEntry)
}

// isSameEntry compares entries of managedFields but for their time.
func isSameEntry(a, b any) bool {
	before, isMap := a.(map[string]any)
	after, isMapToo := b.(map[string]any)
	if !isMap || !isMapToo || len(before) != len(after) {
		return false
	}
	for key, value := range before {
		if other, ok := after[key]; !ok || key != "time" && !deepequal.Values(value, other) {
			return false
		}
	}
	return true
}
