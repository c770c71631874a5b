package inspect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/misspelt"
)

// instance fills in an instance: its nodes in the order of its status, with their objects.
func (g *gatherer) instance(it *Item, u, group *unstructured.Unstructured, depth int) {
	standInstance(it, u)
	if group != nil {
		it.Group = group.GetName()
	}
	if it.Relation == Root && group != nil {
		it.Items = append(it.Items, servedBy(group))
	}
	known := definitionOf(group)
	known.isDeleting = u.GetDeletionTimestamp() != nil
	children := g.children(it, u)
	for _, entry := range entriesAt(u.Object, "status", "resources") {
		it.Items = append(it.Items, g.node(entry, children, known, depth))
	}
	for _, key := range slices.SortedFunc(maps.Keys(children), compareKeys) {
		it.Items = append(it.Items, g.leftover(children[key], depth))
	}
	it.Omitted = max(0, int(numberAt(u.Object, "status", "resourcesOmitted"))-count(it.Items, Leftover))
}

func count(items []*Item, relation Relation) int {
	n := 0
	for _, it := range items {
		if it.Relation == relation {
			n++
		}
	}
	return n
}

// standInstance says how an instance is.
func standInstance(it *Item, u *unstructured.Unstructured) {
	it.Class = ClassInstance
	it.State = textAt(u.Object, "status", "state")
	it.Account = textAt(u.Object, "status", "serviceAccount")
	it.Notes = append(it.Notes, misspelt.In(u.GetAnnotations(), misspelt.OnInstance)...)
	if it.State == "" {
		it.State = stateNew
	}
	it.Health = HealthOf(it.State)
	sumUp(it)
	switch {
	case it.State == string(v1alpha1.StateActive) && it.Message != "":
		it.Health = Busy // the author's own Ready is not True
	case it.Reason == string(v1alpha1.ReasonDeletionStalled) || it.Reason == string(v1alpha1.ReasonDeletionForbidden):
		it.Health = Bad
	}
}

// servedBy is the ResourceGroup of an instance, without its other instances.
func servedBy(group *unstructured.Unstructured) *Item {
	it := newItem(group, Group)
	standGroup(it, group)
	return it
}

// definition is what a ResourceGroup says of its nodes, by id.
type definition struct {
	needs     map[string][]string // which nodes hold a node up
	readyWhen map[string][]string

	isDeleting bool // the instance in question
}

// definitionOf reads a ResourceGroup; a nil one says nothing, and of a spec that no engine has looked at the conditions may
// be newer than what runs.
func definitionOf(group *unstructured.Unstructured) definition {
	out := definition{needs: map[string][]string{}, readyWhen: map[string][]string{}}
	if group == nil {
		return out
	}
	for _, entry := range entriesAt(group.Object, "status", "resources") {
		id := textAt(entry, "id")
		for _, dependency := range entriesAt(entry, "dependencies") {
			if soft, _ := dependency["soft"].(bool); !soft {
				out.needs[id] = append(out.needs[id], textAt(dependency, "id"))
			}
		}
	}
	if isBehind(group) || numberAt(group.Object, "status", "latestRevision") != numberAt(group.Object, "status", "servedRevision") {
		return out
	}
	for _, node := range entriesAt(group.Object, "spec", "resources") {
		out.readyWhen[textAt(node, "id")] = textsAt(node, "readyWhen")
	}
	return out
}

// childKey names a child in any version of its kind.
type childKey struct {
	kind            schema.GroupKind
	namespace, name string
}

func compareKeys(a, b childKey) int {
	return cmp.Or(strings.Compare(a.kind.String(), b.kind.String()), strings.Compare(a.namespace, b.namespace), strings.Compare(a.name, b.name))
}

func keyOf(gvk schema.GroupVersionKind, namespace, name string) childKey {
	return childKey{gvk.GroupKind(), namespace, name}
}

// children reads the objects that carry the instance's mark, of the kinds and namespaces of its inventory and its status.
func (g *gatherer) children(it *Item, u *unstructured.Unstructured) map[childKey]*unstructured.Unstructured {
	out := map[childKey]*unstructured.Unstructured{}
	selector := metav1.ListOptions{LabelSelector: v1alpha1.LabelInstanceUID + "=" + it.uid}
	for _, place := range placesOf(u) {
		kind, ok := g.kinds.Of(place.kind.WithVersion(""))
		if !ok || !kind.Namespaced && place.namespace != u.GetNamespace() {
			continue
		}
		found, err := g.reader.List(g.ctx, kind, place.namespace, selector)
		if err != nil {
			it.Notes = append(it.Notes, noteOf(kind.Resource.GroupResource().String(), err))
			continue
		}
		for i := range found {
			out[keyOf(found[i].GroupVersionKind(), found[i].GetNamespace(), found[i].GetName())] = &found[i]
		}
	}
	slices.Sort(it.Notes)
	it.Notes = slices.Compact(it.Notes)
	return out
}

