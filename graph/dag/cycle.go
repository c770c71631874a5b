package dag

import (
	"slices"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// findCycles gives one cycle for each strongly connected component, by the component's first node. A cycle
// starts there, each node needs the next one, and the last needs the first. Among the shortest it is the one
// whose steps take the first possible node.
func findCycles(needs [][]int) [][]int {
	g := simple.NewDirectedGraph()
	for node := range needs {
		g.AddNode(simple.Node(node))
	}
	for node, ns := range needs {
		for _, need := range ns {
			if need != node { // gonum's simple graphs have no loops
				g.SetEdge(simple.Edge{F: simple.Node(node), T: simple.Node(need)})
			}
		}
	}
	var cycles [][]int
	for _, component := range topo.TarjanSCC(g) {
		members := make(map[int]bool, len(component))
		first := len(needs)
		for _, node := range component {
			members[int(node.ID())] = true
			first = min(first, int(node.ID()))
		}
		if cycle := shortestCycle(first, members, needs); cycle != nil {
			cycles = append(cycles, cycle)
		}
	}
	slices.SortFunc(cycles, slices.Compare)
	return cycles
}

// shortestCycle searches breadth first from a node back to it, within its component; nil when there is no
// way, which is so for a component of one node without a loop.
func shortestCycle(first int, members map[int]bool, needs [][]int) []int {
	from := map[int]int{}
	queue := []int{first}
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		for _, need := range needs[node] {
			if need == first {
				return pathTo(node, first, from)
			}
			if _, seen := from[need]; !seen && members[need] {
				from[need] = node
				queue = append(queue, need)
			}
		}
	}
	return nil
}

func pathTo(last, first int, from map[int]int) []int {
	path := []int{last}
	for node := last; node != first; {
		node = from[node]
		path = append(path, node)
	}
	slices.Reverse(path)
	return path
}
