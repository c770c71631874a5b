// Package draw shows graphs to people.
package draw

import (
	"fmt"
	"strings"

	"github.com/plait-run/plait/graph"
)

// Text draws a graph as lines, layer by layer: what a layer needs stands in the layers above it.
func Text(g *graph.Graph) string {
	var b strings.Builder
	kind := g.Kind()
	fmt.Fprintf(&b, "%s serves %s (%s)\n", g.Name(), kind.Kind, kind.GroupVersion())
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
	what := n.Kind.String()
	if n.Kind != graph.Def {
		what = n.GVK.Kind
		if n.GVK.Group != "" {
			what += "." + n.GVK.Group
		}
	}
	var notes []string
	if n.Kind == graph.External || n.Kind == graph.ExternalList {
		notes = append(notes, n.Kind.String())
	}
	if len(n.ForEach) > 0 {
		notes = append(notes, "collection")
	}
	if len(n.IncludeWhen) > 0 {
		notes = append(notes, "conditional")
	}
	if n.Kind != graph.Def && !n.Installed {
		notes = append(notes, "not installed")
	}
	line := fmt.Sprintf("  %-*s  %s", width, n.ID, what)
	if len(notes) > 0 {
		line += " (" + strings.Join(notes, ", ") + ")"
	}
	for i, need := range n.Needs {
		line += []string{", ", "  ← "}[first(i)] + need.String()
	}
	return line + "\n"
}

func first(i int) int {
	if i == 0 {
		return 1
	}
	return 0
}
