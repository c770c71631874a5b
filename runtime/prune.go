package runtime

import (
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// prune gives the children that are certainly not wanted any more, wave by wave. A child is kept while its own node
// is not decided, and while another node that is not decided may come to want it.
func (e *evaluator) prune() [][]plan.Key {
	unwanted := map[plan.Key]map[string]any{}
	var undecided []reach
	for key, child := range e.in.Observed.Children {
		if _, wanted := e.claims[key]; wanted {
			continue
		}
		id := plan.NodeOf(child)
		if id == "" || e.keeps(id) {
			continue
		}
		if undecided == nil {
			undecided = e.undecided()
		}
		if slices.ContainsFunc(undecided, func(r reach) bool { return r.covers(key) }) {
			continue
		}
		unwanted[key] = child
		if o := e.outcomes[id]; o != nil && o.excluded {
			o.plan.State = plan.Deleting
		}
	}
	return plan.Waves(unwanted)
}

// keeps tells whether a node keeps all of its children for now.
func (e *evaluator) keeps(id string) bool {
	o := e.outcomes[id]
	return o != nil && !o.excluded && (!o.complete || o.plan.State == plan.Failed)
}

// undecided gives what the nodes may come to want of which it is not known what they want.
func (e *evaluator) undecided() []reach {
	out := []reach{}
	for _, n := range e.in.Graph.Nodes() {
		if o := e.outcomes[n.ID]; n.Kind == graph.Template && !o.excluded && !o.complete {
			out = append(out, e.reachOf(n))
		}
	}
	return out
}
