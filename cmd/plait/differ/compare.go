package differ

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/online"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// Actors give the API that dry runs for an instance are made through.
type Actors interface {
	// For gives the API of the service account of an instance, or the user's own with a note why.
	For(ctx context.Context, g *graph.Graph, namespace string) (api apply.API, as, note string, err error)
}

// maxRounds is how often externals lead to further ones.
const maxRounds = 5

// Differ compares a graph with a cluster.
type Differ struct {
	Reader inspect.Reader
	Actors Actors
	Most   int // instances that are looked at; 0: all

	kinds inspect.Kinds
}

// Compare tells what serving a graph would change.
func (d *Differ) Compare(ctx context.Context, g *graph.Graph) (Report, error) {
	out := Report{Group: g.Name(), Instances: []Instance{}}
	var err error
	if d.kinds, err = d.Reader.Kinds(ctx); err != nil {
		return out, err
	}
	served, err := online.Definition(ctx, d.Reader, g.Resource().GroupResource())
	if err != nil {
		return out, err
	}
	out.API = compareAPI(served, g.CRD())
	kind, ok := d.kinds.Of(g.Kind())
	if !ok {
		return out, nil
	}
	instances, err := d.Reader.List(ctx, kind, "", metav1.ListOptions{})
	if err != nil {
		return out, fmt.Errorf("listing the instances of %s: %w", kind.GVK.Kind, err)
	}
	out.Total = len(instances)
	if d.Most > 0 && len(instances) > d.Most {
		instances, out.Omitted = instances[:d.Most], len(instances)-d.Most
	}
	for i := range instances {
		one, err := d.instance(ctx, g, &instances[i])
		if err != nil {
			return out, fmt.Errorf("comparing %s %q: %w", kind.GVK.Kind, instances[i].GetName(), err)
		}
		out.Instances = append(out.Instances, one)
	}
	slices.SortStableFunc(out.Instances, func(a, b Instance) int {
		return cmp.Or(btoi(b.IsChanged())-btoi(a.IsChanged()), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return out, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// instance compares one instance.
func (d *Differ) instance(ctx context.Context, g *graph.Graph, u *unstructured.Unstructured) (Instance, error) {
	out := Instance{Namespace: u.GetNamespace(), Name: u.GetName(), Objects: []Object{}}
	api, as, note, err := d.Actors.For(ctx, g, u.GetNamespace())
	if err != nil {
		return out, err
	}
	out.As, out.Note = as, note
	object, refused := admit(ctx, g, u)
	out.Invalid = refused
	children, err := d.children(ctx, g, u)
	if err != nil {
		return out, err
	}
	p, err := d.plan(ctx, g, object, children)
	if err != nil {
		return out, err
	}
	owner, applier := ownerOf(g, u), apply.New(time.Now)
	for _, o := range differing(p, owner, children) {
		if tried := trial(ctx, applier, apply.Request{Owner: owner, Object: o, Live: children[o.Key], API: api}); tried != nil {
			out.Objects = append(out.Objects, *tried)
		}
	}
	waiting, failed := problems(p)
	out.Waiting = waiting
	out.Objects = append(append(out.Objects, failed...), unwanted(p, children)...)
	return out, nil
}

// plan evaluates until no external is missing any more.
func (d *Differ) plan(ctx context.Context, g *graph.Graph, instance map[string]any, children map[plan.Key]map[string]any) (plan.Plan, error) {
	var known []map[string]any
	for _, key := range slices.SortedFunc(keysOf(children), plan.Key.Compare) {
		known = append(known, children[key])
	}
	read := map[plan.Want]bool{}
	for range maxRounds {
		p := evaluate(ctx, g, instance, known)
		isNew := false
		for _, want := range p.Wants {
			if read[want] {
				continue
			}
			read[want], isNew = true, true
			found, err := d.external(ctx, want)
			if err != nil {
				return p, err
			}
			known = append(known, found...)
		}
		if !isNew {
			return p, nil
		}
	}
	return evaluate(ctx, g, instance, known), nil
}

func keysOf(children map[plan.Key]map[string]any) func(yield func(plan.Key) bool) {
	return func(yield func(plan.Key) bool) {
		for key := range children {
			if !yield(key) {
				return
			}
		}
	}
}

// external reads what an evaluation asks for.
func (d *Differ) external(ctx context.Context, want plan.Want) ([]map[string]any, error) {
	kind, ok := d.kinds.Of(schema.GroupVersionKind{Group: want.Resource.Group, Version: want.Resource.Version, Kind: want.Kind})
	if !ok {
		return nil, nil
	}
	options := metav1.ListOptions{LabelSelector: want.Selector}
	if want.Name != "" {
		options = metav1.ListOptions{FieldSelector: "metadata.name=" + want.Name}
	}
	found, err := d.Reader.List(ctx, kind, want.Namespace, options)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", want.Resource.Resource, err)
	}
	var out []map[string]any
	for i := range found {
		out = append(out, found[i].Object)
	}
	return out, nil
}

// children reads the objects that carry the instance's mark.
func (d *Differ) children(ctx context.Context, g *graph.Graph, u *unstructured.Unstructured) (map[plan.Key]map[string]any, error) {
	out := map[plan.Key]map[string]any{}
	for _, place := range placesOf(g, u) {
		kind, ok := d.kinds.Of(place.WithVersion(""))
		if !ok {
			continue
		}
		found, err := d.Reader.List(ctx, kind, "", metav1.ListOptions{LabelSelector: v1alpha1.LabelInstanceUID + "=" + string(u.GetUID())})
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", kind.Resource.Resource, err)
		}
		for i := range found {
			gvk := found[i].GroupVersionKind()
			key := plan.Key{Group: gvk.Group, Kind: gvk.Kind, Namespace: found[i].GetNamespace(), Name: found[i].GetName()}
			out[key] = found[i].Object
		}
	}
	return out, nil
}

// placesOf gives the kinds that children may have: of the new graph, and of the inventory.
func placesOf(g *graph.Graph, u *unstructured.Unstructured) []schema.GroupKind {
	var out []schema.GroupKind
	for _, n := range g.Nodes() {
		if n.Kind == graph.Template {
			out = append(out, n.GVK.GroupKind())
		}
	}
	if inventory := u.GetAnnotations()[v1alpha1.AnnotationApplySetGroupKinds]; inventory != "" {
		for kind := range strings.SplitSeq(inventory, ",") {
			out = append(out, schema.ParseGroupKind(kind))
		}
	}
	slices.SortFunc(out, func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(out)
}
