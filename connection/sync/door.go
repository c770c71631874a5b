package sync

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// callTime bounds one request; the queue does the waiting.
const callTime = 10 * time.Second

// createOnly is a resource version that no stored object has: an apply that carries it creates, or is a conflict.
const createOnly = "1"

// door is where the copies of one resource are written.
type door struct {
	client   dynamic.Interface
	resource schema.GroupVersionResource
	manager  string
	wrote    func(error) // told of each write
}

func (d door) at(namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return d.client.Resource(d.resource)
	}
	return d.client.Resource(d.resource).Namespace(namespace)
}

// create applies a body, unless something of its name is there.
func (d door) create(ctx context.Context, at types.NamespacedName, body map[string]any) (*unstructured.Unstructured, error) {
	return d.apply(ctx, at, withMetadata(body, "resourceVersion", createOnly))
}

// update applies a body to just the object that was looked at.
func (d door) update(ctx context.Context, live *unstructured.Unstructured, body map[string]any) (*unstructured.Unstructured, error) {
	return d.apply(ctx, keyOf(live), withMetadata(body, "uid", string(live.GetUID())))
}

func (d door) apply(ctx context.Context, at types.NamespacedName, body map[string]any) (*unstructured.Unstructured, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encoding the copy %q: %w", at, err)
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	force := true
	answer, err := d.at(at.Namespace).Patch(ctx, at.Name, types.ApplyYAMLPatchType, data, metav1.PatchOptions{FieldManager: d.manager, Force: &force})
	d.wrote(err)
	return answer, err
}

// try asks what the answer to the creation of a body under a name would be, and keeps nothing.
func (d door) try(ctx context.Context, at types.NamespacedName, body map[string]any) error {
	body = withMetadata(withMetadata(body, "name", at.Name), "resourceVersion", createOnly)
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encoding the copy %q: %w", at, err)
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	force := true
	options := metav1.PatchOptions{FieldManager: d.manager, Force: &force, DryRun: []string{metav1.DryRunAll}}
	_, err = d.at(at.Namespace).Patch(ctx, at.Name, types.ApplyYAMLPatchType, data, options)
	return err
}

// get reads past the caches; nil: the API server says that there is none.
func (d door) get(ctx context.Context, at types.NamespacedName) (*unstructured.Unstructured, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	live, err := d.at(at.Namespace).Get(ctx, at.Name, metav1.GetOptions{})
	switch {
	case isGone(err, at.Name):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking for %q: %w", at, err)
	}
	return live, nil
}

// delete deletes just the object that was looked at; gone tells that it was not there any more.
func (d door) delete(ctx context.Context, live *unstructured.Unstructured) (gone bool, err error) {
	uid, background := live.GetUID(), metav1.DeletePropagationBackground
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	err = d.at(live.GetNamespace()).Delete(ctx, live.GetName(), metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &uid}, PropagationPolicy: &background,
	})
	d.wrote(err)
	switch {
	case isGone(err, live.GetName()):
		return true, nil
	case err != nil:
		return false, fmt.Errorf("deleting the copy %q: %w", keyOf(live), err)
	}
	return false, nil
}

// withMetadata gives a body with one more field of metadata, and leaves the given one as it is.
func withMetadata(body map[string]any, key, value string) map[string]any {
	out, metadata := make(map[string]any, len(body)), map[string]any{}
	for k, v := range body {
		out[k] = v
	}
	had, _ := body["metadata"].(map[string]any)
	for k, v := range had {
		metadata[k] = v
	}
	metadata[key] = value
	out["metadata"] = metadata
	return out
}
