package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
)

// connection fills in a Connection: the bindings that refer to it with their APIs, and what it exports beyond these.
func (g *gatherer) connection(it *Item, u *unstructured.Unstructured) {
	standByReady(it, u)
	bound := map[string]bool{}
	for _, b := range g.allBindings() {
		if textAt(b.Object, "spec", "connectionRef", "name") != u.GetName() {
			continue
		}
		part := newItem(b, Binding)
		standByReady(part, b)
		part.Items = boundAPIs(b)
		for _, api := range part.Items {
			bound[api.ID] = true
		}
		it.Items = append(it.Items, part)
	}
	if g.bindings.note != "" {
		it.Notes = append(it.Notes, g.bindings.note)
	}
	for _, api := range entriesAt(u.Object, "status", "exportedAPIs") {
		state := textAt(api, "state")
		isWell := state == string(v1alpha1.ExportedAPIInstalled) || state == string(v1alpha1.ExportedAPIAvailable)
		if bound[textAt(api, "name")] && isWell {
			continue // its binding says more
		}
		it.Items = append(it.Items, apiItem(api))
	}
}

// standByReady is for kinds whose whole state is their conditions.
func standByReady(it *Item, u *unstructured.Unstructured) {
	sumUp(it)
	ready := it.Condition(string(v1alpha1.ConditionReady))
	switch {
	case u.GetDeletionTimestamp() != nil:
		it.State = string(v1alpha1.NodeDeleting)
	case ready == nil || it.Behind:
		it.State = stateNew
	case ready.Status == "True":
		it.State = stateReady
	default:
		it.State = stateNotReady
	}
	it.Health = HealthOf(it.State)
}

// allBindings reads bindings of both kinds once, ClusterBindings first.
func (g *gatherer) allBindings() []*unstructured.Unstructured {
	if g.bindings == nil {
		wide, narrow := g.list("ClusterBinding"), g.list("Binding")
		g.bindings = &listing{objects: append(wide.objects, narrow.objects...), note: cmp.Or(wide.note, narrow.note)}
	}
	var out []*unstructured.Unstructured
	for i := range g.bindings.objects {
		out = append(out, &g.bindings.objects[i])
	}
	return out
}

// boundAPIs gives the APIs of a binding: what its status says of them, and those that it has not got to yet.
func boundAPIs(binding *unstructured.Unstructured) []*Item {
	var out []*Item
	known := map[string]bool{}
	for _, api := range entriesAt(binding.Object, "status", "boundAPIs") {
		it := apiItem(api)
		known[it.ID] = true
		if objects := numberAt(api, "objects"); objects > 0 {
			it.Notes = append(it.Notes, plural(objects, "object"))
		}
		if conflicts := numberAt(api, "conflicts"); conflicts > 0 {
			it.Notes = append(it.Notes, plural(conflicts, "conflict"))
		}
		out = append(out, it)
	}
	for _, api := range entriesAt(binding.Object, "spec", "apis") {
		if name := textAt(api, "name"); !known[name] {
			out = append(out, &Item{
				Relation: API, Class: ClassNone, ID: name, State: string(v1alpha1.BoundAPIPending), Health: Busy,
			})
		}
	}
	slices.SortStableFunc(out, func(a, b *Item) int { return strings.Compare(a.ID, b.ID) })
	return out
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func apiItem(api map[string]any) *Item {
	state := textAt(api, "state")
	return &Item{
		Relation: API, Class: ClassNone, ID: textAt(api, "name"), State: state, Health: HealthOf(state),
		Reason: textAt(api, "reason"), Message: textAt(api, "message"),
	}
}

// binding fills in a binding: its Connection, and its APIs.
func (g *gatherer) binding(it *Item, u *unstructured.Unstructured) {
	standByReady(it, u)
	it.Items = append([]*Item{g.connectionNamed(textAt(u.Object, "spec", "connectionRef", "name"))}, boundAPIs(u)...)
}

// connectionNamed gives a Connection without what hangs on it.
func (g *gatherer) connectionNamed(name string) *Item {
	gvk := schema.GroupVersionKind{Group: plaitGroup, Version: "v1alpha1", Kind: "Connection"}
	it, u := g.referred(Connection, gvk, "", name)
	if u == nil {
		return it
	}
	it = newItem(u, Connection)
	standByReady(it, u)
	if host := textAt(u.Object, "status", "providerHost"); host != "" {
		it.Notes = append(it.Notes, "provider "+host)
	}
	return it
}

// copies adds the copy that an object has at a provider: known by the binding of its API, without asking the provider.
func (g *gatherer) copies(it *Item, u *unstructured.Unstructured) {
	kind, ok := g.kinds.Of(u.GroupVersionKind())
	if !ok || kind.IsBuiltIn() || kind.GVK.Group == plaitGroup {
		return
	}
	api := kind.Resource.GroupResource().String()
	for _, b := range g.allBindings() {
		if b.GetNamespace() != "" && b.GetNamespace() != u.GetNamespace() {
			continue
		}
		for _, bound := range boundAPIs(b) {
			if bound.ID == api && bound.Reason != string(v1alpha1.ReasonAPIBoundElsewhere) {
				it.Items = append(it.Items, g.copyOf(u, b, bound))
				return
			}
		}
	}
}

func (g *gatherer) copyOf(u, binding *unstructured.Unstructured, bound *Item) *Item {
	it := &Item{
		Relation: Copy, Class: ClassNone, APIVersion: u.GetAPIVersion(), Kind: u.GetKind(), Name: u.GetName(),
		Namespace: u.GetNamespace(), State: bound.State, Health: bound.Health, Reason: bound.Reason, Message: bound.Message,
	}
	if prefix := textAt(binding.Object, "spec", "namespaceMapping", "prefix"); prefix != "" && it.Namespace != "" {
		it.Namespace = prefix + it.Namespace
	}
	connection := g.connectionNamed(textAt(binding.Object, "spec", "connectionRef", "name"))
	conflict := u.GetAnnotations()[v1alpha1.AnnotationConflict]
	synced := newItem(u, Copy).Condition(string(v1alpha1.ConditionSynced))
	switch {
	case conflict != "":
		it.State, it.Health, it.Reason, it.Message = string(v1alpha1.BoundAPIConflict), Bad, string(v1alpha1.ReasonConflict), conflict
	case synced != nil && synced.Status == "False":
		it.State, it.Health, it.Reason, it.Message, it.Since = stateNotSynced, Bad, synced.Reason, synced.Message, synced.Since
	case bound.State == string(v1alpha1.BoundAPIBound) && !slices.Contains(u.GetFinalizers(), v1alpha1.FinalizerSync):
		it.State, it.Health, it.Message = string(v1alpha1.BoundAPIPending), Busy, "not copied yet"
	case bound.State == string(v1alpha1.BoundAPIBound):
		it.State, it.Health = stateSynced, Good
	}
	it.OwnProblem = conflict != "" || synced != nil && synced.Status == "False"
	part := newItem(binding, Binding)
	standByReady(part, binding)
	it.Items = append(it.Items, connection, part)
	return it
}
