package runtime

import (
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// lastKnown lets the child that exists stand for a node that cannot be rendered now, so that status fields and
// optional references do not lose what they show whenever something further up is not ready for a moment. Nodes with
// a hard need wait all the same. A collection has no such stand-in: its order is not known.
func (e *evaluator) lastKnown(o *outcome) {
	isUndecided := o.node.Kind == graph.Template && !o.complete && !o.excluded && len(o.node.ForEach) == 0
	if !isUndecided {
		return
	}
	keys := e.childrenOf(o.node.ID)
	if len(keys) != 1 {
		return
	}
	o.former, o.value, o.there = keys[0], e.in.Observed.Children[keys[0]], true
}

// childrenOf gives the observed children that say they are of a node.
func (e *evaluator) childrenOf(id string) []plan.Key {
	if e.byNode == nil {
		e.byNode = map[string][]plan.Key{}
		for key, child := range e.in.Observed.Children {
			if node := plan.NodeOf(child); node != "" {
				e.byNode[node] = append(e.byNode[node], key)
			}
		}
	}
	return e.byNode[id]
}
