package draw

import (
	"fmt"
	"strings"

	"github.com/plait-run/plait/graph"
)

const (
	sampleWidth, sampleHeight = 34, 18
	legendLine                = 28
)

// entry is one explanation of the legend.
type entry struct{ sample, text string }

// legend explains what the picture has, in as many lines as the width asks for.
func (p *picture) legend(width int) (content string, height int) {
	var b strings.Builder
	x, y := 0, 46
	for _, e := range p.entries() {
		room := sampleWidth + 12 + len([]rune(e.text))*73/10
		if x > 0 && x+room > width {
			x, y = 0, y+legendLine
		}
		fmt.Fprintf(&b, `<g class="legend plain" transform="translate(%d %d)">%s<text x="%d" y="13">%s</text></g>`,
			x, y-sampleHeight, e.sample, sampleWidth+10, escape(e.text))
		x += room + 16
	}
	return b.String(), y
}

func (p *picture) entries() []entry {
	has := func(is func(card) bool) bool {
		for _, c := range p.cards {
			if is(c) {
				return true
			}
		}
		return false
	}
	var out []entry
	add := func(present bool, look card, text string) {
		if present {
			out = append(out, entry{cardSample(look), text})
		}
	}
	add(has(func(c card) bool { return c.kind == graph.Template }), card{}, "applied")
	add(has(func(c card) bool { return c.kind == graph.External || c.kind == graph.ExternalList }), card{kind: graph.External}, "external, only read")
	add(has(func(c card) bool { return c.kind == graph.Def }), card{kind: graph.Def}, "computed value")
	add(has(func(c card) bool { return c.stacked }), card{stacked: true}, "collection")
	add(has(func(c card) bool { return c.conditional }), card{conditional: true}, "conditional")
	return append(out, p.edgeEntries()...)
}

func (p *picture) edgeEntries() []entry {
	present := map[graph.NeedKind]bool{}
	for i := range p.routes {
		present[p.routes[i].kind] = true
	}
	var out []entry
	for _, kind := range []graph.NeedKind{graph.Hard, graph.Soft, graph.Order} {
		if present[kind] {
			out = append(out, entry{edgeSample(kind), edgeText[kind]})
		}
	}
	return out
}

var edgeText = map[graph.NeedKind]string{
	graph.Hard:  "needs it to be ready",
	graph.Soft:  "uses it, never waits",
	graph.Order: "only comes later",
}

func cardSample(c card) string {
	class := ""
	if c.conditional {
		class = " conditional"
	}
	return fmt.Sprintf(`<g class="card%s">%s</g>`, class, cardShape(c, sampleWidth-4, sampleHeight-2, 2))
}

func edgeSample(kind graph.NeedKind) string {
	middle := sampleHeight / 2
	return fmt.Sprintf(`<g class="edge %s"><path d="M0 %dH%d"/><path class="tip" d="M%d %dl-%d -4v8z"/></g>`,
		edgeClass[kind], middle, sampleWidth-tipLength+1, sampleWidth, middle, tipLength)
}
