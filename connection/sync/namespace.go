package sync

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync/mirror"
)

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// makeNamespace makes the namespace of a copy, and marks it as ours, so that it goes with the last copy.
func (s *syncer) makeNamespace(ctx context.Context, p *pass) error {
	name := s.placeOf(p.key).Namespace
	namespace := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{
			"name":        name,
			"labels":      map[string]any{v1alpha1.LabelManaged: v1alpha1.True, v1alpha1.LabelConsumerClusterUID: string(s.maker.Cluster)},
			"annotations": map[string]any{v1alpha1.AnnotationConsumerNamespace: p.key.Namespace},
		},
	}}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	_, err := s.remote.Dynamic.Resource(namespaces).Create(ctx, namespace, metav1.CreateOptions{FieldManager: s.maker.Manager()})
	switch {
	case apierrors.IsForbidden(err):
		return &refusal{mirror.Problem{Reason: v1alpha1.ReasonNamespaceNotFound, Message: fmt.Sprintf("the provider has no namespace %q, and the credentials "+
			"of Connection %q may not make it: have it made, or have them allowed to", name, s.task.Connection)}, err}
	case err != nil && !apierrors.IsAlreadyExists(err):
		return fmt.Errorf("making namespace %q at the provider: %w", name, err)
	}
	return nil
}
