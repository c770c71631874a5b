package draw

import (
	"cmp"
	"slices"
)

// component is a set of nodes that links connect.
type component struct {
	nodes []int // ascending
	links []link
}

// components cuts a graph into connected parts, the largest first, then by their first node.
func components(n int, links []link) []component {
	parent := make([]int, n)
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, l := range links {
		a, b := root(l.from), root(l.to)
		parent[max(a, b)] = min(a, b) // so the root is the first node
	}
	out := make([]component, n)
	for i := range n {
		r := root(i)
		out[r].nodes = append(out[r].nodes, i)
	}
	for _, l := range links {
		r := root(l.from)
		out[r].links = append(out[r].links, l)
	}
	out = slices.DeleteFunc(out, func(c component) bool { return len(c.nodes) == 0 })
	slices.SortStableFunc(out, func(a, b component) int { return cmp.Compare(len(b.nodes), len(a.nodes)) })
	return out
}
