package draw

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// placed gives the only part of links with heights.
func placed(n int, links []link) *part {
	p := newPart(components(n, links)[0])
	p.untangle()
	p.align()
	p.straighten()
	return p
}

// heights gives the middle of each node.
func heights(p *part, n int) []int {
	out := make([]int, n)
	for _, v := range p.vertices {
		if !v.isBend() {
			out[v.node] = v.y
		}
	}
	return out
}

func TestHeights(t *testing.T) {
	const middle, step = cardHeight / 2, boxHeight + cardGap
	tests := []struct {
		name  string
		n     int
		links []link
		want  []int
	}{
		{"a chain is level", 3, []link{{from: 0, to: 1}, {from: 1, to: 2}}, []int{middle, middle, middle}},
		{
			"a card stands in the middle of those that need it", 4,
			[]link{{from: 0, to: 1}, {from: 0, to: 2}, {from: 0, to: 3}},
			[]int{middle + step, middle, middle + step, middle + 2*step},
		},
		{
			"and in the middle of those that it needs", 3,
			[]link{{from: 0, to: 2}, {from: 1, to: 2}},
			[]int{middle, middle + step, middle + step/2},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, heights(placed(test.n, test.links), test.n)); diff != "" {
				t.Errorf("heights (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLongEdgesAreStraight(t *testing.T) {
	links := []link{{from: 0, to: 5}}
	for i := range 5 {
		links = append(links, link{from: i, to: i + 1})
	}
	p := placed(6, links)
	chain := p.chains[0]
	for _, v := range chain[1 : len(chain)-1] {
		if got, want := p.vertices[v].y, p.vertices[chain[1]].y; got != want {
			t.Errorf("in column %d the edge is at %d, before at %d", p.vertices[v].column, got, want)
		}
	}
}