// placesOf gives every kind and namespace in which an instance may have children, sorted.
func placesOf(u *unstructured.Unstructured) []childKey {
	annotations := u.GetAnnotations()
	places := map[childKey]bool{}
	namespaces := append([]string{u.GetNamespace()}, split(annotations[v1alpha1.AnnotationApplySetNamespaces])...)
	for _, kind := range split(annotations[v1alpha1.AnnotationApplySetGroupKinds]) {
		for _, namespace := range namespaces {
			places[childKey{kind: schema.ParseGroupKind(kind), namespace: namespace}] = true
		}
	}
	for _, entry := range entriesAt(u.Object, "status", "resources") {
		gvk := schema.FromAPIVersionAndKind(textAt(entry, "apiVersion"), textAt(entry, "kind"))
		if gvk.Kind != "" {
			places[childKey{kind: gvk.GroupKind(), namespace: cmp.Or(textAt(entry, "namespace"), u.GetNamespace())}] = true
		}
	}
	return slices.SortedFunc(maps.Keys(places), compareKeys)
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// node makes the item of an entry of status.resources. Its object is taken out of the children.
func (g *gatherer) node(entry map[string]any, children map[childKey]*unstructured.Unstructured, known definition, depth int) *Item {
	it := &Item{
		Relation: Node, Class: ClassNone, ID: textAt(entry, "id"), APIVersion: textAt(entry, "apiVersion"), Kind: textAt(entry, "kind"),
		Namespace: textAt(entry, "namespace"), Name: textAt(entry, "name"),
	}
	key := keyOf(schema.FromAPIVersionAndKind(it.APIVersion, it.Kind), it.Namespace, it.Name)
	live, found := children[key]
	switch {
	case found:
		delete(children, key)
		below := g.object(live, Node, depth+1)
		below.ID = it.ID
		it = below
	case it.Kind != "":
		it.Class = ClassObject
	default:
		live, found = takeChildOf(it.ID, children)
		if found { // the node waits, and keeps what it has
			it = g.object(live, Node, depth+1)
			it.ID = textAt(entry, "id")
		}
	}
	// The parent's word on the node is what holds; the child's own state shows in what is below it.
	it.State, it.Since = textAt(entry, "state"), timeAt(entry, "since")
	it.Reason, it.Message = textAt(entry, "reason"), textAt(entry, "message")
	it.Health, it.Needs, it.ReadyWhen = HealthOf(it.State), known.needs[it.ID], known.readyWhen[it.ID]
	switch {
	case found:
		goingAway(it, live)
	case known.isDeleting: // the status still lists what is gone
		it.State, it.Health, it.Message, it.Since = stateGone, Off, "", nil
	}
	return it
}

// takeChildOf takes the first object of a node out of the children.
func takeChildOf(id string, children map[childKey]*unstructured.Unstructured) (*unstructured.Unstructured, bool) {
	for _, key := range slices.SortedFunc(maps.Keys(children), compareKeys) {
		if u := children[key]; u.GetAnnotations()[v1alpha1.AnnotationNode] == id {
			delete(children, key)
			return u, true
		}
	}
	return nil, false
}

// leftover is a child that the status does not list: beyond its limit, or of a node that is not wanted any more.
func (g *gatherer) leftover(u *unstructured.Unstructured, depth int) *Item {
	it := g.object(u, Leftover, depth+1)
	it.ID = u.GetAnnotations()[v1alpha1.AnnotationNode]
	it.State, it.Since = stateExists, it.Created
	it.Health = HealthOf(it.State)
	goingAway(it, u)
	return it
}

// goingAway says of an object that is being deleted what holds it.
func goingAway(it *Item, u *unstructured.Unstructured) {
	deleted := timeAt(u.Object, "metadata", "deletionTimestamp")
	if deleted == nil {
		return
	}
	it.State, it.Since, it.Message = string(v1alpha1.NodeDeleting), deleted, "it is being deleted"
	if finalizers := u.GetFinalizers(); len(finalizers) > 0 {
		it.Message += "; held by " + strings.Join(finalizers, ", ")
	}
	it.Health = HealthOf(it.State)
}

// referred reads an object that another one refers to; what does not exist or may not be read is an item too.
func (g *gatherer) referred(relation Relation, gvk schema.GroupVersionKind, namespace, name string) (*Item, *unstructured.Unstructured) {
	it := &Item{
		Relation: relation, Class: ClassObject, APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind,
		Namespace: namespace, Name: name, Health: Unknown,
	}
	kind, ok := g.kinds.Of(gvk)
	if !ok {
		it.State, it.Health, it.Missing = stateMissing, Bad, true
		it.Message = fmt.Sprintf("this cluster does not serve the kind %s of %s", gvk.Kind, gvk.GroupVersion())
		return it, nil
	}
	u, err := g.reader.Get(g.ctx, kind, namespace, name)
	switch {
	case apierrors.IsNotFound(err):
		it.State, it.Health, it.Missing, it.Message = stateMissing, Bad, true, "it does not exist"
	case err != nil:
		it.Notes = append(it.Notes, noteOf(it.Title(), err))
	default:
		return it, u
	}
	return it, nil
}
