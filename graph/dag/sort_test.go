package dag

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSort(t *testing.T) {
	for name, tc := range map[string]struct {
		n     int
		edges []Edge
		want  Result
	}{
		"nothing":                  {0, nil, Result{Order: []int{}}},
		"independent":              {3, nil, Result{Order: []int{0, 1, 2}, Layers: [][]int{{0, 1, 2}}}},
		"chain, written backwards": {3, []Edge{{0, 1}, {1, 2}}, Result{Order: []int{2, 1, 0}, Layers: [][]int{{2}, {1}, {0}}}},
		"first ready node first":   {4, []Edge{{0, 3}, {1, 2}}, Result{Order: []int{2, 1, 3, 0}, Layers: [][]int{{2, 3}, {0, 1}}}},
		"diamond, doubled edges":   {4, []Edge{{3, 1}, {3, 2}, {1, 0}, {2, 0}, {3, 1}}, Result{Order: []int{0, 1, 2, 3}, Layers: [][]int{{0}, {1, 2}, {3}}}},
		"layer by longest path":    {3, []Edge{{1, 0}, {2, 0}, {2, 1}}, Result{Order: []int{0, 1, 2}, Layers: [][]int{{0}, {1}, {2}}}},
		"edges to nowhere":         {1, []Edge{{0, 1}, {-1, 0}, {7, 0}}, Result{Order: []int{0}, Layers: [][]int{{0}}}},
		"loop":                     {2, []Edge{{1, 1}}, Result{Cycles: [][]int{{1}}}},
		"cycle and what needs it":  {4, []Edge{{1, 2}, {2, 1}, {3, 1}}, Result{Cycles: [][]int{{1, 2}}}},
		"one cycle a component":    {5, []Edge{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {3, 4}, {4, 3}, {2, 3}}, Result{Cycles: [][]int{{0, 1}, {3, 4}}}},
		"the shortest way back":    {4, []Edge{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 0}}, Result{Cycles: [][]int{{0, 3}}}},
		"first of the shortest":    {4, []Edge{{0, 2}, {2, 3}, {0, 1}, {1, 3}, {3, 0}}, Result{Cycles: [][]int{{0, 1, 3}}}},
		"loop of a later member":   {2, []Edge{{0, 1}, {1, 0}, {1, 1}}, Result{Cycles: [][]int{{0, 1}}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Sort(tc.n, tc.edges)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// naive is Sort as one would write it down: again and again the first node whose needs are all placed.
func naive(n int, edges []Edge) (order []int, layers [][]int) {
	layer := map[int]int{}
	for range n {
		for node := range n {
			at, isReady := 0, true
			for _, e := range edges {
				if e.From != node {
					continue
				}
				below, placed := layer[e.Needs]
				isReady = isReady && placed
				at = max(at, below+1)
			}
			if _, placed := layer[node]; placed || !isReady {
				continue
			}
			layer[node] = at
			order = append(order, node)
			break
		}
	}
	for at := 0; len(order) == n && at < n; at++ {
		var members []int
		for node := range n {
			if layer[node] == at {
				members = append(members, node)
			}
		}
		if members != nil {
			layers = append(layers, members)
		}
	}
	return order, layers
}

func TestSortIsItsNaiveTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		node := rapid.IntRange(0, n-1)
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Edge {
			return Edge{From: node.Draw(t, "from"), Needs: node.Draw(t, "needs")}
		}), 0, 14).Draw(t, "edges")
		checkSort(t, n, edges)
	})
}

// FuzzSort takes each two bytes of a text for an edge between 16 nodes at most.
func FuzzSort(f *testing.F) {
	for _, seed := range []string{"", "\x00\x01\x01\x02", "\x00\x01\x01\x00", "\x02\x02\x04\x03", "\x0f\x00\x0e\x0f\x00\x0e"} {
		f.Add(uint8(16), []byte(seed))
	}
	f.Fuzz(func(t *testing.T, nodes uint8, pairs []byte) {
		n := int(nodes%16) + 1
		var edges []Edge
		for i := 0; i+1 < min(len(pairs), 200); i += 2 {
			edges = append(edges, Edge{From: int(pairs[i]) % n, Needs: int(pairs[i+1]) % n})
		}
		checkSort(t, n, edges)
	})
}

// checkSort holds Sort against its naive twin; it reverses the edges.
func checkSort(t rapid.TB, n int, edges []Edge) {
	t.Helper()
	got := Sort(n, edges)
	order, layers := naive(n, edges)
	if len(order) < n {
		checkCycles(t, n, got, edges)
	} else if diff := cmp.Diff(Result{Order: order, Layers: layers}, got); diff != "" {
		t.Fatal(diff)
	}
	slices.Reverse(edges)
	if diff := cmp.Diff(got, Sort(n, edges)); diff != "" {
		t.Fatal("the order of the edges matters:", diff)
	}
}

// reaches tells for each pair of nodes whether the first needs the second, over other nodes too.
func reaches(n int, edges []Edge) [][]bool {
	out := make([][]bool, n)
	for i := range out {
		out[i] = make([]bool, n)
	}
	for _, e := range edges {
		out[e.From][e.Needs] = true
	}
	for via := range n {
		for from := range n {
			for to := range n {
				out[from][to] = out[from][to] || out[from][via] && out[via][to]
			}
		}
	}
	return out
}

// components counts the groups of nodes that need each other.
func components(n int, edges []Edge) int {
	reach, count := reaches(n, edges), 0
	for node := range n {
		isFirst := reach[node][node]
		for before := range node {
			isFirst = isFirst && (!reach[node][before] || !reach[before][node])
		}
		if isFirst {
			count++
		}
	}
	return count
}

func checkCycles(t rapid.TB, n int, got Result, edges []Edge) {
	t.Helper()
	if want := components(n, edges); len(got.Cycles) != want {
		t.Fatalf("%d cycles, want one for each of %d components", len(got.Cycles), want)
	}
	if len(got.Cycles) == 0 || got.Order != nil || got.Layers != nil {
		t.Fatalf("a cycle was missed: %v", got)
	}
	seen := map[int]bool{}
	for _, cycle := range got.Cycles {
		for i, node := range cycle {
			if !slices.Contains(edges, Edge{From: node, Needs: cycle[(i+1)%len(cycle)]}) {
				t.Fatalf("%v has a step without an edge", cycle)
			}
			if seen[node] || node < cycle[0] {
				t.Fatalf("%v: node %d is in two cycles, or before the first", got.Cycles, node)
			}
			seen[node] = true
		}
	}
}

// layered is width nodes in each of depth layers, each needing all of the layer before.
func layered(width, depth int) (n int, edges []Edge) {
	for layer := 1; layer < depth; layer++ {
		for i := range width {
			for j := range width {
				edges = append(edges, Edge{From: layer*width + i, Needs: (layer-1)*width + j})
			}
		}
	}
	return width * depth, edges
}

func BenchmarkSort(b *testing.B) {
	for name, shape := range map[string][2]int{"diamond 20x20": {20, 20}, "chain of 2000": {1, 2000}, "2000 in pairs": {2, 1000}} {
		b.Run(name, func(b *testing.B) {
			n, edges := layered(shape[0], shape[1])
			b.ReportAllocs()
			for b.Loop() {
				Sort(n, edges)
			}
		})
	}
}

func BenchmarkCycleOf2000(b *testing.B) {
	n, edges := layered(1, 2000)
	edges = append(edges, Edge{From: 0, Needs: 1999})
	b.ReportAllocs()
	for b.Loop() {
		Sort(n, edges)
	}
}
