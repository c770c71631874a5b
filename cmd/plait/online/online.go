// Package online compiles ResourceGroups as package offline does, with the kinds that a cluster has installed.
//
// plait diff and the console call it. Built-in kinds are those that plait is built with; definitions of other kinds are read
// from the cluster, with the rights of whoever asks. A definition that may not be read counts as not installed.
package online

import (
	"context"
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/source"
)

// Load compiles the groups among documents. What known has wins over the cluster.
func Load(ctx context.Context, reader inspect.Reader, documents, known []*source.Document) (*offline.Set, error) {
	set, err := offline.Load(ctx, documents, known)
	if err != nil {
		return nil, err
	}
	kinds, err := reader.Kinds(ctx)
	if err != nil {
		return nil, err
	}
	var found []*source.Document
	seen := map[schema.GroupKind]bool{}
	for _, group := range set.Groups {
		for _, used := range offline.UsedKinds(group.Source) {
			kind, ok := kinds.Of(used.WithVersion(""))
			if !ok || seen[used] || kind.IsBuiltIn() {
				continue
			}
			seen[used] = true
			u, err := definition(ctx, reader, kinds, kind)
			if err != nil {
				return nil, err
			}
			if u != nil {
				document, err := documentOf(u)
				if err != nil {
					return nil, err
				}
				found = append(found, document)
			}
		}
	}
	if len(found) == 0 {
		return set, nil
	}
	return offline.Load(ctx, documents, append(known, found...))
}

// Compile compiles one ResourceGroup of a cluster. The graph is nil when it does not compile.
func Compile(ctx context.Context, reader inspect.Reader, group *unstructured.Unstructured) (*graph.Graph, error) {
	document, err := documentOf(group)
	if err != nil {
		return nil, err
	}
	set, err := Load(ctx, reader, []*source.Document{document}, nil)
	if err != nil || len(set.Groups) == 0 {
		return nil, err
	}
	return set.Groups[0].Graph, nil
}

// Definition reads the CustomResourceDefinition of a resource; nil when there is none.
func Definition(ctx context.Context, reader inspect.Reader, resource schema.GroupResource) (*apiextensionsv1.CustomResourceDefinition, error) {
	kinds, err := reader.Kinds(ctx)
	if err != nil {
		return nil, err
	}
	kind, ok := kinds.Of(definitionKind)
	if !ok {
		return nil, nil
	}
	u, err := reader.Get(ctx, kind, "", resource.String())
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading CustomResourceDefinition %q: %w", resource, err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, crd); err != nil {
		return nil, fmt.Errorf("decoding CustomResourceDefinition %q: %w", resource, err)
	}
	return crd, nil
}

var definitionKind = schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}

// definition gives the definition of a kind as the cluster has it; nil when there is none, or it may not be read.
func definition(ctx context.Context, reader inspect.Reader, kinds inspect.Kinds, kind inspect.Kind) (*unstructured.Unstructured, error) {
	of, ok := kinds.Of(definitionKind)
	if !ok {
		return nil, nil
	}
	u, err := reader.Get(ctx, of, "", kind.Resource.GroupResource().String())
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the definition of %q: %w", kind.GVK.Kind, err)
	}
	return u, nil
}

// documentOf gives an object of the cluster as a document, without what the cluster adds.
func documentOf(u *unstructured.Unstructured) (*source.Document, error) {
	plain := map[string]any{
		"apiVersion": u.GetAPIVersion(), "kind": u.GetKind(),
		"metadata": map[string]any{"name": u.GetName(), "labels": u.GetLabels(), "annotations": u.GetAnnotations()},
		"spec":     u.Object["spec"],
	}
	data, err := json.Marshal(plain)
	if err != nil {
		return nil, fmt.Errorf("reading %s %q: %w", u.GetKind(), u.GetName(), err)
	}
	documents, problems := source.Parse(u.GetKind()+" "+u.GetName(), data)
	if len(documents) != 1 {
		return nil, fmt.Errorf("reading %s %q: %s", u.GetKind(), u.GetName(), problems.Sorted())
	}
	return documents[0], nil
}
