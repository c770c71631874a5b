package draw

import (
	"math"
)

// straighten takes small steps out: what only leads on to each other gets one height where there is room.
func (p *part) straighten() {
	done := make([]bool, len(p.vertices))
	for _, column := range p.columns {
		for _, v := range column {
			for line := p.line(v, done); len(line) > 1; {
				line = line[p.level(line, done):]
			}
		}
	}
	p.toTop()
}

// line follows a vertex to the right for as long as each has one way on and is the only way to it, or both are bends.
func (p *part) line(v int, done []bool) []int {
	var out []int
	for v >= 0 && !done[v] {
		out = append(out, v)
		v = p.next(v)
	}
	return out
}

// next is what comes after a vertex on its line, -1 at the end of it.
func (p *part) next(v int) int {
	at := &p.vertices[v]
	for _, w := range at.after {
		if at.isBend() && p.vertices[w].isBend() || len(at.after) == 1 && len(p.vertices[w].before) == 1 {
			return w
		}
	}
	return -1
}

// level gives the head of a line one height, as much of it as has room for that, and tells how much it was.
func (p *part) level(line []int, done []bool) int {
	low, high := math.MinInt, math.MaxInt
	length, sum := 0, 0
	for _, v := range line {
		l, h := p.room(v)
		if max(l, low) > min(h, high) {
			break
		}
		low, high = max(l, low), min(h, high)
		length++
		sum += p.vertices[v].y
	}
	y := min(max(floorDiv(sum, length), low), high)
	for _, v := range line[:length] {
		p.vertices[v].y = y
		done[v] = true
	}
	return length
}

// room is how far a vertex can move between its neighbours in the column.
func (p *part) room(v int) (low, high int) {
	at := &p.vertices[v]
	column := p.columns[at.column]
	low, high = math.MinInt, math.MaxInt
	if at.place > 0 {
		above := column[at.place-1]
		low = p.vertices[above].y + p.distance(above, v)
	}
	if at.place+1 < len(column) {
		below := column[at.place+1]
		high = p.vertices[below].y - p.distance(v, below)
	}
	return low, high
}

// toTop moves everything so that the highest vertex touches 0, and measures the height.
func (p *part) toTop() {
	top, bottom := math.MaxInt, math.MinInt
	for i := range p.vertices {
		v := &p.vertices[i]
		top, bottom = min(top, v.y-v.above()), max(bottom, v.y+v.below())
	}
	for i := range p.vertices {
		p.vertices[i].y -= top
	}
	p.height = bottom - top
}
