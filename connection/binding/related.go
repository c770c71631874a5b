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
// is bound. When the binding goes, copies go with it only where it says Delete.
func travels(p *pass) []api {
	mode, runs := sync.Copying, p.remote.IsUsable() && p.isAllowed
	if p.binding.isDeleting() {
		mode, runs = sync.Removing, runs && p.binding.spec.DeletionPolicy == v1alpha1.BindingDeletionDelete && !p.connection.Spec.Abandon
	} else {
		runs = runs && slices.ContainsFunc(p.apis, func(a api) bool { return a.judgement.runs && a.judgement.mode == sync.Copying })
	}
	if !runs {
		return nil
	}
	var out []api
	for _, resource := range []v1alpha1.RelatedResourceKind{v1alpha1.RelatedSecrets, v1alpha1.RelatedConfigMaps} {
		for _, direction := range []v1alpha1.SyncDirection{v1alpha1.FromProvider, v1alpha1.FromConsumer} {
			if related := selected(p.binding.spec.RelatedResources, resource, direction); related != nil {
				out = append(out, travelling(p, fmt.Sprintf("%s %s", resource, direction), resource, related, mode))
			}
		}
	}
	return out
}

// selected unites the selectors of one kind and direction; nil: there is none.
func selected(all []v1alpha1.RelatedResource, resource v1alpha1.RelatedResourceKind, direction v1alpha1.SyncDirection) *sync.Related {
	out := &sync.Related{FromProvider: direction == v1alpha1.FromProvider}
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
	if len(out.Names)+len(out.Selectors) == 0 {
		return nil
	}
	slices.Sort(out.Names)
	slices.Sort(out.Selectors)
	out.Names, out.Selectors = slices.Compact(out.Names), slices.Compact(out.Selectors)
	return out
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
