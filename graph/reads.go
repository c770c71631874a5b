package graph

import (
	"cmp"
	"slices"
	"sync"

	"github.com/plait-run/plait/graph/expr"
)

// Read is one value that the expressions of a node take from the instance or another node.
type Read struct {
	Name string // `schema`, or the id of a node
	Path string // status.endpoint; empty for all of it
}

// reads holds for each node what it reads. It is worked out when it is first asked for.
type reads struct {
	once sync.Once
	byID map[string][]Read
}

// Reads gives what a node reads of the instance and of other nodes, sorted, each value once. What readyWhen reads of
// the node itself is left out.
func (g *Graph) Reads(id string) []Read {
	g.reads.once.Do(func() {
		g.reads.byID = make(map[string][]Read, len(g.spec.Nodes))
		for _, n := range g.spec.Nodes {
			g.reads.byID[n.ID] = g.readsOf(n)
		}
	})
	return g.reads.byID[id]
}

func (g *Graph) readsOf(n *Node) []Read {
	var out []Read
	for p := range n.programs {
		for _, ref := range p.References() {
			if ref.Name == "schema" || ref.Name != n.ID && g.byID[ref.Name] != nil {
				out = append(out, Read{Name: ref.Name, Path: ref.Path})
			}
		}
	}
	slices.SortFunc(out, func(a, b Read) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path)) })
	return slices.Compact(out)
}

// programs yields every expression of the node.
func (n *Node) programs(yield func(*expr.Program) bool) {
	for _, conditions := range [][]*Condition{n.IncludeWhen, n.ReadyWhen} {
		for _, c := range conditions {
			if !yield(c.Program) {
				return
			}
		}
	}
	for _, it := range n.ForEach {
		if !yield(it.Program) {
			return
		}
	}
	bodies := []*Body{n.Body}
	if n.External != nil {
		bodies = append(bodies, n.External.Name, n.External.Namespace, n.External.Selector)
	}
	for _, b := range bodies {
		if !b.programs(yield) {
			return
		}
	}
}

// programs yields every expression of a tree, and tells whether there may be more.
func (b *Body) programs(yield func(*expr.Program) bool) bool {
	if b == nil {
		return true
	}
	if b.Program != nil {
		return yield(b.Program)
	}
	for _, f := range b.Fields {
		if f.KeyProgram != nil && !yield(f.KeyProgram) || !f.Value.programs(yield) {
			return false
		}
	}
	for _, item := range b.Items {
		if !item.programs(yield) {
			return false
		}
	}
	return true
}
