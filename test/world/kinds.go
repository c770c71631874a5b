package world

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// At gives the objects of a kind, named as kubectl names it, in a namespace, or outside of any when the kind is
// cluster-scoped. A kind that the API server does not have is an error that waiting may mend.
func (w *World) At(kind, namespace string) (dynamic.ResourceInterface, error) {
	mapping, err := w.mappingOf(kind)
	if meta.IsNoMatchError(err) {
		w.mapper.Reset()
	}
	if err != nil {
		return nil, fmt.Errorf("finding the kind %q: %w", kind, err)
	}
	return w.place(mapping, namespace), nil
}

func (w *World) mappingOf(kind string) (*meta.RESTMapping, error) {
	resource := schema.ParseGroupResource(strings.ToLower(kind)).WithVersion("")
	gvk, err := w.mapper.KindFor(resource)
	if err != nil {
		return nil, err
	}
	return w.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
}

func (w *World) place(mapping *meta.RESTMapping, namespace string) dynamic.ResourceInterface {
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return w.Client.Resource(mapping.Resource).Namespace(namespace)
	}
	return w.Client.Resource(mapping.Resource)
}

// atObject is At for the kind that an object has; its own namespace wins.
func (w *World) atObject(u *unstructured.Unstructured, namespace string) (dynamic.ResourceInterface, error) {
	gvk := u.GroupVersionKind()
	mapping, err := w.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if meta.IsNoMatchError(err) {
		w.mapper.Reset()
	}
	if err != nil {
		return nil, fmt.Errorf("finding the kind of %s %s: %w", u.GetKind(), u.GetName(), err)
	}
	if own := u.GetNamespace(); own != "" {
		namespace = own
	}
	return w.place(mapping, namespace), nil
}

// Get reads an object.
func (w *World) Get(ctx context.Context, kind, namespace, name string) (*unstructured.Unstructured, error) {
	at, err := w.At(kind, namespace)
	if err != nil {
		return nil, err
	}
	return at.Get(ctx, name, metav1.GetOptions{})
}
