package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-run/plait/cmd/plait/draw"
	"github.com/plait-run/plait/graph"
)

func newGraph(std streams) *cobra.Command {
	var in inputs
	cmd := &cobra.Command{
		Use:     "graph -f GROUP",
		Short:   "Show the graph of a group, layer by layer",
		Example: "  plait graph -f group.yaml\n  plait graph -f group.yaml -o json",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, group, err := in.loadGroup(cmd, args, std)
			if err != nil {
				return err
			}
			if in.output == "json" {
				return printData(std.out, "json", graphData(group.Graph))
			}
			_, err = io.WriteString(std.out, draw.Text(group.Graph))
			return err
		},
	}
	in.register(cmd, "text", "json")
	return cmd
}

// graphNode is the JSON form of a node.
type graphNode struct {
	ID         string      `json:"id"`
	Kind       string      `json:"kind"`
	APIVersion string      `json:"apiVersion,omitempty"`
	Resource   string      `json:"resource,omitempty"`
	Layer      int         `json:"layer"`
	Collection bool        `json:"collection,omitempty"`
	Optional   bool        `json:"conditional,omitempty"`
	Needs      []graphNeed `json:"needs"`
}

type graphNeed struct {
	ID   string `json:"id"`
	Soft bool   `json:"soft,omitempty"`
	Path string `json:"path"`
}

func graphData(g *graph.Graph) map[string]any {
	nodes := g.Nodes()
	layers := [][]string{}
	layerOf := map[string]int{}
	for i, layer := range g.Layers() {
		var ids []string
		for _, index := range layer {
			ids = append(ids, nodes[index].ID)
			layerOf[nodes[index].ID] = i
		}
		layers = append(layers, ids)
	}
	out := []graphNode{}
	order := []string{}
	for _, i := range g.Order() {
		order = append(order, nodes[i].ID)
	}
	for _, n := range nodes {
		node := graphNode{
			ID: n.ID, Kind: n.Kind.String(), Layer: layerOf[n.ID],
			Collection: n.IsCollection(), Optional: len(n.IncludeWhen) > 0, Needs: []graphNeed{},
		}
		if n.Kind != graph.Def {
			node.APIVersion, node.Resource = n.GVK.GroupVersion().String(), strings.TrimPrefix(n.GVK.Kind, "/")
		}
		for _, need := range n.Needs {
			node.Needs = append(node.Needs, graphNeed{ID: need.ID, Soft: need.Kind == graph.Soft, Path: need.Path})
		}
		out = append(out, node)
	}
	return map[string]any{
		"name": g.Name(), "serves": fmt.Sprintf("%s %s", g.Kind().GroupVersion(), g.Kind().Kind),
		"topologicalOrder": order, "layers": layers, "nodes": out,
	}
}
