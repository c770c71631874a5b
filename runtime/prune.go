package runtime

import (
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
	"github.com/plait-run/plait/runtime/template"
)

// prune gives the children that are certainly not wanted any more, wave by wave. A child is kept while its own node
// is not decided, and while another node that is not decided may come to want it.
func (e *evaluator) prune() [][]plan.Key {
	unwanted := map[plan.Key]map[string]any{}
	var undecided []*outcome
	for key, child := range e.in.Observed.Children {
		if _, wanted := e.claims[key]; wanted {
			continue
		}
		id := plan.NodeOf(child)
		if id == "" || e.keeps(id) {
			continue
		}
		if undecided == nil {
			undecided = e.undecided()
		}
		if e.mayBeWanted(key, undecided) {
			continue
		}
		unwanted[key] = child
		if o := e.outcomes[id]; o != nil && o.excluded {
			o.plan.State = plan.Deleting
		}
	}
	return plan.Waves(unwanted)
}

// keeps tells whether a node keeps all of its children for now.
func (e *evaluator) keeps(id string) bool {
	o := e.outcomes[id]
	return o != nil && !o.excluded && (!o.complete || o.plan.State == plan.Failed)
}

// undecided gives the nodes of which it is not known what they want.
func (e *evaluator) undecided() []*outcome {
	out := []*outcome{}
	for _, n := range e.in.Graph.Nodes() {
		if o := e.outcomes[n.ID]; n.Kind == graph.Template && !o.excluded && !o.complete {
			out = append(out, o)
		}
	}
	return out
}

// mayBeWanted tells whether a node that is not decided could render this object.
func (e *evaluator) mayBeWanted(key plan.Key, undecided []*outcome) bool {
	return slices.ContainsFunc(undecided, func(o *outcome) bool {
		gvk := o.node.GVK
		return gvk.Group == key.Group && gvk.Kind == key.Kind && e.mayRender(o.node, key)
	})
}

// mayRender tells whether the name and namespace of a node that is not decided could be those of key. Only where
// both can be told, and differ, the answer is no.
func (e *evaluator) mayRender(n *graph.Node, key plan.Key) bool {
	name, namespace := fieldOf(n.Body, "metadata", "name"), fieldOf(n.Body, "metadata", "namespace")
	if name == nil {
		return true
	}
	found := e.findings(n)
	items := e.expand(n, found)
	if found.outcome() != nil {
		return true
	}
	for _, it := range items {
		if e.mayGive(name, it, key.Name) && (namespace == nil || e.mayGive(namespace, it, key.Namespace)) {
			return true
		}
	}
	return false
}

func (e *evaluator) mayGive(body *graph.Body, it item, want string) bool {
	out := template.Render(body, e.evaluatorOf(it.vars), template.Object)
	return len(out.Faults)+len(out.Missing) > 0 || out.Omitted || out.Value == want
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
