package draw

import (
	"github.com/plait-run/plait/graph"
)

// link is an edge in the direction in which values go: from what is needed to what needs it.
type link struct {
	from, to int // indices of nodes
	kind     graph.NeedKind
	path     string // of the field that makes it, within the node that needs
}

// linksOf gives the edges of a graph by the node that needs, in document order. Needs of nodes that are not there
// are left out.
func linksOf(g *graph.Graph) []link {
	index := make(map[string]int, len(g.Nodes()))
	for i, n := range g.Nodes() {
		index[n.ID] = i
	}
	var out []link
	for i, n := range g.Nodes() {
		for _, need := range n.Needs {
			if from, ok := index[need.ID]; ok && from != i {
				out = append(out, link{from: from, to: i, kind: need.Kind, path: clean(need.Path)})
			}
		}
	}
	return out
}
