package draw

import (
	"github.com/plait-run/plait/graph"
)

// Mark is how a node of an instance stands.
type Mark struct {
	State string // stands in the place of the API version
	Class string // of the style: one word
	Link  string // where a click on the card leads; empty: nowhere
	Title string // more about it, shown while one points at the card
	Since string // a moment as RFC 3339, from which a script makes an age; empty: not known
}

const liveMargin = 10

// Live draws the graph of one instance: the picture of SVG without title, legend and style, with a mark on each card. What
// shows it brings a style for the classes card, edge, outline, mark, tip, id, what, small and those of the marks.
func Live(g *graph.Graph, marks map[string]Mark) string {
	cards := make([]card, len(g.Nodes()))
	for i, n := range g.Nodes() {
		cards[i] = newCard(n)
		cards[i].mark = marks[n.ID]
	}
	l := newLayout(len(cards), cardWidth(cards), linksOf(g))
	p := &picture{layout: l, cards: cards, hues: make([]string, len(cards)), drawn: map[bundle]int{}}
	for i := range p.hues {
		p.hues[i] = "plain"
	}
	width, height := l.width+2*liveMargin, l.height+2*liveMargin
	p.line(`<svg xmlns="http://www.w3.org/2000/svg" class="graph" width="%d" height="%d" viewBox="0 0 %d %d" role="group" aria-label="%s">`,
		width, height, width, height, escape("nodes of "+clean(g.Kind().Kind)+" and what they need"))
	p.line(`<g transform="translate(%d %d)">`, liveMargin, liveMargin)
	p.body()
	p.line(`</g></svg>`)
	return p.out.String()
}

// title is what is shown while one points at a card.
func (c card) title() string {
	if c.mark.Title != "" {
		return cardTitle(c) + "\n" + clean(c.mark.Title)
	}
	return cardTitle(c)
}

// last is the last line of a card: the state of a node of an instance, else what small says.
func (c card) last(most int) string {
	if c.mark.State != "" {
		return shorten(clean(c.mark.State), most)
	}
	return c.small(most)
}

// ageOf is a place for the age in the last line of a card.
func (c card) ageOf(line int) string {
	if line != 2 || c.mark.Since == "" {
		return ""
	}
	return `<tspan data-since="` + escape(c.mark.Since) + `"></tspan>`
}
