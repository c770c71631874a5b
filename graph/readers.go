package graph

import (
	"slices"
	"sync"

	"github.com/plait-run/plait/graph/expr"
)

// readers holds for each node what is read of its objects. It is worked out when it is first asked for.
type readers struct {
	once sync.Once
	byID map[string][]string
}

// ReadsOf gives the paths within an object of a node that any expression reads: of other nodes, of the status, and of the
// node's own readyWhen. Sorted, each once; an empty path is the whole object.
func (g *Graph) ReadsOf(id string) []string {
	g.readers.once.Do(func() {
		g.readers.byID = map[string][]string{}
		for _, n := range g.spec.Nodes {
			for _, read := range g.Reads(n.ID) {
				g.addRead(read.Name, read.Path)
			}
			for _, c := range n.ReadyWhen {
				g.addOwnReads(n, c.Program)
			}
		}
		for p := range g.statusPrograms {
			for _, ref := range p.References() {
				g.addRead(ref.Name, ref.Path)
			}
		}
		for id, paths := range g.readers.byID {
			slices.Sort(paths)
			g.readers.byID[id] = slices.Compact(paths)
		}
	})
	return g.readers.byID[id]
}

// addRead notes a path of the variable of a node. Of a list it cannot be told which item is read.
func (g *Graph) addRead(id, path string) {
	n := g.byID[id]
	if n == nil {
		return
	}
	if n.IsCollection() {
		path = ""
	}
	g.readers.byID[id] = append(g.readers.byID[id], path)
}

// addOwnReads notes what readyWhen reads: each is an object of a collection, self the object or the whole collection.
func (g *Graph) addOwnReads(n *Node, p *expr.Program) {
	for _, ref := range p.References() {
		switch {
		case ref.Name == "each" && n.IsCollection():
			g.readers.byID[n.ID] = append(g.readers.byID[n.ID], ref.Path)
		case ref.Name == "self", ref.Name == n.ID:
			g.addRead(n.ID, ref.Path)
		}
	}
}

// statusPrograms yields the expressions of projections and of the author's conditions.
func (g *Graph) statusPrograms(yield func(*expr.Program) bool) {
	if !g.spec.Status.programs(yield) {
		return
	}
	for _, c := range g.spec.Conditions {
		if !yield(c.Program) {
			return
		}
	}
}
