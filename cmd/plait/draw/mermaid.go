package draw

import (
	"fmt"
	"math"
	"strings"

	"github.com/plait-run/plait/graph"
)

// Mermaid draws a graph as a Mermaid flowchart, for Markdown. Edges go from what is needed to what needs it.
func Mermaid(g *graph.Graph) string {
	var b strings.Builder
	kind, api := served(g)
	fmt.Fprintf(&b, "flowchart LR\n  accTitle: %s\n", mermaidText(clean(g.Name())+" serves "+kind+" in "+api))
	var conditional []string
	for _, n := range g.Nodes() {
		c := newCard(n)
		left, right := mermaidShape(c)
		fmt.Fprintf(&b, "  %s%s\"%s\"%s\n", mermaidName(c.id), left, mermaidLabel(c), right)
		if c.conditional {
			conditional = append(conditional, mermaidName(c.id))
		}
	}
	for _, l := range linksOf(g) {
		from, to := clean(g.Nodes()[l.from].ID), clean(g.Nodes()[l.to].ID)
		fmt.Fprintf(&b, "  %s %s %s\n", mermaidName(from), mermaidArrow(l.kind), mermaidName(to))
	}
	if len(conditional) > 0 {
		b.WriteString("  classDef conditional stroke-dasharray:6 4\n")
		fmt.Fprintf(&b, "  class %s conditional\n", strings.Join(conditional, ","))
	}
	return b.String()
}

func mermaidShape(c card) (left, right string) {
	switch {
	case c.kind == graph.External || c.kind == graph.ExternalList:
		return "{{", "}}"
	case c.kind == graph.Def:
		return "([", "])"
	case c.stacked:
		return "[[", "]]"
	default:
		return "[", "]"
	}
}

// mermaidArrow tells order from soft by its label: Mermaid has one broken line.
func mermaidArrow(kind graph.NeedKind) string {
	switch kind {
	case graph.Soft:
		return "-.->"
	case graph.Order:
		return "-. order .->"
	default:
		return "-->"
	}
}

func mermaidLabel(c card) string {
	var lines []string
	for _, line := range []string{c.id, c.what, c.small(math.MaxInt)} {
		if line != "" {
			lines = append(lines, mermaidText(line))
		}
	}
	return strings.Join(lines, "<br/>")
}

// mermaidText writes everything that could mean something to Mermaid, Markdown or HTML as the number of its character.
func mermaidText(text string) string {
	var b strings.Builder
	for _, r := range text {
		if isPlain(r) || strings.ContainsRune(" ./,·-", r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// mermaidName is the name of a node in the flowchart. It is never one of Mermaid's own words, and no two are equal.
func mermaidName(id string) string {
	var b strings.Builder
	b.WriteString("n_")
	for _, r := range id {
		if isPlain(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "_%x_", r)
		}
	}
	return b.String()
}

func isPlain(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}
