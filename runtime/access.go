package runtime

import (
	"reflect"
	"slices"

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
	switch {
	case o == nil || !o.there || o.node.Kind != graph.Template:
		return nil
	case !o.complete:
		return []plan.Key{o.former}
	}
	path := read.Path
	if len(o.node.ForEach) > 0 {
		path = "" // of a list: which item is read cannot be told
	}
	if _, told := slices.BinarySearch(e.in.Graph.ReadsOf(o.node.ID), path); !told {
		return keysOf(o.plan.Objects) // what the graph does not know to be read was not compared
	}
	return o.beyond[path]
}

func keysOf(objects []plan.Object) []plan.Key {
	out := make([]plan.Key, len(objects))
	for i, object := range objects {
		out[i] = object.Key
	}
	return out
}

// beyondOf gives, for each path that somebody reads, the objects in which the live value there is not what we rendered.
func (e *evaluator) beyondOf(n *graph.Node, objects []plan.Object) map[string][]plan.Key {
	var out map[string][]plan.Key
	for _, path := range e.in.Graph.ReadsOf(n.ID) {
		for _, object := range objects {
			live, _ := at(e.live(object), path)
			ours, known := at(object.Rendered, path)
			if known && reflect.DeepEqual(live, ours) {
				continue
			}
			if out == nil {
				out = map[string][]plan.Key{}
			}
			out[path] = append(out[path], object.Key)
		}
	}
	return out
}
