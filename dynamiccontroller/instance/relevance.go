package instance

import (
	"maps"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// isRelevant tells whether a change of a child can change what a pass comes to: any change but of the status, and of the
// status what an expression of the graph reads. Heartbeats are none.
func isRelevant(g *graph.Graph, old, now *unstructured.Unstructured) bool {
	if g == nil || !reflect.DeepEqual(withoutStatus(old.Object), withoutStatus(now.Object)) {
		return true
	}
	id := plan.NodeOf(now.Object)
	if g.Node(id) == nil {
		return true
	}
	for _, path := range g.ReadsOf(id) {
		before, existed := runtime.At(old.Object, path)
		after, exists := runtime.At(now.Object, path)
		if existed != exists || !reflect.DeepEqual(before, after) {
			return true
		}
	}
	return false
}

// withoutStatus gives the object without its status and what changes with any write. Of managedFields there is only what
// the cache keeps: our own entries and those of scalers.
func withoutStatus(object map[string]any) map[string]any {
	out := maps.Clone(object)
	delete(out, "status")
	metadata, _ := object["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	delete(metadata, "resourceVersion")
	entries, _ := metadata["managedFields"].([]any)
	timeless := make([]any, len(entries))
	for i, item := range entries {
		entry, _ := item.(map[string]any)
		entry = maps.Clone(entry)
		delete(entry, "time")
		timeless[i] = entry
	}
	metadata["managedFields"] = timeless
	out["metadata"] = metadata
	return out
}
