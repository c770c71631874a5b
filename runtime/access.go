package runtime

import (
	"reflect"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// access notes which children a node reads more of than we rendered ourselves, and fails where the identity may
// not read one of them. What we rendered needs no right: it tells nothing new.
func (e *evaluator) access(n *graph.Node) ([]plan.Key, *outcome) {
	var reads []plan.Key
	for _, read := range e.in.Graph.Reads(n.ID) {
		for _, key := range e.beyond(read) {
			reads = append(reads, key)
			e.reads[key] = true
			if why, denied := e.in.Observed.Denied[key]; denied {
				return reads, e.mayNotRead(n, key, why)
			}
		}
	}
	return reads, nil
}

func (e *evaluator) mayNotRead(n *graph.Node, key plan.Key, why string) *outcome {
	out := failed(n, plan.ReasonForbidden, "reading "+key.String()+": "+why)
	out.denied = true
	return out
}

// beyond gives the objects of a node in which the live value at the path is not what we rendered.
func (e *evaluator) beyond(read graph.Read) []plan.Key {
	o := e.outcomes[read.Name]
	if o == nil || !o.there || o.node.Kind != graph.Template {
		return nil
	}
	if !o.complete {
		return []plan.Key{o.former}
	}
	path := read.Path
	if len(o.node.ForEach) > 0 {
		path = "" // of a list: which item is read cannot be told
	}
	rendered := e.renderedOf(o)
	var out []plan.Key
	for _, object := range o.plan.Objects {
		live, _ := at(e.live(object), path)
		ours, known := at(rendered[object.Key], path)
		if !known || !reflect.DeepEqual(live, ours) {
			out = append(out, object.Key)
		}
	}
	return out
}

// renderedOf gives what a node rendered; of a remembered outcome it is rendered again.
func (e *evaluator) renderedOf(o *outcome) map[plan.Key]map[string]any {
	if o.rendered == nil {
		found := e.findings(o.node)
		objects, _ := e.render(o.node, e.expand(o.node, found), found)
		o.rendered = make(map[plan.Key]map[string]any, len(objects))
		for _, object := range objects {
			o.rendered[object.Key] = object.Rendered
		}
	}
	return o.rendered
}
