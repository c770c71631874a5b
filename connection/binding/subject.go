package binding

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/arbitration"
)

// subject is a ClusterBinding or a Binding.
type subject struct {
	object client.Object
	spec   *v1alpha1.BindingSpec
	status *v1alpha1.BindingStatus
}

func ofCluster(b *v1alpha1.ClusterBinding) *subject { return &subject{b, &b.Spec, &b.Status} }
func ofNamespace(b *v1alpha1.Binding) *subject      { return &subject{b, &b.Spec, &b.Status} }

// of gives the subject of an object that is a binding.
func of(o client.Object) *subject {
	switch b := o.(type) {
	case *v1alpha1.ClusterBinding:
		return ofCluster(b)
	case *v1alpha1.Binding:
		return ofNamespace(b)
	default:
		return &subject{o, &v1alpha1.BindingSpec{}, &v1alpha1.BindingStatus{}}
	}
}

// read gives the binding of a name; without a namespace it is a ClusterBinding.
func read(ctx context.Context, reader client.Reader, name types.NamespacedName) (*subject, error) {
	if name.Namespace == "" {
		b := &v1alpha1.ClusterBinding{}
		return ofCluster(b), reader.Get(ctx, name, b)
	}
	b := &v1alpha1.Binding{}
	return ofNamespace(b), reader.Get(ctx, name, b)
}

// list gives all bindings, in no order.
func list(ctx context.Context, reader client.Reader) ([]*subject, error) {
	clusterwide, namespaced := &v1alpha1.ClusterBindingList{}, &v1alpha1.BindingList{}
	if err := reader.List(ctx, clusterwide); err != nil {
		return nil, fmt.Errorf("listing ClusterBindings: %w", err)
	}
	if err := reader.List(ctx, namespaced); err != nil {
		return nil, fmt.Errorf("listing Bindings: %w", err)
	}
	out := make([]*subject, 0, len(clusterwide.Items)+len(namespaced.Items))
	for i := range clusterwide.Items {
		out = append(out, ofCluster(&clusterwide.Items[i]))
	}
	for i := range namespaced.Items {
		out = append(out, ofNamespace(&namespaced.Items[i]))
	}
	return out, nil
}

// copied gives one that may be changed.
func (s *subject) copied() *subject {
	o, _ := s.object.DeepCopyObject().(client.Object)
	return of(o)
}

func (s *subject) name() types.NamespacedName { return client.ObjectKeyFromObject(s.object) }

func (s *subject) isDeleting() bool { return s.object.GetDeletionTimestamp() != nil }

// claim is how others see the binding. What is recorded in its status it holds until that is let go.
func (s *subject) claim() arbitration.Claim {
	out := arbitration.Claim{
		Namespace: s.object.GetNamespace(), Name: s.object.GetName(),
		Created: s.object.GetCreationTimestamp().Time, Connection: s.spec.ConnectionRef.Name,
	}
	if !s.isDeleting() {
		for _, api := range s.spec.APIs {
			out.APIs = append(out.APIs, api.Name)
		}
	}
	for _, api := range s.status.BoundAPIs {
		out.APIs = append(out.APIs, api.Name)
	}
	return out
}

// sharesAPI tells whether a binding names an API that another one names, in spec or status.
func (s *subject) sharesAPI(other *subject) bool {
	return slices.ContainsFunc(other.spec.APIs, func(a v1alpha1.BoundAPISpec) bool { return s.names(a.Name) }) ||
		slices.ContainsFunc(other.status.BoundAPIs, func(a v1alpha1.BoundAPIStatus) bool { return s.names(a.Name) })
}

func (s *subject) names(api string) bool { return s.api(api) != nil || s.recorded(api) != nil }

// api gives the spec of an API; nil: the binding does not name it.
func (s *subject) api(name string) *v1alpha1.BoundAPISpec {
	for i := range s.spec.APIs {
		if s.spec.APIs[i].Name == name {
			return &s.spec.APIs[i]
		}
	}
	return nil
}

// hasRelated tells whether the status names what travels: kind and direction.
func (s *subject) hasRelated(name string) bool {
	return slices.Contains(s.status.RelatedResources, name)
}

// recorded gives the status of an API; nil: there is none.
func (s *subject) recorded(name string) *v1alpha1.BoundAPIStatus {
	for i := range s.status.BoundAPIs {
		if s.status.BoundAPIs[i].Name == name {
			return &s.status.BoundAPIs[i]
		}
	}
	return nil
}
