package draw

import (
	"cmp"
	"slices"
)

// untangle orders the columns so that few edges cross: barycentre sweeps from left to right and back, and swaps of
// neighbours, from two starts. The best order that was seen stays; the order of the document is one of them.
func (p *part) untangle() {
	patience := max(1, 400_000/(p.segments()+1))
	document := p.order()
	p.walk()
	best, bestCount := p.order(), p.crossings()
	for _, start := range [][][]int{best, document} {
		p.setOrder(start)
		count := p.crossings()
		if count < bestCount {
			best, bestCount = p.order(), count
		}
		for turn, idle := 0, 0; count > 0 && idle < 6 && turn < min(32, patience); turn++ {
			p.sweep(turn%2 == 0)
			p.swap(min(4, patience), turn%4 > 1)
			next := p.crossings()
			if next < bestCount {
				best, bestCount = p.order(), next
			}
			if idle++; next < count {
				count, idle = next, 0
			}
		}
	}
	p.setOrder(best)
}

func (p *part) segments() int {
	count := 0
	for i := range p.vertices {
		count += len(p.vertices[i].after)
	}
	return count
}

func (p *part) order() [][]int {
	out := make([][]int, len(p.columns))
	for i, column := range p.columns {
		out[i] = slices.Clone(column)
	}
	return out
}

func (p *part) setOrder(columns [][]int) {
	for c, column := range columns {
		copy(p.columns[c], column)
		p.number(c)
	}
}

// number writes the places of a column into its vertices.
func (p *part) number(column int) {
	for i, v := range p.columns[column] {
		p.vertices[v].place = i
	}
}

// walk orders the columns as a walk through the graph in depth comes to the vertices, so that trees do not cross.
func (p *part) walk() {
	seen := make([]bool, len(p.vertices))
	next := make([][]int, len(p.columns))
	var stack []int
	for i := range p.vertices {
		stack = append(stack, i)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			at := &p.vertices[v]
			next[at.column] = append(next[at.column], v)
			for _, w := range slices.Backward(slices.Concat(at.before, p.aroundBends(at.after))) {
				if !seen[w] {
					stack = append(stack, w)
				}
			}
		}
	}
	p.setOrder(next)
}

// aroundBends moves the bends of a side into its middle, where a long edge leaves room for its cards above and below.
func (p *part) aroundBends(side []int) []int {
	var bends, cards []int
	for _, v := range side {
		if p.vertices[v].isBend() {
			bends = append(bends, v)
		} else {
			cards = append(cards, v)
		}
	}
	half := len(cards) / 2
	return slices.Concat(cards[:half], bends, cards[half:])
}

// sweep sorts each column by the mean place of the neighbours in the column before it, or after it on the way back.
func (p *part) sweep(forward bool) {
	for i := range p.columns {
		c := i
		if !forward {
			c = len(p.columns) - 1 - i
		}
		p.sortColumn(c, forward)
	}
}

func (p *part) sortColumn(c int, forward bool) {
	column := p.columns[c]
	means := make([]int, len(column)) // by place
	for i, v := range column {
		side := p.vertices[v].after
		if forward {
			side = p.vertices[v].before
		}
		means[i] = i * meanScale
		if len(side) > 0 {
			sum := 0
			for _, w := range side {
				sum += p.vertices[w].place
			}
			means[i] = sum * meanScale / len(side)
		}
	}
	slices.SortStableFunc(column, func(a, b int) int {
		return cmp.Compare(means[p.vertices[a].place], means[p.vertices[b].place])
	})
	p.number(c)
}

// meanScale keeps the fractions of means in whole numbers.
const meanScale = 1 << 10

// swap exchanges neighbours of a column while that makes crossings fewer, at most that many rounds. In a restless
// first round those that do not matter change places too, which lets a later sweep leave a local minimum.
func (p *part) swap(rounds int, restless bool) {
	for round := range rounds {
		better := false
		for c := range p.columns {
			if p.swapColumn(c, restless && round == 0) {
				better = true
			}
		}
		if !better {
			return
		}
	}
}

func (p *part) swapColumn(c int, restless bool) (better bool) {
	column := p.columns[c]
	ends := make([][2][]int, len(column)) // places of the neighbours on both sides
	var room []int                        // for all of them
	for i, v := range column {
		for side, vertices := range [2][]int{p.vertices[v].before, p.vertices[v].after} {
			room = p.appendPlaces(room, vertices)
			ends[i][side] = room[len(room)-len(vertices):]
		}
	}
	for i := 0; i+1 < len(column); i++ {
		now := inversions(ends[i][0], ends[i+1][0]) + inversions(ends[i][1], ends[i+1][1])
		then := inversions(ends[i+1][0], ends[i][0]) + inversions(ends[i+1][1], ends[i][1])
		if now > then || restless && now == then {
			column[i], column[i+1] = column[i+1], column[i]
			ends[i], ends[i+1] = ends[i+1], ends[i]
			better = better || now > then
		}
	}
	p.number(c)
	return better
}

// inversions counts the crossings of the edges of two neighbours, of which the upper one stands first. Both are
// ascending places.
func inversions(upper, lower []int) int {
	count, i := 0, 0
	for _, place := range upper {
		for i < len(lower) && lower[i] < place {
			i++
		}
		count += i
	}
	return count
}

// appendPlaces adds the places of vertices, ascending.
func (p *part) appendPlaces(to, vertices []int) []int {
	for _, v := range vertices {
		to = append(to, p.vertices[v].place)
	}
	if len(vertices) > 1 {
		slices.Sort(to[len(to)-len(vertices):])
	}
	return to
}

// crossings counts the pairs of edges that cross.
func (p *part) crossings() int {
	count := 0
	for c := range p.columns {
		if c+1 < len(p.columns) {
			count += p.crossingsAfter(c)
		}
	}
	return count
}

// crossingsAfter counts between a column and the next one: each edge crosses those from above it that end below it.
func (p *part) crossingsAfter(c int) int {
	tree := make([]int, len(p.columns[c+1])+1) // a Fenwick tree: how many edges end at each place
	count, seen := 0, 0
	var ends []int
	for _, v := range p.columns[c] {
		ends = p.appendPlaces(ends[:0], p.vertices[v].after)
		for _, end := range ends {
			upTo := 0
			for i := end + 1; i > 0; i -= i & -i {
				upTo += tree[i]
			}
			count += seen - upTo
		}
		for _, end := range ends {
			for i := end + 1; i < len(tree); i += i & -i {
				tree[i]++
			}
		}
		seen += len(ends)
	}
	return count
}
