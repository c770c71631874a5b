package source

import "strings"

// unpack gives the objects of a v1 List, as `kubectl get -o yaml` prints several, and any other document as it is.
func unpack(document *Document) []*Document {
	items := document.Root.Get("items")
	if document.APIVersion != "v1" || document.Kind != "List" || items == nil || items.Kind != List {
		return []*Document{document}
	}
	out := make([]*Document, 0, len(items.Items))
	for _, item := range items.Items {
		object := NewDocument(document.File, rebase(item, item.Path))
		out = append(out, object)
	}
	return out
}

// rebase copies a value with paths that start at it, not at the document around it.
func rebase(v *Value, root string) *Value {
	out := *v
	out.Path = strings.TrimPrefix(strings.TrimPrefix(v.Path, root), ".")
	out.Items = make([]*Value, len(v.Items))
	for i, item := range v.Items {
		out.Items[i] = rebase(item, root)
	}
	out.Fields = make([]Field, len(v.Fields))
	for i, f := range v.Fields {
		f.Value = rebase(f.Value, root)
		out.Fields[i] = f
	}
	return &out
}
