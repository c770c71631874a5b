package draw

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/plait-run/plait/graph"
)

// anyLinks draws links without cycles between n nodes, of which any may stand first in the document.
func anyLinks(t *rapid.T, n int) []link {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	order = rapid.Permutation(order).Draw(t, "order")
	seen := map[[2]int]bool{}
	var out []link
	for range rapid.IntRange(0, 3*n).Draw(t, "links") {
		a := rapid.IntRange(0, n-1).Draw(t, "a")
		b := rapid.IntRange(0, n-1).Draw(t, "b")
		if a, b = min(a, b), max(a, b); a == b || seen[[2]int{a, b}] {
			continue
		}
		seen[[2]int{a, b}] = true
		kind := rapid.SampledFrom([]graph.NeedKind{graph.Hard, graph.Soft, graph.Order}).Draw(t, "kind")
		out = append(out, link{from: order[a], to: order[b], kind: kind})
	}
	return out
}

func TestLayoutHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		links := anyLinks(t, n)
		l := newLayout(n, 180, links)
		for _, problem := range problemsOf(l, len(links)) {
			t.Error(problem)
		}
	})
}

// Shapes that a random graph seldom has.
func TestLayoutOfShapes(t *testing.T) {
	star, chain, both := make([]link, 299), make([]link, 299), []link{}
	for i := range 299 {
		star[i] = link{from: 0, to: i + 1}
		chain[i] = link{from: i, to: i + 1}
	}
	for i := range 20 {
		for j := range 20 {
			both = append(both, link{from: i, to: 20 + j, kind: graph.NeedKind(j % 3)})
		}
	}
	for name, links := range map[string][]link{"star": star, "chain": chain, "complete": both, "none": nil} {
		l := newLayout(300, 180, links)
		for _, problem := range problemsOf(l, len(links)) {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

// problemsOf finds what a reader would find wrong with a picture.
func problemsOf(l *layout, links int) []string {
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for i, a := range l.boxes {
		if a.x < 0 || a.y < 0 || a.x+l.boxWidth() > l.width || a.y+boxHeight > l.height {
			bad("box %d %v is outside of %d x %d", i, a, l.width, l.height)
		}
		for j, b := range l.boxes[:i] {
			if abs(a.x-b.x) < l.boxWidth() && abs(a.y-b.y) < boxHeight {
				bad("boxes %d %v and %d %v overlap", j, b, i, a)
			}
		}
	}
	if len(l.routes) != links {
		bad("%d routes for %d links", len(l.routes), links)
	}
	if len(l.turns) != len(l.boxes) {
		bad("%d turns for %d boxes", len(l.turns), len(l.boxes))
	}
	for i := range l.routes {
		out = append(out, problemsOfRoute(l, &l.routes[i])...)
	}
	return out
}

func problemsOfRoute(l *layout, r *route) []string {
	var out []string
	bad := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("route %d → %d %v ", r.from, r.to, r.points)+fmt.Sprintf(format, args...))
	}
	from, to, first, last := l.boxes[r.from], l.boxes[r.to], r.points[0], r.points[len(r.points)-1]
	if first.x != from.x+l.boxWidth() || first.y <= from.y || first.y >= from.y+cardHeight {
		bad("does not start at the side of %v", from)
	}
	if last.x != to.x || last.y <= to.y || last.y >= to.y+cardHeight {
		bad("does not end at the side of %v", to)
	}
	for i := 0; i+1 < len(r.points); i++ {
		a, b := r.points[i], r.points[i+1]
		if b.x <= a.x {
			bad("does not go to the right at point %d", i)
		}
		if i%2 == 1 && a.y != b.y {
			bad("is not level in the column at point %d", i)
		}
		for j, box := range l.boxes { // a curve stays between the heights of its ends
			if a.x < box.x+l.boxWidth() && b.x > box.x && max(a.y, b.y) > box.y && min(a.y, b.y) < box.y+boxHeight {
				bad("runs over box %d %v", j, box)
			}
		}
	}
	return out
}

func abs(a int) int { return max(a, -a) }
