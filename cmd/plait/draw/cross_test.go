package draw

import (
	"testing"

	"pgregory.net/rapid"
)

// naive counts crossings by looking at each pair of edges.
func naive(p *part) int {
	type segment struct{ column, from, to int }
	var all []segment
	for i := range p.vertices {
		for _, w := range p.vertices[i].after {
			all = append(all, segment{p.vertices[i].column, p.vertices[i].place, p.vertices[w].place})
		}
	}
	count := 0
	for i, a := range all {
		for _, b := range all[:i] {
			if a.column == b.column && (a.from-b.from)*(a.to-b.to) < 0 {
				count++
			}
		}
	}
	return count
}

func TestUntangleNeverTangles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		for _, c := range components(n, anyLinks(t, n)) {
			p := newPart(c)
			before := naive(p)
			if got := p.crossings(); got != before {
				t.Fatalf("crossings() is %d, counted are %d", got, before)
			}
			p.untangle()
			after := naive(p)
			if got := p.crossings(); got != after {
				t.Fatalf("crossings() is %d after untangling, counted are %d", got, after)
			}
			if after > before {
				t.Fatalf("%d crossings in the order of the document became %d", before, after)
			}
		}
	})
}

func TestUntangle(t *testing.T) {
	var tree, pairs, grid []link
	for i := range 39 {
		tree = append(tree, link{from: i / 3, to: i + 1})
	}
	for i := range 8 {
		pairs = append(pairs, link{from: 15 - i, to: 16 + i*3%8}, link{from: i, to: 8 + i})
	}
	for i := range 7 {
		grid = append(grid, link{from: i, to: 8 + i}, link{from: i, to: 8 + (i+1)%8})
	}
	tests := []struct {
		name  string
		n     int
		links []link
		most  int
	}{
		{"tree", 40, tree, 0},
		{"chains", 24, pairs, 0},
		{"zigzag", 16, grid, 0},
		{"every kind of node", len(small().Nodes()), linksOf(small()), 0},
		{"platform", len(platform().Nodes()), linksOf(platform()), 14},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := 0
			for _, c := range components(test.n, test.links) {
				p := newPart(c)
				p.untangle()
				got += p.crossings()
			}
			if got > test.most {
				t.Errorf("%d crossings are left, want at most %d", got, test.most)
			}
		})
	}
}
