package draw

import (
	"fmt"
	"strings"

	"github.com/plait-run/plait/graph"
)

// Text draws a graph as lines, layer by layer: what a layer needs stands in the layers above it.
func Text(g *graph.Graph) string {
	var b strings.Builder
	kind, api := served(g)
	fmt.Fprintf(&b, "%s serves %s (%s)\n", clean(g.Name()), kind, api)
	width := 0
	for _, n := range g.Nodes() {
		width = max(width, len(n.ID))
	}
	for i, layer := range g.Layers() {
		fmt.Fprintf(&b, "\nlayer %d\n", i+1)
		for _, index := range layer {
			b.WriteString(textLine(g.Nodes()[index], width))
		}
	}
	return b.String()
}

func textLine(n *graph.Node, width int) string {
	c := newCard(n)
	line := fmt.Sprintf("  %-*s  %s", width, c.id, textKind(n))
	if notes := textNotes(c); len(notes) > 0 {
		line += " (" + strings.Join(notes, ", ") + ")"
	}
	if len(n.Needs) > 0 {
		needs := make([]string, len(n.Needs))
		for i, need := range n.Needs {
			needs[i] = clean(need.String())
		}
		line += "  ← " + strings.Join(needs, ", ")
	}
	return line + "\n"
}

func textKind(n *graph.Node) string {
	switch {
	case n.Kind == graph.Def:
		return n.Kind.String()
	case n.GVK.Group == "":
		return clean(n.GVK.Kind)
	default:
		return clean(n.GVK.Kind + "." + n.GVK.Group)
	}
}

func textNotes(c card) []string {
	var notes []string
	if c.kind == graph.External || c.kind == graph.ExternalList {
		notes = append(notes, c.kind.String())
	}
	if c.stacked && c.kind != graph.ExternalList {
		notes = append(notes, "collection")
	}
	if c.conditional {
		notes = append(notes, "conditional")
	}
	if c.absent {
		notes = append(notes, "not installed")
	}
	return notes
}
