package connection

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
)

// reference is a binding that refers to a Connection.
type reference struct {
	namespace, name string // the namespace is empty for a ClusterBinding
	apis            []string
	cluster         *v1alpha1.ClusterBinding // nil for a Binding; shared, not to be changed
}

// String is for people: ClusterBinding "acme", Binding "team-a/acme".
func (b reference) String() string {
	if b.namespace == "" {
		return fmt.Sprintf("ClusterBinding %q", b.name)
	}
	return fmt.Sprintf("Binding %q", b.namespace+"/"+b.name)
}

// isManagedBy tells whether autoBind made the binding for this very Connection.
func (b reference) isManagedBy(conn *v1alpha1.Connection) bool {
	return b.cluster != nil && slices.ContainsFunc(b.cluster.OwnerReferences, func(o metav1.OwnerReference) bool { return o.UID == conn.UID })
}

// references gives the bindings that refer to a Connection, ClusterBindings first, each sorted by name.
func (r *Reconciler) references(ctx context.Context, connection string) ([]reference, error) {
	clusterwide, namespaced := &v1alpha1.ClusterBindingList{}, &v1alpha1.BindingList{}
	if err := r.deps.cached.List(ctx, clusterwide); err != nil {
		return nil, fmt.Errorf("listing ClusterBindings: %w", err)
	}
	if err := r.deps.cached.List(ctx, namespaced); err != nil {
		return nil, fmt.Errorf("listing Bindings: %w", err)
	}
	var out []reference
	for i, b := range clusterwide.Items {
		if b.Spec.ConnectionRef.Name == connection {
			out = append(out, reference{name: b.Name, apis: names(b.Spec.APIs), cluster: &clusterwide.Items[i]})
		}
	}
	for _, b := range namespaced.Items {
		if b.Spec.ConnectionRef.Name == connection {
			out = append(out, reference{namespace: b.Namespace, name: b.Name, apis: names(b.Spec.APIs)})
		}
	}
	slices.SortFunc(out, func(a, b reference) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
	})
	return out, nil
}

func names(apis []v1alpha1.BoundAPISpec) []string {
	out := make([]string, len(apis))
	for i, api := range apis {
		out[i] = api.Name
	}
	return out
}

// bound gives the names of the APIs that bindings use. A Binding in a namespace that the Connection does not allow has no
// say.
func (r *Reconciler) bound(ctx context.Context, p *pass) (map[string]bool, error) {
	out := map[string]bool{}
	for _, b := range p.bindings {
		isAllowed, err := r.isAllowed(ctx, p.conn, b)
		if err != nil {
			return nil, err
		}
		if !isAllowed {
			continue
		}
		for _, name := range b.apis {
			out[name] = true
		}
	}
	return out, nil
}

func (r *Reconciler) isAllowed(ctx context.Context, conn *v1alpha1.Connection, b reference) (bool, error) {
	if b.namespace == "" {
		return true, nil
	}
	selector, err := metav1.LabelSelectorAsSelector(conn.Spec.AllowedNamespaces)
	if err != nil { // the API server takes selectors that mean nothing
		return false, nil
	}
	namespace := &metav1.PartialObjectMetadata{}
	namespace.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
	err = r.deps.cached.Get(ctx, types.NamespacedName{Name: b.namespace}, namespace)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading namespace %q: %w", b.namespace, err)
	}
	return selector.Matches(labels.Set(namespace.Labels)), nil
}
