// Package stage has a cluster that is written down in a file: a Reader for tests of whatever package inspect serves.
//
// A kind is served if the file has an object of it, or a document `serves: {apiVersion, kind}`; its plural is its name and an
// s. A document `forbidden: [plural…]` takes the right to read these resources away.
package stage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/plait-run/plait/cmd/plait/inspect"
)

// Stage is a cluster. It is not safe for concurrent use while it is changed.
type Stage struct {
	objects   []unstructured.Unstructured
	kinds     inspect.Kinds
	forbidden []string
}

var _ inspect.Reader = (*Stage)(nil)

// Read reads a cluster from a file.
func Read(file string) (*Stage, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", file, err)
	}
	s := &Stage{}
	documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 1<<16)
	for {
		var document map[string]any
		if err := documents.Decode(&document); errors.Is(err, io.EOF) {
			return s, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading %q: %w", file, err)
		}
		s.add(document)
	}
}

func (s *Stage) add(document map[string]any) {
	if list, ok := document["forbidden"].([]any); ok {
		for _, resource := range list {
			s.forbidden = append(s.forbidden, fmt.Sprint(resource))
		}
		return
	}
	if served, ok := document["serves"].(map[string]any); ok {
		s.serve(unstructured.Unstructured{Object: served}, true)
		return
	}
	u := unstructured.Unstructured{Object: document}
	s.objects = append(s.objects, u)
	s.serve(u, u.GetNamespace() != "")
}

func (s *Stage) serve(u unstructured.Unstructured, isNamespaced bool) {
	gvk := u.GroupVersionKind()
	if _, known := s.kinds.Of(gvk); known {
		return
	}
	singular := strings.ToLower(gvk.Kind)
	s.kinds = append(s.kinds, inspect.Kind{
		GVK: gvk, Resource: gvk.GroupVersion().WithResource(singular + "s"), Namespaced: isNamespaced, Singular: singular,
	})
}

// Kinds is part of inspect.Reader.
func (s *Stage) Kinds(context.Context) (inspect.Kinds, error) { return s.kinds, nil }

// Get is part of inspect.Reader.
func (s *Stage) Get(_ context.Context, kind inspect.Kind, namespace, name string) (*unstructured.Unstructured, error) {
	if err := s.allow(kind); err != nil {
		return nil, err
	}
	for i := range s.objects {
		if o := &s.objects[i]; isOf(o, kind, namespace) && o.GetName() == name {
			return o.DeepCopy(), nil
		}
	}
	return nil, apierrors.NewNotFound(kind.Resource.GroupResource(), name)
}

// List is part of inspect.Reader. Of field selectors it knows involvedObject.uid and metadata.name.
func (s *Stage) List(_ context.Context, kind inspect.Kind, namespace string, options metav1.ListOptions) ([]unstructured.Unstructured, error) {
	if err := s.allow(kind); err != nil {
		return nil, err
	}
	selector, err := labels.Parse(options.LabelSelector)
	if err != nil {
		return nil, fmt.Errorf("reading the label selector: %w", err)
	}
	field, err := fields.ParseSelector(options.FieldSelector)
	if err != nil {
		return nil, fmt.Errorf("reading the field selector: %w", err)
	}
	var out []unstructured.Unstructured
	for i := range s.objects {
		o := &s.objects[i]
		uid, _, _ := unstructured.NestedString(o.Object, "involvedObject", "uid")
		if isOf(o, kind, namespace) && selector.Matches(labels.Set(o.GetLabels())) && field.Matches(fields.Set{"involvedObject.uid": uid, "metadata.name": o.GetName()}) {
			out = append(out, *o.DeepCopy())
		}
	}
	return out, nil
}

func isOf(o *unstructured.Unstructured, kind inspect.Kind, namespace string) bool {
	return o.GroupVersionKind() == kind.GVK && (namespace == "" || o.GetNamespace() == namespace || !kind.Namespaced)
}

func (s *Stage) allow(kind inspect.Kind) error {
	if slices.Contains(s.forbidden, kind.Resource.Resource) {
		return apierrors.NewForbidden(kind.Resource.GroupResource(), "", errors.New("not yours"))
	}
	return nil
}
