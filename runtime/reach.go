package runtime

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
	"github.com/plait-run/plait/runtime/template"
)

// reach is what a node that cannot be rendered now may come to want: objects of its kind, of these names where the
// names can be told already.
type reach struct {
	kind  schema.GroupKind
	all   bool // any name
	names []name
}

// name is what is known of one object's identity. A part that cannot be told is nil.
type name struct{ namespace, name any }

func (r reach) covers(key plan.Key) bool {
	if r.kind.Group != key.Group || r.kind.Kind != key.Kind {
		return false
	}
	return r.all || slices.ContainsFunc(r.names, func(n name) bool {
		return (n.name == nil || n.name == key.Name) && (n.namespace == nil || n.namespace == key.Namespace)
	})
}

func (e *evaluator) reachOf(n *graph.Node) reach {
	out := reach{kind: n.GVK.GroupKind()}
	found := e.findings(n)
	items := e.expand(n, found)
	nameBody, namespaceBody := fieldOf(n.Body, "metadata", "name"), fieldOf(n.Body, "metadata", "namespace")
	if out.all = found.outcome() != nil || nameBody == nil; out.all {
		return out
	}
	for _, it := range items {
		known := name{namespace: e.namespace, name: e.known(nameBody, it)}
		switch {
		case !n.Namespaced:
			known.namespace = nil
		case namespaceBody != nil:
			known.namespace = e.known(namespaceBody, it)
		}
		out.names = append(out.names, known)
	}
	return out
}

// known gives the text that a tree gives, nil while that cannot be told.
func (e *evaluator) known(body *graph.Body, it item) any {
	out := template.Render(body, e.evaluatorOf(it.vars), template.Object)
	if len(out.Faults)+len(out.Missing) > 0 || out.Omitted {
		return nil
	}
	return out.Value
}

// fieldOf gives the tree of a field, nil where a map has none or is computed as a whole.
func fieldOf(body *graph.Body, path ...string) *graph.Body {
	for _, key := range path {
		if body == nil {
			return nil
		}
		body = stepInto(body, key)
	}
	return body
}

func stepInto(body *graph.Body, key string) *graph.Body {
	for _, f := range body.Fields {
		if f.KeyProgram == nil && f.Key == key {
			return f.Value
		}
	}
	if literal, ok := body.Literal.(map[string]any); ok {
		if value, ok := literal[key]; ok {
			return &graph.Body{Path: body.Path + "." + key, Literal: value}
		}
	}
	return nil
}
