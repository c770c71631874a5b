package draw

import (
	"slices"
)

const roundsOneSided, roundsTwoSided = 8, 4

// align gives every vertex its height. Each vertex wants to stand level with its neighbours; a column grants that as
// far as the distances allow, with the least sum of squares of what is missing.
func (p *part) align() {
	for c := range p.columns {
		y := 0
		for i, v := range p.columns[c] {
			if i > 0 {
				y += p.distance(p.columns[c][i-1], v)
			}
			p.vertices[v].y = y
		}
	}
	for round := range roundsOneSided + roundsTwoSided {
		for i := range p.columns {
			c := i
			if round%2 == 1 {
				c = len(p.columns) - 1 - i
			}
			p.settle(c, round)
		}
	}
}

// distance is how far apart the middles of two neighbours of a column must be.
func (p *part) distance(a, b int) int {
	upper, lower := &p.vertices[a], &p.vertices[b]
	gap := bendGap
	switch {
	case !upper.isBend() && !lower.isBend():
		gap = cardGap
	case upper.isBend() && lower.isBend():
		gap = laneGap
	}
	return upper.below() + gap + lower.above()
}

// above is how far a vertex reaches up. Its middle is that of the front card of a stack.
func (v *vertex) above() int {
	if v.isBend() {
		return 0
	}
	return cardHeight / 2
}

// below is how far a vertex reaches down.
func (v *vertex) below() int {
	if v.isBend() {
		return 0
	}
	return boxHeight - cardHeight/2
}

// settle moves the vertices of a column towards what they want.
func (p *part) settle(c, round int) {
	column := p.columns[c]
	wishes := make([]wish, len(column))
	for i, v := range column {
		wishes[i] = p.wish(v, round)
		if i > 0 {
			wishes[i].offset = wishes[i-1].offset + p.distance(column[i-1], v)
		}
	}
	for i, y := range grant(wishes) {
		p.vertices[column[i]].y = y
	}
}

// The more a vertex weighs, the more it has its will. Long edges stay straight, and cards make way.
const (
	freeWeight = 1
	cardWeight = 2
	bendWeight = 8
)

// wish is the height that a vertex would like, and how much: that of its neighbours on the side that the round comes from,
// and on both sides in the last rounds. Of the neighbours of a bend other bends count first.
func (p *part) wish(v, round int) wish {
	at := &p.vertices[v]
	sides := [][]int{at.before, at.after}
	switch {
	case round >= roundsOneSided:
	case round%2 == 0:
		sides = sides[:1]
	default:
		sides = sides[1:]
	}
	sum, count, weight := 0, 0, cardWeight
	if at.isBend() {
		weight = bendWeight
	}
	for _, side := range sides {
		if bend := p.bendOf(side); at.isBend() && bend >= 0 {
			side = []int{bend}
		}
		if len(side) > 0 {
			sum += p.median(side)
			count++
		}
	}
	if count == 0 {
		return wish{y: at.y, weight: freeWeight}
	}
	return wish{y: floorDiv(sum, count), weight: weight}
}

// bendOf is the bend among the neighbours of a bend on one side, -1 without one.
func (p *part) bendOf(side []int) int {
	for _, v := range side {
		if p.vertices[v].isBend() {
			return v
		}
	}
	return -1
}

// median is the middle height of vertices, that of the two middle ones when their number is even.
func (p *part) median(vertices []int) int {
	ys := make([]int, len(vertices))
	for i, v := range vertices {
		ys[i] = p.vertices[v].y
	}
	slices.Sort(ys)
	return floorDiv(ys[(len(ys)-1)/2]+ys[len(ys)/2], 2)
}
