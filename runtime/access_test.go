package runtime

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// TestBeyond asks what is read of an object that says more than we rendered. A path of which the graph knows no reader was
// not compared, and counts as more.
func TestBeyond(t *testing.T) {
	w := &world{
		graph: newGraph(t, "phase: '${a.status.phase}'\nx: '${a.data.x}'",
			fixture{id: "a", template: "metadata: {name: a}\ndata: {x: '${schema.spec.name}', y: fixed}"}),
		instance: instance(t, "{name: one}"), observed: Observed{Children: map[plan.Key]map[string]any{}},
	}
	p, memo := Evaluate(t.Context(), w.input(nil))
	w.apply(p)
	w.observed.Children[configMap("a")] = w.edited(w.observed.Children[configMap("a")], "status", map[string]any{"phase": "up"})
	_, memo = Evaluate(t.Context(), w.input(memo))
	for name, memo := range map[string]*Memo{"evaluated": nil, "remembered": memo, "between passes": memo.WithoutDrafts()} {
		t.Run(name, func(t *testing.T) {
			e := newEvaluator(t.Context(), w.input(memo))
			e.run()
			got := map[string]int{}
			for _, path := range []string{"data.x", "status.phase", "data.y"} {
				got[path] = len(e.beyond(graph.Read{Name: "a", Path: path}))
			}
			if diff := cmp.Diff(map[string]int{"data.x": 0, "status.phase": 1, "data.y": 1}, got); diff != "" {
				t.Errorf("objects of which more is read (-want +got):\n%s", diff)
			}
		})
	}
}
