package offline

import (
	"context"
	"strings"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// Rendering is what one instance gives, with no cluster.
type Rendering struct {
	State    string           `json:"state"`
	Message  string           `json:"message"`
	Objects  []map[string]any `json:"objects"` // in the order of applying; none of a node that waits, failed or is excluded
	Nodes    []Node           `json:"nodes"`
	Status   map[string]any   `json:"status"`
	Problems diag.List        `json:"-"` // what the API server would refuse or drop of the instance
}

// Node is where one node stands.
type Node struct {
	ID         string   `json:"id"`
	State      string   `json:"state"`
	WaitingFor []string `json:"waitingFor,omitempty"`
	Message    string   `json:"message,omitempty"`
}

// Render evaluates an instance against objects as a cluster would report them. A node's object is the observed
// one of its kind, namespace and name, or else what was rendered, as if it had just been applied.
func Render(ctx context.Context, g *graph.Graph, instance *source.Document, observed []*source.Document) Rendering {
	object, problems := admit(ctx, g, instance)
	if object == nil {
		return refused(problems)
	}
	result := runtime.Preview(ctx, runtime.Input{Graph: g, Instance: object}, plainObjects(observed))
	summary := plan.Summarise(result)
	out := Rendering{
		State: string(summary.State), Message: summary.Message, Objects: []map[string]any{}, Status: result.Status, Problems: problems,
	}
	for _, n := range result.Nodes {
		out.Nodes = append(out.Nodes, Node{ID: n.ID, State: string(n.State), WaitingFor: n.WaitingFor, Message: n.Message})
	}
	for _, i := range result.Order {
		for _, o := range result.Nodes[i].Objects {
			out.Objects = append(out.Objects, o.Rendered)
		}
	}
	return out
}

// refused is the rendering of an instance that the API server would not take.
func refused(problems diag.List) Rendering {
	var texts []string
	for _, p := range problems.Sorted() {
		if p.Severity == diag.Error {
			texts = append(texts, p.Path+": "+p.Summary)
		}
	}
	return Rendering{
		State: string(plan.StateFailed), Message: strings.Join(texts, "; "),
		Objects: []map[string]any{}, Nodes: []Node{}, Problems: problems,
	}
}

func plainObjects(docs []*source.Document) []map[string]any {
	var out []map[string]any
	for _, doc := range docs {
		if object, ok := doc.Root.Plain().(map[string]any); ok {
			out = append(out, object)
		}
	}
	return out
}
