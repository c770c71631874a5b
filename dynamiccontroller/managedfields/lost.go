package managedfields

import (
	"maps"
	"slices"
	"strconv"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Lost gives the paths of the leaves of an applied object that are not owned, sorted.
func Lost(applied map[string]any, own Fields) []string {
	w := ownership{at: make([]string, 0, 8)}
	for k, v := range applied {
		if k == "apiVersion" || k == "kind" {
			continue
		}
		if m, ok := v.(map[string]any); ok && k == "metadata" {
			v = withoutIdentity(m)
		}
		w.visit("f:"+k, v, own)
	}
	slices.Sort(w.lost)
	return w.lost
}

// withoutIdentity drops the fields of metadata that the API server never enters into managedFields.
func withoutIdentity(metadata map[string]any) map[string]any {
	out := maps.Clone(metadata)
	for _, k := range []string{"name", "namespace", "uid", "resourceVersion"} {
		delete(out, k)
	}
	return out
}

type ownership struct {
	at   []string // elements from the root to where the walk is
	lost []string
}

// visit goes into one element: an element that is owned with nothing below it is owned as a whole (a leaf, an atomic map
// or list); else its own parts decide.
func (w *ownership) visit(element string, v any, own Fields) {
	w.at = append(w.at, element)
	defer func() { w.at = w.at[:len(w.at)-1] }()
	node := own.below(element)
	if !node.isDeeper() {
		if !node.isMember() && !isEmptyList(v) {
			w.lose("")
		}
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for k, item := range v {
			w.visit("f:"+k, item, node)
		}
	case []any:
		w.items(v, node)
	default:
		if !node.isMember() {
			w.lose("")
		}
	}
}

// lose notes where the walk is, written as structured-merge-diff writes paths.
func (w *ownership) lose(suffix string) {
	path := make(fieldpath.Path, 0, len(w.at))
	for _, text := range w.at {
		element, err := fieldpath.DeserializePathElement(text)
		if err != nil {
			element = fieldpath.FieldNameElement(text)
		}
		path = append(path, element)
	}
	w.lost = append(w.lost, path.String()+suffix)
}

// isEmptyList is for list-maps and sets: without an item they own nothing.
func isEmptyList(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}

// items finds for each item of a list the element that stands for it: by its key fields, by its value, or by
// its index, whichever is used. An element stands for one item only.
func (w *ownership) items(list []any, own Fields) {
	elements := own.elements()
	for i, item := range list {
		n := slices.IndexFunc(elements, func(element string) bool { return stands(element, i, item) })
		if n < 0 {
			w.lose("[" + strconv.Itoa(i) + "]")
			continue
		}
		w.visit(elements[n], item, own)
		elements = slices.Delete(elements, n, n+1)
	}
}

// stands tells whether an element means this item. A key field that the item leaves out has been defaulted by the
// API server, and may have any value.
func stands(element string, index int, item any) bool {
	pe, err := fieldpath.DeserializePathElement(element)
	switch {
	case err != nil:
		return false
	case pe.Index != nil:
		return *pe.Index == index
	case pe.Value != nil:
		return value.Equals(*pe.Value, value.NewValueInterface(item))
	case pe.Key != nil:
		fields, ok := item.(map[string]any)
		return ok && !slices.ContainsFunc(*pe.Key, func(f value.Field) bool {
			have, set := fields[f.Name]
			return set && !value.Equals(f.Value, value.NewValueInterface(have))
		})
	default:
		return false
	}
}
