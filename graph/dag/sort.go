package dag

import (
	"container/heap"
	"slices"
)

// Edge says that a node needs another one to come first.
type Edge struct {
	From  int
	Needs int
}

// Result is what Sort finds. Either Cycles is empty, or Order and Layers are.
type Result struct {
	Order  []int   // all nodes, always the first one in index order whose needs are met
	Layers [][]int // layer 0 needs nothing; every other node is one layer above the highest that it needs
	Cycles [][]int // of each group of nodes that need each other one shortest cycle, see findCycles
}

// Sort orders the nodes 0 … n-1. Edges may stand several times; an edge from a node to itself is a cycle.
// Edges with an end outside the range are ignored.
func Sort(n int, edges []Edge) Result {
	needs := adjacency(n, edges)
	order, layer := order(n, needs)
	if len(order) < n {
		return Result{Cycles: findCycles(needs)}
	}
	var layers [][]int
	for node, at := range layer {
		for at >= len(layers) {
			layers = append(layers, nil)
		}
		layers[at] = append(layers[at], node)
	}
	return Result{Order: order, Layers: layers}
}

// adjacency gives for each node what it needs, ascending, each once.
func adjacency(n int, edges []Edge) [][]int {
	needs := make([][]int, n)
	for _, e := range edges {
		if 0 <= e.From && e.From < n && 0 <= e.Needs && e.Needs < n {
			needs[e.From] = append(needs[e.From], e.Needs)
		}
	}
	for i := range needs {
		slices.Sort(needs[i])
		needs[i] = slices.Compact(needs[i])
	}
	return needs
}

// order is Kahn's algorithm with a heap. Nodes on or behind a cycle are missing in the result.
func order(n int, needs [][]int) (order, layer []int) {
	dependents := make([][]int, n)
	open := make([]int, n) // needs that are not met
	layer = make([]int, n)
	ready := &indices{}
	for node, ns := range needs {
		open[node] = len(ns)
		if len(ns) == 0 {
			*ready = append(*ready, node) // ascending, so a heap already
		}
		for _, need := range ns {
			dependents[need] = append(dependents[need], node)
		}
	}
	order = make([]int, 0, n)
	for ready.Len() > 0 {
		node, _ := heap.Pop(ready).(int)
		order = append(order, node)
		for _, dependent := range dependents[node] {
			layer[dependent] = max(layer[dependent], layer[node]+1)
			if open[dependent]--; open[dependent] == 0 {
				heap.Push(ready, dependent)
			}
		}
	}
	return order, layer
}

// indices is a heap of node indices.
type indices []int

func (h indices) Len() int           { return len(h) }
func (h indices) Less(i, j int) bool { return h[i] < h[j] }
func (h indices) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push is for container/heap.
func (h *indices) Push(x any) {
	if i, ok := x.(int); ok {
		*h = append(*h, i)
	}
}

// Pop is for container/heap.
func (h *indices) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
