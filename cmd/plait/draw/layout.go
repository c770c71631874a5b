package draw

// Sizes in pixels.
const (
	cardHeight = 62
	stackShift = 4 // by which a card of a stack lies behind the one before it
	stackDepth = 2 // cards behind the first
	boxHeight  = cardHeight + stackShift*stackDepth
	cardGap    = 18 // between two cards of a column
	bendGap    = 14 // between a card and an edge that passes it
	laneGap    = 9  // between two edges that pass
	partGap    = 34 // between two parts of the picture
)

// box is where a card stands: its left upper corner. All boxes of a layout are of one size, which has room for a
// stack.
type box struct{ x, y int }

type point struct{ x, y int }

// route is the way of a link: from the right side of a box to the left side of another one. Between the second point
// and the third, the fourth and the fifth, … it runs level through a column.
type route struct {
	link
	points []point
}

// layout is a graph with places. Coordinates start at 0, 0.
type layout struct {
	cardWidth     int
	width, height int
	boxes         []box // of each node
	routes        []route
	turns         []int // the nodes as one reads them: part by part, column by column, from the top
}

func (l *layout) boxWidth() int { return l.cardWidth + stackShift*stackDepth }

// newLayout places n cards of a width and routes the links, which must not form cycles.
func newLayout(n, cardWidth int, links []link) *layout {
	out := &layout{cardWidth: cardWidth, boxes: make([]box, n)}
	var parts []*part
	for _, c := range components(n, links) {
		p := newPart(c)
		p.untangle()
		p.align()
		p.straighten()
		p.spread(out.boxWidth())
		parts = append(parts, p)
	}
	pack(parts)
	for _, p := range parts {
		out.add(p)
	}
	return out
}

// add takes the places of a part over.
func (l *layout) add(p *part) {
	for c, column := range p.columns {
		for _, v := range column {
			if node := p.vertices[v].node; node >= 0 {
				l.boxes[node] = box{x: p.x + p.left[c], y: p.y + p.vertices[v].y - cardHeight/2}
				l.turns = append(l.turns, node)
			}
		}
	}
	l.routes = append(l.routes, p.routes(l.boxWidth())...)
	l.width, l.height = max(l.width, p.x+p.width), max(l.height, p.y+p.height)
}
