package differ

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/crd"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// admit gives an instance as the new API would have it, and what that would refuse. A refused instance stays as it is: the
// API server judges only who writes it next.
func admit(ctx context.Context, g *graph.Graph, instance *unstructured.Unstructured) (object map[string]any, refused []string) {
	plain := instance.DeepCopy().Object
	plain["apiVersion"] = g.Kind().GroupVersion().String()
	admitted, dropped, faults := crd.ValidateInstance(ctx, g.CRD(), plain)
	for _, path := range dropped {
		if !strings.HasPrefix(path, "status") {
			refused = append(refused, path+": the new API has no such field")
		}
	}
	for _, fault := range faults {
		refused = append(refused, fault.Error())
	}
	slices.Sort(refused)
	if admitted == nil {
		return plain, refused
	}
	return admitted, refused
}

// evaluate gives what the new graph makes of an instance, with the objects that a cluster has.
func evaluate(ctx context.Context, g *graph.Graph, instance map[string]any, known []map[string]any) plan.Plan {
	return runtime.Preview(ctx, runtime.Input{Graph: g, Instance: instance}, known)
}

// ownerOf is the instance as the engine marks its children.
func ownerOf(g *graph.Graph, instance *unstructured.Unstructured) apply.Owner {
	return apply.Owner{
		GVK: g.Kind(), Namespace: instance.GetNamespace(), Name: instance.GetName(), UID: instance.GetUID(),
		References: g.Policies().OwnerReferences != "None",
	}
}

// problems gives the nodes of a plan that come to nothing: waiting ones by name, failed ones as objects.
func problems(p plan.Plan) (waiting []string, failed []Object) {
	for _, n := range p.Nodes {
		switch n.State {
		case plan.Waiting:
			waiting = append(waiting, n.ID)
		case plan.Failed:
			failed = append(failed, Object{Node: n.ID, Action: Fail, Message: n.Message})
		default:
		}
	}
	return waiting, failed
}

// differing gives the wanted objects that the cluster does not hold as they should be, in the order of applying.
func differing(p plan.Plan, owner apply.Owner, children map[plan.Key]map[string]any) []plan.Object {
	var out []plan.Object
	for _, i := range p.Order {
		for _, o := range p.Nodes[i].Objects {
			live := children[o.Key]
			if live == nil || owner.Compare(o, live).Content {
				out = append(out, o)
			}
		}
	}
	return out
}

// unwanted gives the children that nothing asks for any more, sorted. A node that waits or failed keeps its children.
func unwanted(p plan.Plan, children map[plan.Key]map[string]any) []Object {
	wanted, keeps := map[plan.Key]bool{}, map[string]bool{}
	for _, n := range p.Nodes {
		keeps[n.ID] = n.State == plan.Waiting || n.State == plan.Failed
		for _, o := range n.Objects {
			wanted[o.Key] = true
		}
	}
	var keys []plan.Key
	for key, live := range children {
		if !wanted[key] && !keeps[annotation(live, v1alpha1.AnnotationNode)] {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, plan.Key.Compare)
	var out []Object
	for _, key := range keys {
		o := Object{
			Node: annotation(children[key], v1alpha1.AnnotationNode), Kind: key.Kind, Namespace: key.Namespace, Name: key.Name, Action: Delete,
		}
		if annotation(children[key], v1alpha1.AnnotationDeletion) == v1alpha1.DeletionPolicyOrphan {
			o.Action = Release
		}
		out = append(out, o)
	}
	return out
}

func annotation(object map[string]any, key string) string {
	return (&unstructured.Unstructured{Object: object}).GetAnnotations()[key]
}
