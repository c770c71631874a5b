package watch

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// trimmer makes objects small before they are kept.
type trimmer struct {
	keepOwnFields bool   // of managedFields: the entries of our manager and of the scale subresource
	manager       string // who we are
	statusOnly    bool   // of the rest: status only
	pool          *pool
}

// trim is what a store does with every object. It takes the object over, which nobody else has seen.
func (t trimmer) trim(obj any) (any, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return obj, nil
	}
	out := t.cut(u)
	t.pool.share(out.Object)
	return out, nil
}

// cut gives the object without what is not kept. It changes nothing of u, and shares with it what stays.
func (t trimmer) cut(u *unstructured.Unstructured) *unstructured.Unstructured {
	metadata, ok := u.Object["metadata"].(map[string]any)
	if !ok {
		return u
	}
	metadata = maps.Clone(metadata)
	t.cutManagedFields(metadata)
	cutAnnotations(metadata)
	out := maps.Clone(u.Object)
	if t.statusOnly {
		maps.DeleteFunc(out, func(key string, _ any) bool { return key != "apiVersion" && key != "kind" && key != "status" })
	}
	out["metadata"] = metadata
	return &unstructured.Unstructured{Object: out}
}

func cutAnnotations(metadata map[string]any) {
	annotations, _ := metadata["annotations"].(map[string]any)
	if _, ok := annotations[lastApplied]; !ok {
		return
	}
	annotations = maps.Clone(annotations)
	delete(annotations, lastApplied)
	metadata["annotations"] = annotations
}

func (t trimmer) cutManagedFields(metadata map[string]any) {
	entries, _ := metadata["managedFields"].([]any)
	var kept []any
	for _, e := range entries {
		if entry, ok := e.(map[string]any); ok && t.keepOwnFields && t.isNeeded(entry) {
			kept = append(kept, entry)
		}
	}
	delete(metadata, "managedFields")
	if len(kept) > 0 {
		metadata["managedFields"] = kept
	}
}

func (t trimmer) isNeeded(entry map[string]any) bool {
	return entry["manager"] == t.manager || entry["subresource"] == "scale"
}
