package draw

import (
	"math"
)

// pack puts the parts beside and below each other, each where it reaches least far down, in a picture that is
// somewhat wider than high.
func pack(parts []*part) {
	area, width := 0, 0
	for _, p := range parts {
		area += (p.width + partGap) * (p.height + partGap)
		width = max(width, p.width)
	}
	width = max(width, int(math.Sqrt(float64(area)*1.7)))
	line := skyline{{0, width + partGap, 0}}
	for _, p := range parts {
		p.x, p.y = line.find(p.width + partGap)
		line = line.cover(step{p.x, p.x + p.width + partGap, p.y + p.height + partGap})
	}
}

// skyline says how far down each strip of the picture is filled, from left to right and without gaps.
type skyline []step

type step struct{ from, to, depth int }

// find is the place for something of a width that is highest, and of such places the leftmost.
func (s skyline) find(width int) (x, y int) {
	y = math.MaxInt
	for i, start := range s {
		if start.from+width > s[len(s)-1].to {
			break
		}
		depth := 0
		for _, st := range s[i:] {
			if st.from >= start.from+width {
				break
			}
			depth = max(depth, st.depth)
		}
		if depth < y {
			x, y = start.from, depth
		}
	}
	return x, y
}

// cover gives the skyline after something was put below it.
func (s skyline) cover(c step) skyline {
	var out skyline
	for _, st := range s {
		if st.from < c.from {
			out = append(out, step{st.from, min(st.to, c.from), st.depth})
		}
		if st.from <= c.from && c.from < st.to {
			out = append(out, c)
		}
		if st.to > c.to {
			out = append(out, step{max(st.from, c.to), st.to, st.depth})
		}
	}
	return out
}
