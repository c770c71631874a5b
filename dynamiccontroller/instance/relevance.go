package instance

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// isRelevant tells whether a change of a child can change what a pass comes to: what we applied is not all ours any more, it
// is another object or is going, or an expression of the graph reads what changed. Heartbeats are none, and neither is what
// others write beside us.
func isRelevant(g *graph.Graph, old, now *unstructured.Unstructured) bool {
	if g == nil || !isEqual(standingOf(old.Object), standingOf(now.Object)) {
		return true
	}
	id := plan.NodeOf(now.Object)
	if g.Node(id) == nil {
		return true
	}
	for _, path := range g.ReadsOf(id) {
		before, existed := runtime.At(old.Object, path)
		after, exists := runtime.At(now.Object, path)
		if existed != exists || !isEqual(before, after) {
			return true
		}
	}
	return false
}

// standingOf gives of an object what tells whether it is there and ours: whoever changes a value that we applied takes the
// field from our entry in managedFields. Of these there is only what the cache keeps: our own entries and those of scalers.
func standingOf(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	out := map[string]any{"uid": metadata["uid"], "deletionTimestamp": metadata["deletionTimestamp"]}
	if out["deletionTimestamp"] != nil {
		out["finalizers"] = metadata["finalizers"]
	}
	entries, _ := metadata["managedFields"].([]any)
	timeless := make([]any, len(entries))
	for i, item := range entries {
		entry, _ := item.(map[string]any)
		entry = maps.Clone(entry)
		delete(entry, "time")
		timeless[i] = entry
	}
	out["managedFields"] = timeless
	return out
}
