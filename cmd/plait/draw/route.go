package draw

import (
	"cmp"
	"slices"
)

// spread gives the columns their places from left to right: the more edges change their height between two of them, the
// wider is the gap.
func (p *part) spread(boxWidth int) {
	x := 0
	for c, column := range p.columns {
		p.left = append(p.left, x)
		p.width = x + boxWidth
		steps := 0
		for _, v := range column {
			for _, w := range p.vertices[v].after {
				if p.vertices[v].y != p.vertices[w].y {
					steps++
				}
			}
		}
		if c+1 < len(p.columns) {
			x += boxWidth + 48 + min(3*steps, 72)
		}
	}
}

// routes gives the ways of the links.
func (p *part) routes(boxWidth int) []route {
	starts := p.starts()
	ends := p.ends(starts)
	out := make([]route, len(p.links))
	for i, l := range p.links {
		chain := p.chains[i]
		from, to := &p.vertices[chain[0]], &p.vertices[chain[len(chain)-1]]
		r := route{link: l, points: []point{{p.left[from.column] + boxWidth, starts[bundle{l.from, l.kind}]}}}
		for _, v := range chain[1 : len(chain)-1] {
			at := &p.vertices[v]
			left := p.left[at.column]
			r.points = append(r.points, point{left, at.y}, point{left + boxWidth, at.y})
		}
		r.points = append(r.points, point{p.left[to.column], ends[i]})
		for j := range r.points {
			r.points[j].x += p.x
			r.points[j].y += p.y
		}
		out[i] = r
	}
	return out
}

// starts gives the height at which each bundle leaves its card: level with its first bend where it can be.
func (p *part) starts() map[bundle]int {
	heights := map[bundle][]int{} // of what comes next
	byCard := map[int][]bundle{}
	level := map[bundle]int{}
	for i, l := range p.links {
		key, chain := bundle{l.from, l.kind}, p.chains[i]
		if heights[key] == nil {
			byCard[chain[0]] = append(byCard[chain[0]], key)
		}
		next := &p.vertices[chain[1]]
		heights[key] = append(heights[key], next.y)
		if next.isBend() {
			level[key] = next.y - p.vertices[chain[0]].y
		}
	}
	out := map[bundle]int{}
	for card, bundles := range byCard {
		slices.SortStableFunc(bundles, func(a, b bundle) int {
			return cmp.Or(cmp.Compare(mean(heights[a]), mean(heights[b])), cmp.Compare(b.kind, a.kind))
		})
		wanted := make([]int, len(bundles))
		for i, key := range bundles {
			wanted[i] = level[key]
		}
		for i, port := range ports(wanted) {
			out[bundles[i]] = p.vertices[card].y + port
		}
	}
	return out
}

// ends gives the height at which each link meets its card: level with what it comes from where it can be, and in the
// order in which the links come, so that they do not cross in front of it.
func (p *part) ends(starts map[bundle]int) []int {
	byCard := map[int][]int{}
	heights := make([]int, len(p.links)) // of what comes before
	for i, l := range p.links {
		chain := p.chains[i]
		card := chain[len(chain)-1]
		byCard[card] = append(byCard[card], i)
		heights[i] = p.vertices[chain[len(chain)-2]].y
		if len(chain) == 2 {
			heights[i] = starts[bundle{l.from, l.kind}]
		}
	}
	out := make([]int, len(p.links))
	for card, links := range byCard {
		slices.SortStableFunc(links, func(a, b int) int { return cmp.Compare(heights[a], heights[b]) })
		middle := p.vertices[card].y
		wanted := make([]int, len(links))
		for i, link := range links {
			wanted[i] = heights[link] - middle
		}
		for i, port := range ports(wanted) {
			out[links[i]] = middle + port
		}
	}
	return out
}

// ports spreads ends over the side of a card, seen from its middle. An end stands where it wants to, ascending, when that is
// near its middle; the others spread evenly.
func ports(wanted []int) []int {
	const reach, level, widest = 20, 14, 11
	gap := min(widest, 2*reach/max(1, len(wanted)-1))
	last := gap * (len(wanted) - 1)
	wishes := make([]wish, len(wanted))
	for i, y := range wanted {
		if y < -level || y > level {
			y = i*gap - last/2
		}
		wishes[i] = wish{y: y, weight: 1, offset: i * gap}
	}
	out := grant(wishes)
	for i, w := range wishes {
		out[i] = w.offset + min(max(out[i]-w.offset, -reach), reach-last)
	}
	return out
}

func mean(values []int) int {
	sum := 0
	for _, v := range values {
		sum += v
	}
	return floorDiv(sum, len(values))
}
