package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/plait-run/plait/cmd/plait/draw"
	"github.com/plait-run/plait/graph"
)

func newGraph(std streams) *cobra.Command {
	var in inputs
	cmd := &cobra.Command{
		Use:   "graph -f GROUP",
		Short: "Show the graph of a group, layer by layer",
		Long: "Show the graph of a group: as lines, as a picture (svg), for Graphviz (dot), for Markdown (mermaid),\n" +
			"or as data (json).",
		Example: "  plait graph -f group.yaml\n  plait graph -f group.yaml -o svg > group.svg",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, group, err := in.loadGroup(cmd, args, std)
			if err != nil {
				return err
			}
			return writeGraph(std.out, in.output, group.Graph)
		},
	}
	in.register(cmd, "text", "dot", "mermaid", "svg", "json")
	return cmd
}

func writeGraph(out io.Writer, format string, g *graph.Graph) error {
	text := ""
	switch format {
	case "json":
		return printData(out, format, draw.NewData(g))
	case "dot":
		text = draw.DOT(g)
	case "mermaid":
		text = draw.Mermaid(g)
	case "svg":
		text = draw.SVG(g)
	default:
		text = draw.Text(g)
	}
	_, err := io.WriteString(out, text)
	return err
}
