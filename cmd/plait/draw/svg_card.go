package draw

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/plait-run/plait/graph"
)

const (
	leastCardWidth, mostCardWidth = 140, 220
	cut                           = 14 // of the corners of an external
)

// The widest that a character usually is, in tenths of a pixel, in the line with the id, the kind, and the rest.
var charWidths = [3]int{84, 72, 63}

// cardWidth is a width in which the texts of most cards have room; the others are shortened.
func cardWidth(cards []card) int {
	width := leastCardWidth
	for _, c := range cards {
		for i, line := range []string{c.id, c.what, strings.Join(c.notes, " · ")} {
			width = max(width, (len([]rune(line))*charWidths[i]+9)/10+2*textInset(c.kind)-2)
		}
	}
	return min(width, mostCardWidth)
}

// textInset is where texts begin.
func textInset(kind graph.NodeKind) int {
	switch kind {
	case graph.External, graph.ExternalList, graph.Def:
		return cut + 10
	default:
		return 17
	}
}

func (p *picture) card(node int) {
	c, at := p.cards[node], p.boxes[node]
	class := p.hues[node]
	if c.conditional {
		class += " conditional"
	}
	if c.mark.Class != "" {
		class += " " + c.mark.Class
	}
	if c.mark.Link != "" {
		fmt.Fprintf(&p.out, `<a href="%s" id="%s">`, escape(c.mark.Link), escape("card-"+c.id))
		defer p.line("</a>")
	}
	fmt.Fprintf(&p.out, `<g class="card %s" transform="translate(%d %d)"><title>%s</title>`, class, at.x, at.y, escape(c.title()))
	p.out.WriteString(cardShape(c, p.cardWidth, cardHeight, stackShift))
	if c.kind == graph.Template {
		fmt.Fprintf(&p.out, `<path class="mark" d="M9 0H5.5V%dH9A9 9 0 0 1 0 %dV9A9 9 0 0 1 9 0"/>`, cardHeight, cardHeight-9)
	}
	x := textInset(c.kind)
	room := (p.cardWidth - 2*x + 2) * 10
	lines := [3]string{shorten(c.id, room/charWidths[0]), shorten(c.what, room/charWidths[1]), c.last(room / charWidths[2])}
	down := 0
	if lines[2] == "" {
		down = 7 // two lines stand in the middle
	}
	for i, line := range lines {
		if line != "" {
			fmt.Fprintf(&p.out, `<text class="%s" x="%d" y="%d">%s%s</text>`,
				[3]string{"id", "what", "small"}[i], x, [3]int{22, 38, 53}[i]+down, escape(line), c.ageOf(i))
		}
	}
	p.line("</g>")
}

func cardTitle(c card) string {
	return strings.Join(slices.Concat([]string{c.id, c.what, c.api}, c.notes), "\n")
}

// cardShape draws the outline of a card, with the cards behind it.
func cardShape(c card, width, height, shift int) string {
	var b strings.Builder
	if c.stacked {
		for i := stackDepth; i > 0; i-- {
			fmt.Fprintf(&b, `<path class="outline" transform="translate(%d %d)" d="%s"/>`, i*shift, i*shift, outline(c.kind, width, height))
		}
	}
	fmt.Fprintf(&b, `<path class="outline" d="%s"/>`, outline(c.kind, width, height))
	return b.String()
}

// outline is a rectangle for what the engine applies, a hexagon for what it reads, a pill for what it computes.
func outline(kind graph.NodeKind, w, h int) string {
	switch kind {
	case graph.External, graph.ExternalList:
		c := min(cut, h/3)
		return fmt.Sprintf("M%d 0H%dL%d %dL%d %dH%dL0 %dz", c, w-c, w, h/2, w-c, h, c, h/2)
	case graph.Def:
		return rounded(w, h, h/2)
	default:
		return rounded(w, h, min(9, h/3))
	}
}

func rounded(w, h, r int) string {
	return fmt.Sprintf("M%d 0H%dA%d %d 0 0 1 %d %dV%dA%d %d 0 0 1 %d %dH%dA%d %d 0 0 1 0 %dV%dA%d %d 0 0 1 %d 0z",
		r, w-r, r, r, w, r, h-r, r, r, w-r, h, r, r, r, h-r, r, r, r, r)
}

// inset is how far the outline of a card lies inside its box, that far from the middle of its left side.
func inset(kind graph.NodeKind, fromMiddle int) int {
	switch kind {
	case graph.External, graph.ExternalList:
		return max(fromMiddle, -fromMiddle) * cut * 2 / cardHeight
	case graph.Def:
		r := cardHeight / 2
		return r - int(math.Sqrt(float64(r*r-fromMiddle*fromMiddle)))
	default:
		return 0
	}
}
