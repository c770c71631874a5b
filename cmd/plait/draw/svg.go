package draw

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/plait-run/plait/graph"
)

const (
	margin       = 36
	headerHeight = 92
	subtitleChar = 7 // the width of a character
	mostSubtitle = 700
)

// SVG draws a graph as a picture that stands alone: it loads nothing, and is light or dark as its reader prefers.
func SVG(g *graph.Graph) string {
	cards := make([]card, len(g.Nodes()))
	for i, n := range g.Nodes() {
		cards[i] = newCard(n)
	}
	l := newLayout(len(cards), cardWidth(cards), linksOf(g))
	p := &picture{layout: l, cards: cards, hues: huesOf(l), drawn: map[bundle]int{}}
	inside := max(l.width, min(len([]rune(subtitle(g)))*subtitleChar, mostSubtitle))
	legend, legendHeight := p.legend(inside)
	width, height := inside+2*margin, headerHeight+l.height+legendHeight+margin

	p.line(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`,
		width, height, width, height)
	p.line(`<style>%s</style>`, style)
	p.header(g, inside)
	p.line(`<g transform="translate(%d %d)">`, margin, headerHeight)
	p.body()
	p.line(`</g>`)
	p.line(`<g transform="translate(%d %d)">%s</g>`, margin, headerHeight+l.height, legend)
	p.line(`</svg>`)
	return p.out.String()
}

// picture is an SVG that is being written.
type picture struct {
	*layout
	cards []card
	hues  []string       // class of each node, and of the edges that leave it
	drawn map[bundle]int // bends of each bundle that are drawn
	out   strings.Builder
}

// body draws edges, and cards over them.
func (p *picture) body() {
	for i := range p.routes {
		p.edge(&p.routes[i])
	}
	for i := range p.cards {
		p.card(i)
	}
}

func (p *picture) line(format string, args ...any) {
	fmt.Fprintf(&p.out, format+"\n", args...)
}

func (p *picture) header(g *graph.Graph, width int) {
	kind, api := served(g)
	p.line(`<title>%s serves %s (%s)</title>`, escape(clean(g.Name())), escape(kind), escape(api))
	p.line(`<rect class="ground" width="100%%" height="100%%"/>`)
	p.line(`<text class="name" x="%d" y="46">%s</text>`, margin, escape(shorten(kind, width/13)))
	p.line(`<text class="serves" x="%d" y="68">%s</text>`, margin, escape(shorten(subtitle(g), width/subtitleChar)))
}

// subtitle says where the served kind is and who serves it.
func subtitle(g *graph.Graph) string {
	_, api := served(g)
	scope := "cluster-scoped"
	if g.IsNamespaced() {
		scope = "namespaced"
	}
	return api + " · " + scope + " · served by " + clean(g.Name())
}

// escape makes a text safe between tags and in attributes.
func escape(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		return ""
	}
	return b.String()
}

// hueCount is how many colours the style has.
const hueCount = 8

// huesOf gives cards that others need a colour, in turn, so that neighbours differ.
func huesOf(l *layout) []string {
	out := make([]string, len(l.boxes))
	for i := range out {
		out[i] = "plain"
	}
	for i := range l.routes {
		out[l.routes[i].from] = ""
	}
	next := 0
	for _, node := range l.turns {
		if out[node] == "" {
			out[node] = fmt.Sprintf("h%d", next%hueCount)
			next++
		}
	}
	return out
}

var edgeClass = map[graph.NeedKind]string{graph.Hard: "hard", graph.Soft: "soft", graph.Order: "order"}

const (
	tipLength = 7
	underCard = 20 // by which an edge starts below its card
)

// edge draws a link from where it parts from those of its bundle that are there already.
func (p *picture) edge(r *route) {
	from, to := p.cards[r.from], p.cards[r.to]
	last := r.points[len(r.points)-1]
	last.x += inset(to.kind, last.y-p.boxes[r.to].y-cardHeight/2)
	key, bends := bundle{r.from, r.kind}, len(r.points)/2-1
	drawn, begun := p.drawn[key]
	p.drawn[key] = max(drawn, bends)

	points := r.points[2*min(drawn, bends):]
	var d strings.Builder
	if begun {
		fmt.Fprintf(&d, "M%d %d", points[0].x, points[0].y)
	} else {
		fmt.Fprintf(&d, "M%d %dH%d", p.boxes[r.from].x+p.cardWidth-underCard, points[0].y, points[0].x)
	}
	for i := 0; i+1 < len(points); i += 2 {
		if i > 0 {
			fmt.Fprintf(&d, "H%d", points[i].x)
		}
		curve(&d, points[i], points[i+1])
	}
	fmt.Fprintf(&d, "H%d", last.x-tipLength+1)
	p.line(`<g class="edge %s %s"><title>%s</title><path d="%s"/><path class="tip" d="M%d %dl-%d -4v8z"/></g>`,
		edgeClass[r.kind], p.hues[r.from], escape(edgeTitle(from, to, r)), d.String(), last.x, last.y, tipLength)
}

// curve leads on to a point, level at both ends.
func curve(d *strings.Builder, from, to point) {
	if from.y == to.y {
		return // the next level line covers it
	}
	bow := (to.x - from.x) * 11 / 20
	fmt.Fprintf(d, "C%d %d %d %d %d %d", from.x+bow, from.y, to.x-bow, to.y, to.x, to.y)
}

func edgeTitle(from, to card, r *route) string {
	text := to.id + " needs " + from.id
	switch r.kind {
	case graph.Soft:
		text += ", but does not wait for it"
	case graph.Order:
		text = to.id + " comes after " + from.id
	case graph.Hard:
	}
	if r.path != "" {
		text += ": " + r.path
	}
	return text
}
