package world

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Manager is the field manager of what a person applies.
const Manager = "user"

// Read gives the objects of a YAML text.
func Read(text []byte) ([]*unstructured.Unstructured, error) {
	var out []*unstructured.Unstructured
	documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading a document: %w", err)
		}
		u := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(document, &u.Object); err != nil {
			return nil, fmt.Errorf("reading a document: %w", err)
		}
		if len(u.Object) > 0 {
			out = append(out, u)
		}
	}
}

// ReadFile gives the objects of a YAML file.
func ReadFile(path string) ([]*unstructured.Unstructured, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading documents: %w", err)
	}
	return Read(text)
}

// Apply does what kubectl apply does with a YAML text, each document once the API server takes it: a kind that was just
// defined, and a right that was just granted, take a moment. What is invalid fails at once. The objects as the server
// has them are returned.
func (w *World) Apply(ctx context.Context, namespace, documents string) ([]*unstructured.Unstructured, error) {
	all, err := Read([]byte(documents))
	if err != nil {
		return nil, err
	}
	for i, u := range all {
		if all[i], err = w.ApplyObject(ctx, namespace, u); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ApplyObject is Apply for one object.
func (w *World) ApplyObject(ctx context.Context, namespace string, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	var out *unstructured.Unstructured
	err := Until(ctx, fmt.Sprintf("the API server to take %s %q", u.GetKind(), u.GetName()), func() error {
		at, err := w.atObject(u, namespace)
		if err != nil {
			return err
		}
		out, err = at.Apply(ctx, u.GetName(), u, metav1.ApplyOptions{FieldManager: Manager, Force: true})
		if apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) {
			return Final(err)
		}
		return err
	})
	return out, err
}
