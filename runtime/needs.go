package runtime

import (
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
)

// holdUps waits for the nodes that must be settled first: nil means that none is in the way.
func (e *evaluator) holdUps(n *graph.Node) *outcome {
	found := e.findings(n)
	for _, need := range n.Needs {
		if e.holdsUp(need) {
			found.waitFor(e.outcomes[need.ID])
		}
	}
	return found.outcome()
}

// holdsUp tells whether a needed node is in the way. A soft need is only when it could not be read: none would
// then be a guess (I10).
func (e *evaluator) holdsUp(need graph.Need) bool {
	other := e.outcomes[need.ID]
	switch need.Kind {
	case graph.Hard:
		return !other.isSettled()
	case graph.Order:
		return !other.excluded && !other.isSettled()
	default:
		return !other.there && (other.unread || other.denied)
	}
}

func (f *findings) waitFor(other *outcome) {
	f.waits = appendNew(f.waits, other.node.ID)
	f.unread = f.unread || other.unread
}

// scope gives the variables of a node: the instance and what it refers to. What a soft need lacks is empty, so
// that optional steps give none; a hard need that is not settled is no variable.
func (e *evaluator) scope(n *graph.Node) expr.Vars {
	vars := expr.Vars{"schema": e.schema}
	for _, need := range n.Needs {
		other := e.outcomes[need.ID]
		switch {
		case need.Kind == graph.Order:
		case other.there && (need.Kind == graph.Soft || other.isSettled()):
			vars[need.ID] = e.valueOf(other)
		case need.Kind == graph.Soft:
			vars[need.ID] = emptyOf(other.node)
		}
	}
	return vars
}

func (e *evaluator) valueOf(o *outcome) any { return o.value }

func emptyOf(n *graph.Node) any {
	if n.IsCollection() {
		return []any{}
	}
	return map[string]any{}
}

// ownersOf gives the ids of the nodes with objects that a node needs, through defs and externals, which have none,
// in document order. Deletion goes by them when there is no graph.
func (e *evaluator) ownersOf(n *graph.Node) []string {
	g := e.in.Graph
	seen := map[string]bool{}
	var owners []*graph.Node
	var visit func(*graph.Node)
	visit = func(n *graph.Node) {
		for _, need := range n.Needs {
			if seen[need.ID] {
				continue
			}
			seen[need.ID] = true
			if other := g.Node(need.ID); other.Kind == graph.Template {
				owners = append(owners, other)
			} else {
				visit(other)
			}
		}
	}
	visit(n)
	slices.SortFunc(owners, func(a, b *graph.Node) int { return a.Index - b.Index })
	var out []string
	for _, owner := range owners {
		out = append(out, owner.ID)
	}
	return out
}
