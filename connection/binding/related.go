package binding

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync"
)

// travels gives what goes with the objects of the binding: one task for each kind and direction. Nothing does while no API
// is bound. What is in the spec no longer is deleted where it went; when the binding goes, only where it says Delete.
func travels(p *pass) []api {
	var out []api
	for _, resource := range []v1alpha1.RelatedResourceKind{v1alpha1.RelatedSecrets, v1alpha1.RelatedConfigMaps} {
		for _, direction := range []v1alpha1.SyncDirection{v1alpha1.FromProvider, v1alpha1.FromConsumer} {
			name := fmt.Sprintf("%s %s", resource, direction)
			related, isWanted := selected(p.binding.spec.RelatedResources, resource, direction)
			if isOver := !isWanted || p.binding.isDeleting(); isOver && !p.binding.hasRelated(name) {
				continue // never begun with, or done with
			}
			related.Partial = slices.ContainsFunc(p.apis, isResting)
			if mode, runs := travelMode(p, isWanted); runs {
				out = append(out, travelling(p, name, resource, related, mode))
			}
		}
	}
	return out
}

// isResting tells whether an API of the binding is not being synced, though it may have objects.
func isResting(a api) bool {
	return !a.judgement.runs && a.judgement.reason != v1alpha1.ReasonAPIBoundElsewhere
}

// travelMode says what is done with what travels, or travelled; runs is false when it is left as it is.
func travelMode(p *pass, isWanted bool) (mode sync.Mode, runs bool) {
	isCopying := func(a api) bool { return a.judgement.runs && a.judgement.mode == sync.Copying }
	switch {
	case !p.remote.IsUsable() || !p.isAllowed:
		return sync.Copying, false
	case p.binding.isDeleting():
		return sync.Removing, p.binding.spec.DeletionPolicy == v1alpha1.BindingDeletionDelete && !p.connection.Spec.Abandon
	case !isWanted:
		return sync.Removing, true
	default:
		return sync.Copying, slices.ContainsFunc(p.apis, isCopying)
	}
}

// relatedResources are those that the status names: whatever runs, and what was there before and is not done with.
func relatedResources(p *pass) []string {
	var out []string
	for _, name := range p.binding.status.RelatedResources {
		if !slices.Contains(p.parted, name) {
			out = append(out, name)
		}
	}
	for _, a := range p.related {
		if !slices.Contains(out, a.name) {
			out = append(out, a.name)
		}
	}
	slices.Sort(out)
	return out
}

// selected unites the selectors of one kind and direction; ok is false when there is none.
func selected(all []v1alpha1.RelatedResource, resource v1alpha1.RelatedResourceKind, direction v1alpha1.SyncDirection) (out *sync.Related, ok bool) {
	out = &sync.Related{FromProvider: direction == v1alpha1.FromProvider}
	for _, r := range all {
		if r.Resource != resource || r.Direction != direction {
			continue
		}
		out.Names = append(out.Names, r.Selector.Names...)
		selector, err := metav1.LabelSelectorAsSelector(r.Selector.LabelSelector)
		if err == nil && r.Selector.LabelSelector != nil && !selector.Empty() {
			out.Selectors = append(out.Selectors, selector.String())
		}
	}
	slices.Sort(out.Names)
	slices.Sort(out.Selectors)
	out.Names, out.Selectors = slices.Compact(out.Names), slices.Compact(out.Selectors)
	return out, len(out.Names)+len(out.Selectors) > 0
}

func travelling(p *pass, name string, resource v1alpha1.RelatedResourceKind, related *sync.Related, mode sync.Mode) api {
	out := api{name: name, judgement: judgement{runs: true, mode: mode}}
	out.task = sync.Task{
		Key: sync.Key{Binding: p.key, API: name}, UID: p.binding.object.GetUID(), Connection: p.binding.spec.ConnectionRef.Name,
		Resource: corev1.SchemeGroupVersion.WithResource(string(resource)), Mode: mode, Related: related,
	}
	if m := p.binding.spec.NamespaceMapping; m != nil {
		out.task.Prefix = m.Prefix
	}
	return out
}
