package compile

import (
	"fmt"
	"strings"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/dag"
	"github.com/plait-run/plait/graph/diag"
)

// orderNodes sorts the nodes, and reports nodes that need each other.
func orderNodes(s *state) {
	var edges []dag.Edge
	for _, n := range s.nodes {
		for _, need := range n.out.Needs {
			edges = append(edges, dag.Edge{From: n.out.Index, Needs: s.byID[need.ID].out.Index})
		}
	}
	sorted := dag.Sort(len(s.nodes), edges)
	s.order, s.layers = sorted.Order, sorted.Layers
	for _, cycle := range sorted.Cycles {
		s.reportCycle(cycle)
	}
}

// reportCycle prints a cycle as a path from its first member, with the field that makes each step.
func (s *state) reportCycle(cycle []int) {
	var b strings.Builder
	for i, member := range cycle {
		n := s.nodes[member]
		next := s.nodes[cycle[(i+1)%len(cycle)]]
		fmt.Fprintf(&b, "%s (%s) → ", n.out.ID, needOf(n, next).Path)
	}
	first := s.nodes[cycle[0]]
	b.WriteString(first.out.ID)
	summary := "resources need each other: "
	if len(cycle) == 1 {
		summary = "a resource needs itself: "
	}
	need := needOf(first, s.nodes[cycle[1%len(cycle)]])
	s.reportAt(diag.GraphCycle, s.placeOfField(first, need.Path), summary+b.String(), "Take one of these references out.")
}

func needOf(n, other *node) graph.Need {
	for _, need := range n.out.Needs {
		if need.ID == other.out.ID {
			return need
		}
	}
	return graph.Need{}
}

// placeOfField finds a field of a node in the document.
func (s *state) placeOfField(n *node, field string) place {
	for _, t := range n.texts {
		if t.field == field {
			return t.place()
		}
	}
	for _, v := range n.src.DependsOn {
		if strings.HasSuffix(v.Path, "."+field) {
			return place{v.Path, v.Position}
		}
	}
	return place{n.src.Path, n.src.Position}
}
