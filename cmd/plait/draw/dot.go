package draw

import (
	"fmt"
	"math"
	"strings"

	"github.com/plait-run/plait/graph"
)

// DOT draws a graph in the language of Graphviz. Edges go from what is needed to what needs it.
func DOT(g *graph.Graph) string {
	var b strings.Builder
	kind, api := served(g)
	fmt.Fprintf(&b, "digraph %s {\n", dotQuote(clean(g.Name())))
	fmt.Fprintf(&b, "  label=%s; labelloc=t; rankdir=LR;\n", dotQuote(clean(g.Name())+" serves "+kind+" ("+api+")"))
	b.WriteString("  node [shape=box, fontname=\"sans-serif\"];\n")
	for _, n := range g.Nodes() {
		c := newCard(n)
		fmt.Fprintf(&b, "  %s [label=%s%s];\n", dotQuote(c.id), dotLabel(c.id, c.what, c.small(math.MaxInt)), dotLook(c))
	}
	for _, l := range linksOf(g) {
		style := map[graph.NeedKind]string{graph.Soft: " [style=dotted]", graph.Order: " [style=dashed]"}[l.kind]
		fmt.Fprintf(&b, "  %s -> %s%s;\n", dotQuote(clean(g.Nodes()[l.from].ID)), dotQuote(clean(g.Nodes()[l.to].ID)), style)
	}
	b.WriteString("}\n")
	return b.String()
}

func dotLook(c card) string {
	out := map[graph.NodeKind]string{
		graph.External: ", shape=hexagon", graph.ExternalList: ", shape=hexagon", graph.Def: ", shape=ellipse",
	}[c.kind]
	if c.stacked {
		out += ", peripheries=2"
	}
	if c.conditional {
		out += ", style=dashed"
	}
	return out
}

// dotLabel is one string of several lines; empty ones are left out.
func dotLabel(lines ...string) string {
	var quoted []string
	for _, line := range lines {
		if line != "" {
			quoted = append(quoted, dotEscape(line))
		}
	}
	return `"` + strings.Join(quoted, `\n`) + `"`
}

func dotQuote(text string) string { return `"` + dotEscape(text) + `"` }

// dotEscape keeps backslashes from being read as escapes of labels, and quotes from ending a string.
func dotEscape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
}
