package inspect

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Limits of a tree.
const (
	maxDepth     = 8   // instances within instances, and mounts of them
	maxInstances = 100 // of a ResourceGroup that are listed
)

// Reference names an object.
type Reference struct {
	Kind      Kind
	Namespace string // empty for a cluster-scoped kind
	Name      string
}

// Options say what to gather beside the tree.
type Options struct {
	Findings bool // what pods and events say of objects that are not ready
}

// Gather reads an object and what hangs on it. An error is about the object itself; what else cannot be read stands in the
// Notes of the items.
func Gather(ctx context.Context, reader Reader, ref Reference, options Options) (*Item, error) {
	kinds, err := reader.Kinds(ctx)
	if err != nil {
		return nil, err
	}
	u, err := reader.Get(ctx, ref.Kind, ref.Namespace, ref.Name)
	if err != nil {
		return nil, fmt.Errorf("reading %s %q: %w", ref.Kind.GVK.Kind, ref.Name, err)
	}
	g := &gatherer{ctx: ctx, reader: reader, kinds: kinds, options: options}
	return g.object(u, Root, 0), nil
}

// Summarise makes the item of an object without anything below it. isInstance is for kinds that a ResourceGroup serves.
func Summarise(u *unstructured.Unstructured, isInstance bool) *Item {
	it := newItem(u, Root)
	switch it.Class {
	case ClassGroup:
		standGroup(it, u)
	case ClassConnection, ClassBinding:
		standByReady(it, u)
	case ClassWorkspace:
		standWorkspace(it, u)
	case ClassInstance, ClassObject, ClassNone:
		if isInstance {
			standInstance(it, u)
		} else {
			it.State, it.Message = standing(u, it.Conditions)
			it.Health = HealthOf(it.State)
		}
	}
	return it
}

// gatherer is one gathering; what several items need is read once.
type gatherer struct {
	ctx     context.Context
	reader  Reader
	kinds   Kinds
	options Options

	groups   *listing
	bindings *listing
	seen     []string // UIDs of the objects above the current one: a ring of instances ends there
}

// listing is what a list gave, or why there is none.
type listing struct {
	objects []unstructured.Unstructured
	note    string
}

// object makes the item of an object that was read.
func (g *gatherer) object(u *unstructured.Unstructured, relation Relation, depth int) *Item {
	it := newItem(u, relation)
	if depth > maxDepth || slices.Contains(g.seen, it.uid) {
		it.Notes = append(it.Notes, "what is below it stands above already, or lies too deep")
		return it
	}
	g.seen = append(g.seen, it.uid)
	defer func() { g.seen = g.seen[:len(g.seen)-1] }()
	switch classOf(u) {
	case ClassGroup:
		g.group(it, u)
	case ClassConnection:
		g.connection(it, u)
	case ClassBinding:
		g.binding(it, u)
	case ClassWorkspace:
		g.workspace(it, u, depth)
	case ClassInstance, ClassObject, ClassNone:
		g.other(it, u, depth)
	}
	return it
}

// other is an object of no kind of Plait's own: an instance, or anything else.
func (g *gatherer) other(it *Item, u *unstructured.Unstructured, depth int) {
	if group := g.groupOf(it); group != nil || isInstance(u) {
		g.instance(it, u, group, depth)
	} else if it.Relation == Root || it.Relation == Mount {
		it.State, it.Message = standing(u, it.Conditions)
		it.Health = HealthOf(it.State)
		if owner := u.GetAnnotations()[v1alpha1.AnnotationInstance]; owner != "" {
			it.Notes = append(it.Notes, fmt.Sprintf("node %s of instance %s", u.GetAnnotations()[v1alpha1.AnnotationNode], owner))
		}
	}
	g.copies(it, u)
	g.findings(it, u)
}

func newItem(u *unstructured.Unstructured, relation Relation) *Item {
	it := &Item{
		Relation: relation, Class: classOf(u), APIVersion: u.GetAPIVersion(), Kind: u.GetKind(),
		Namespace: u.GetNamespace(), Name: u.GetName(), uid: string(u.GetUID()), version: u.GetResourceVersion(),
		Conditions: conditionsOf(u.Object), Behind: isBehind(u),
		Suspended: u.GetAnnotations()[v1alpha1.AnnotationReconcile] == v1alpha1.ReconcileSuspended,
	}
	it.Created = timeAt(u.Object, "metadata", "creationTimestamp")
	it.Health = Unknown
	return it
}

// classOf tells Plait's own kinds from others.
func classOf(u *unstructured.Unstructured) Class {
	gk := u.GroupVersionKind().GroupKind()
	switch {
	case gk.Group == "tenancy.kcp.io" && gk.Kind == "Workspace":
		return ClassWorkspace
	case gk.Group != plaitGroup:
		return ClassObject
	}
	switch gk.Kind {
	case "ResourceGroup":
		return ClassGroup
	case "Connection":
		return ClassConnection
	case "Binding", "ClusterBinding":
		return ClassBinding
	case "Workspace":
		return ClassWorkspace
	default:
		return ClassObject
	}
}

// isInstance goes by what only the engine writes, for those who may not read ResourceGroups.
func isInstance(u *unstructured.Unstructured) bool {
	return slices.Contains(u.GetFinalizers(), v1alpha1.FinalizerInstance) ||
		slices.ContainsFunc(conditionsOf(u.Object), func(c Condition) bool { return c.Type == string(v1alpha1.ConditionInstanceManaged) })
}

// standing says of an object of any kind how it is, by its condition Ready or Available.
func standing(u *unstructured.Unstructured, conditions []Condition) (state, message string) {
	if u.GetDeletionTimestamp() != nil {
		return string(v1alpha1.NodeDeleting), ""
	}
	for _, kind := range []string{string(v1alpha1.ConditionReady), "Available"} {
		for _, c := range conditions {
			switch {
			case c.Type != kind:
			case c.Status == "True":
				return stateReady, ""
			default:
				return stateNotReady, c.Message
			}
		}
	}
	return stateExists, ""
}

// list reads all objects of a kind of Plait's; a kind that is not installed has none.
func (g *gatherer) list(kind string) *listing {
	k, ok := g.kinds.Of(schema.GroupVersionKind{Group: plaitGroup, Version: "v1alpha1", Kind: kind})
	if !ok {
		return &listing{}
	}
	objects, err := g.reader.List(g.ctx, k, "", metav1.ListOptions{})
	if err != nil {
		return &listing{note: noteOf(k.Resource.Resource, err)}
	}
	return &listing{objects: objects}
}

// noteOf says what could not be read.
func noteOf(what string, err error) string {
	if apierrors.IsForbidden(err) {
		return fmt.Sprintf("you may not read %s", what)
	}
	return fmt.Sprintf("reading %s: %v", what, err)
}
