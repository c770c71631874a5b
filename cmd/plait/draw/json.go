package draw

import (
	"github.com/plait-run/plait/graph"
)

// Data is the JSON form of a graph.
type Data struct {
	Name             string     `json:"name"`
	Serves           string     `json:"serves"` // apps.plait.run/v1alpha1 WebApp
	TopologicalOrder []string   `json:"topologicalOrder"`
	Layers           [][]string `json:"layers"`
	Nodes            []DataNode `json:"nodes"` // in document order
}

// DataNode is one node of Data.
type DataNode struct {
	ID           string     `json:"id"`
	Kind         string     `json:"kind"` // template, external, external list, def
	APIVersion   string     `json:"apiVersion,omitempty"`
	Resource     string     `json:"resource,omitempty"` // the kind of the objects
	Layer        int        `json:"layer"`
	Collection   bool       `json:"collection,omitempty"`
	Conditional  bool       `json:"conditional,omitempty"`
	NotInstalled bool       `json:"notInstalled,omitempty"`
	Needs        []DataNeed `json:"needs"`
}

// DataNeed is one edge of Data. An edge that is neither soft nor order is hard.
type DataNeed struct {
	ID    string `json:"id"`
	Soft  bool   `json:"soft,omitempty"`
	Order bool   `json:"order,omitempty"`
	Path  string `json:"path"`
}

// NewData gives what programs need to draw a graph themselves.
func NewData(g *graph.Graph) Data {
	kind := g.Kind()
	out := Data{
		Name: g.Name(), Serves: kind.GroupVersion().String() + " " + kind.Kind,
		TopologicalOrder: idsOf(g, g.Order()), Layers: [][]string{}, Nodes: []DataNode{},
	}
	layers := make([]int, len(g.Nodes()))
	for i, layer := range g.Layers() {
		out.Layers = append(out.Layers, idsOf(g, layer))
		for _, node := range layer {
			layers[node] = i
		}
	}
	for i, n := range g.Nodes() {
		out.Nodes = append(out.Nodes, newDataNode(n, layers[i]))
	}
	return out
}

func newDataNode(n *graph.Node, layer int) DataNode {
	out := DataNode{
		ID: n.ID, Kind: n.Kind.String(), Layer: layer,
		Collection: n.IsCollection(), Conditional: len(n.IncludeWhen) > 0, Needs: []DataNeed{},
	}
	if n.Kind != graph.Def {
		out.APIVersion, out.Resource, out.NotInstalled = n.GVK.GroupVersion().String(), n.GVK.Kind, !n.Installed
	}
	for _, need := range n.Needs {
		out.Needs = append(out.Needs, DataNeed{
			ID: need.ID, Soft: need.Kind == graph.Soft, Order: need.Kind == graph.Order, Path: need.Path,
		})
	}
	return out
}

func idsOf(g *graph.Graph, indices []int) []string {
	out := []string{}
	for _, i := range indices {
		out = append(out, g.Nodes()[i].ID)
	}
	return out
}
