package binding

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/arbitration"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// look gathers what the binding's APIs depend on.
func (r *Reconciler) look(ctx context.Context, p *pass) (step.Outcome, error) {
	name := p.binding.spec.ConnectionRef.Name
	var err error
	if p.connection, err = r.connection(ctx, name); err != nil {
		return step.Stop(), err
	}
	if remote, ok := r.deps.Providers.Remote(name); ok && p.connection != nil {
		p.remote = remote
	}
	if p.isAllowed, err = r.isAllowed(ctx, p.connection, p.name.Namespace); err != nil {
		return step.Stop(), err
	}
	p.others, err = r.claims(ctx)
	return step.Next(), err
}

func (r *Reconciler) connection(ctx context.Context, name string) (*v1alpha1.Connection, error) {
	connection := &v1alpha1.Connection{}
	err := r.deps.cached.Get(ctx, types.NamespacedName{Name: name}, connection)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading Connection %q: %w", name, err)
	}
	return connection, nil
}

// isAllowed tells whether a Connection lets bindings of a namespace use it. ClusterBindings, which have none, always may.
func (r *Reconciler) isAllowed(ctx context.Context, connection *v1alpha1.Connection, namespace string) (bool, error) {
	if connection == nil || namespace == "" {
		return connection != nil, nil
	}
	selector, err := metav1.LabelSelectorAsSelector(connection.Spec.AllowedNamespaces)
	if err != nil {
		return false, nil // it selects nothing; the Connection's own schema refuses most of these
	}
	if selector.Empty() {
		return true, nil
	}
	about := &metav1.PartialObjectMetadata{}
	about.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
	err = r.deps.cached.Get(ctx, types.NamespacedName{Name: namespace}, about)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading namespace %q: %w", namespace, err)
	}
	return selector.Matches(labels.Set(about.Labels)), nil
}

// claims gives the claims of all bindings that may have what they want, or have something still.
func (r *Reconciler) claims(ctx context.Context) ([]arbitration.Claim, error) {
	bindings, err := list(ctx, r.deps.cached)
	if err != nil {
		return nil, err
	}
	var out []arbitration.Claim
	for _, b := range bindings {
		connection, err := r.connection(ctx, b.spec.ConnectionRef.Name)
		if err != nil {
			return nil, err
		}
		isAllowed, err := r.isAllowed(ctx, connection, b.object.GetNamespace())
		if err != nil {
			return nil, err
		}
		if isAllowed {
			out = append(out, b.claim())
		}
	}
	return out, nil
}

// definition gives the CustomResourceDefinition of an API. The cache has those of Connections; with live one of somebody
// else is found as well.
func (r *Reconciler) definition(ctx context.Context, name string, live bool) (*definition, error) {
	readers := []client.Reader{r.deps.cached}
	if live {
		readers = append(readers, r.deps.live)
	}
	for _, reader := range readers {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		err := reader.Get(ctx, types.NamespacedName{Name: name}, crd)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading the definition %q: %w", name, err)
		}
		return definitionOf(crd), nil
	}
	return nil, nil
}
