package watch

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// trimmer makes objects small before they are kept. It gives new objects and leaves what it was given as it was, so
// that an answer to a write can be kept as well.
type trimmer struct {
	keepOwnFields bool // of managedFields: the entries of our manager and of the scale subresource
	pool          *pool
}

// trim is a transform of an informer: it gives what the cache keeps of an object, and anything else untouched.
func (t trimmer) trim(obj any) (any, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return obj, nil
	}
	return t.object(u), nil
}

func (t trimmer) object(u *unstructured.Unstructured) *unstructured.Unstructured {
	out := make(map[string]any, len(u.Object))
	for key, value := range u.Object {
		if metadata, ok := value.(map[string]any); ok && key == "metadata" {
			out[key] = t.metadata(metadata)
			continue
		}
		out[t.pool.text(key)] = t.pool.value(value)
	}
	return &unstructured.Unstructured{Object: out}
}

func (t trimmer) metadata(metadata map[string]any) map[string]any {
	out := make(map[string]any, len(metadata))
	for key, value := range metadata {
		switch key {
		case "managedFields":
			if kept := t.managedFields(value); len(kept) > 0 {
				out[key] = kept
			}
		case "annotations":
			if kept := t.annotations(value); len(kept) > 0 {
				out[key] = kept
			}
		default:
			out[t.pool.text(key)] = t.pool.value(value)
		}
	}
	return out
}

func (t trimmer) annotations(value any) map[string]any {
	annotations, _ := value.(map[string]any)
	out := make(map[string]any, len(annotations))
	for key, text := range annotations {
		if key != lastApplied {
			out[t.pool.text(key)] = t.pool.value(text)
		}
	}
	return out
}

func (t trimmer) managedFields(value any) []any {
	entries, _ := value.([]any)
	if !t.keepOwnFields {
		return nil
	}
	kept := make([]any, 0, 2)
	for _, e := range entries {
		if entry, ok := e.(map[string]any); ok && isNeeded(entry) {
			kept = append(kept, t.entry(entry))
		}
	}
	return slices.Clip(kept)
}

func isNeeded(entry map[string]any) bool {
	return entry["manager"] == v1alpha1.FieldManager || entry["subresource"] == "scale"
}

// entry shares the field set, which is alike in all objects that were rendered from one template.
func (t trimmer) entry(entry map[string]any) map[string]any {
	out := make(map[string]any, len(entry))
	for key, value := range entry {
		if fields, ok := value.(map[string]any); ok && key == "fieldsV1" {
			out[key] = t.pool.tree(fields)
			continue
		}
		out[t.pool.text(key)] = t.pool.value(value)
	}
	return out
}
