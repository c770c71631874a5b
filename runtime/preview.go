package runtime

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/runtime/plan"
)

// Preview evaluates an instance with no cluster. A child is the object among objects with its kind, namespace and
// name, or else the rendered object itself, as an API server without defaulting would hold it right after the
// apply. Externals are what no node renders. Objects of nodes that wait or failed are left out. Observed and Memo of the input are not used.
func Preview(ctx context.Context, in Input, objects []map[string]any) plan.Plan {
	in.Observed, in.Memo = Observed{}, nil
	known := indexOf(objects)
	rendered := map[plan.Key]bool{}
	for {
		e := newEvaluator(ctx, in)
		e.assume = func(o plan.Object) map[string]any {
			if live, ok := known[o.Key]; ok {
				return live
			}
			return o.Rendered
		}
		e.read = func(w plan.Want) Reading { return readFrom(known, rendered, w) }
		p := e.run()
		if !learn(rendered, e.claims, known) {
			return withoutUnapplied(p)
		}
	}
}

// withoutUnapplied drops the objects of nodes that wait or failed: an apply would not bring them about now.
func withoutUnapplied(p plan.Plan) plan.Plan {
	for i := range p.Nodes {
		if state := p.Nodes[i].State; state == plan.Waiting || state == plan.Failed {
			p.Nodes[i].Objects = nil
		}
	}
	return p
}

// learn adds what a round rendered, and tells whether an object that externals could see until now is among it. Each
// round that says yes leaves fewer of them, so the rounds end.
func learn(rendered map[plan.Key]bool, claims map[plan.Key]string, known map[plan.Key]map[string]any) bool {
	changed := false
	for key := range claims {
		if _, seen := known[key]; seen && !rendered[key] {
			changed = true
		}
		rendered[key] = true
	}
	return changed
}

func indexOf(objects []map[string]any) map[plan.Key]map[string]any {
	out := make(map[plan.Key]map[string]any, len(objects))
	for _, object := range objects {
		out[keyOf(object)] = object
	}
	return out
}

func keyOf(object map[string]any) plan.Key {
	gvk := schema.FromAPIVersionAndKind(text(object, "apiVersion"), text(object, "kind"))
	return plan.Key{
		Group: gvk.Group, Kind: gvk.Kind,
		Namespace: text(object, "metadata", "namespace"), Name: text(object, "metadata", "name"),
	}
}

// readFrom finds what a want asks for among the objects that no node renders, by namespace and name.
func readFrom(known map[plan.Key]map[string]any, rendered map[plan.Key]bool, w plan.Want) Reading {
	selector, err := labels.Parse(w.Selector)
	if err != nil {
		return Reading{Denied: "its selector cannot be read: " + err.Error()}
	}
	var keys []plan.Key
	for key, object := range known {
		switch {
		case rendered[key] || key.Group != w.Resource.Group || key.Kind != w.Kind:
		case w.Namespace != "" && key.Namespace != w.Namespace, w.Name != "" && key.Name != w.Name:
		case !selector.Matches(labelsOf(object)):
		default:
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, plan.Key.Compare)
	reading := Reading{Synced: true}
	for _, key := range keys {
		reading.Objects = append(reading.Objects, known[key])
	}
	return reading
}

func labelsOf(object map[string]any) labels.Set {
	metadata, _ := object["metadata"].(map[string]any)
	values, _ := metadata["labels"].(map[string]any)
	out := make(labels.Set, len(values))
	for name, value := range values {
		out[name], _ = value.(string)
	}
	return out
}
