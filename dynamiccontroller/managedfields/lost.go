package managedfields

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Lost gives the paths of the leaves of an applied object that the set does not own, sorted.
func Lost(applied map[string]any, own *fieldpath.Set) []string {
	w := ownership{}
	for k, v := range applied {
		if k == "apiVersion" || k == "kind" {
			continue
		}
		if m, ok := v.(map[string]any); ok && k == "metadata" {
			v = withoutIdentity(m)
		}
		w.field(fieldpath.Path{}, k, v, own)
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

type ownership struct{ lost []string }

func (w *ownership) field(at fieldpath.Path, key string, v any, own *fieldpath.Set) {
	w.visit(at, fieldpath.FieldNameElement(key), v, own)
}

// visit goes into one element: an element that the set holds with nothing below it is owned as a whole (a leaf, an
// atomic map or list); else its own parts decide.
func (w *ownership) visit(at fieldpath.Path, pe fieldpath.PathElement, v any, own *fieldpath.Set) {
	at = append(slices.Clone(at), pe)
	below, deeper := own.Children.Get(pe)
	if !deeper {
		if !own.Members.Has(pe) && !isEmptyList(v) {
			w.lost = append(w.lost, at.String())
		}
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for k, item := range v {
			w.field(at, k, item, below)
		}
	case []any:
		w.items(at, v, below)
	default:
		if !own.Members.Has(pe) {
			w.lost = append(w.lost, at.String())
		}
	}
}

// isEmptyList is for list-maps and sets: without an item they own nothing.
func isEmptyList(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}

// items finds for each item of a list the element that stands for it: by its key fields, by its value, or by
// its index, whichever the set uses. An element stands for one item only.
func (w *ownership) items(at fieldpath.Path, list []any, own *fieldpath.Set) {
	elements := elementsOf(own)
	for i, item := range list {
		n := slices.IndexFunc(elements, func(pe fieldpath.PathElement) bool { return stands(pe, i, item) })
		if n < 0 {
			w.lost = append(w.lost, fmt.Sprintf("%s[%d]", at, i))
			continue
		}
		w.visit(at, elements[n], item, own)
		elements = slices.Delete(elements, n, n+1)
	}
}

func elementsOf(set *fieldpath.Set) []fieldpath.PathElement {
	var out []fieldpath.PathElement
	for pe := range set.Members.All() {
		out = append(out, pe)
	}
	for pe := range set.Children.All() {
		if !set.Members.Has(pe) {
			out = append(out, pe)
		}
	}
	return out
}

// stands tells whether an element means this item. A key field that the item leaves out has been defaulted by the
// API server, and may have any value.
func stands(pe fieldpath.PathElement, index int, item any) bool {
	switch {
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
