package inspect

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/misspelt"
)

// groupOf finds the ResourceGroup that serves an item's kind; nil when there is none, or it may not be read.
func (g *gatherer) groupOf(it *Item) *unstructured.Unstructured {
	gvk := schema.FromAPIVersionAndKind(it.APIVersion, it.Kind)
	if (Kind{GVK: gvk}).IsBuiltIn() {
		return nil
	}
	if g.groups == nil {
		g.groups = g.list("ResourceGroup")
	}
	for i := range g.groups.objects {
		if ServedKind(&g.groups.objects[i]).GroupKind() == gvk.GroupKind() {
			return &g.groups.objects[i]
		}
	}
	return nil
}

// ServedKind is the kind that a ResourceGroup serves.
func ServedKind(group *unstructured.Unstructured) schema.GroupVersionKind {
	out := schema.GroupVersionKind{
		Group: textAt(group.Object, "spec", "schema", "group"), Version: textAt(group.Object, "spec", "schema", "apiVersion"),
		Kind: textAt(group.Object, "spec", "schema", "kind"),
	}
	if out.Group == "" {
		out.Group = "apps.plait.run"
	}
	return out
}

// group fills in a ResourceGroup: its conditions, and how its instances are.
func (g *gatherer) group(it *Item, u *unstructured.Unstructured) {
	standGroup(it, u)
	kind, ok := g.kinds.Of(ServedKind(u))
	if !ok {
		return
	}
	instances, err := g.reader.List(g.ctx, kind, "", metav1.ListOptions{})
	if err != nil {
		it.Notes = append(it.Notes, noteOf("its instances", err))
		return
	}
	for i := range instances {
		part := newItem(&instances[i], Instance)
		standInstance(part, &instances[i])
		it.Items = append(it.Items, part)
	}
	slices.SortStableFunc(it.Items, func(a, b *Item) int { return urgency(a.Health) - urgency(b.Health) })
	if len(it.Items) > maxInstances {
		it.Omitted = len(it.Items) - maxInstances
		it.Items = it.Items[:maxInstances]
	}
}

// standGroup says how a ResourceGroup itself is: a newer spec that is refused shows even while the last good one serves.
func standGroup(it *Item, u *unstructured.Unstructured) {
	it.State = textAt(u.Object, "status", "state")
	if it.State == "" {
		it.State = stateNew
	}
	it.Health = HealthOf(it.State)
	sumUp(it)
	if it.Health == Good && it.Message != "" {
		it.Health = Bad
	}
	if latest, served := numberAt(u.Object, "status", "latestRevision"), numberAt(u.Object, "status", "servedRevision"); served > 0 && served != latest {
		it.Notes = append(it.Notes, fmt.Sprintf("instances run on revision %d; the newest is %d", served, latest))
	}
	it.Notes = append(it.Notes, misspelt.In(u.GetAnnotations(), misspelt.OnGroup)...)
	if it.Suspended {
		it.Notes = append(it.Notes, "suspended: nothing is written for its instances")
	}
}

// sumUp takes reason, message and time of the condition Ready, unless it is True.
func sumUp(it *Item) {
	ready := it.Condition(string(v1alpha1.ConditionReady))
	if ready == nil {
		return
	}
	it.Since = ready.Since
	if ready.Status != "True" {
		it.Reason, it.Message = ready.Reason, ready.Message
	}
}

// urgency orders items: what is wrong first.
func urgency(h Health) int {
	return slices.Index([]Health{Bad, Busy, Unknown, Good, Off}, h)
}
