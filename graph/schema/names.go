package schema

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Namer is a Resolver that can say which kinds a group and version has, so that a kind that is not installed can be
// told from one that is misspelt. All resolvers of this package are.
type Namer interface {
	// KindNames gives the names of the kinds that are known, sorted. What cannot be read now is left out.
	KindNames(gv schema.GroupVersion) []string
}

// KindNames asks a resolver for the kinds of a group and version; one that is no Namer knows none.
func KindNames(r Resolver, gv schema.GroupVersion) []string {
	if n, ok := r.(Namer); ok {
		return n.KindNames(gv)
	}
	return nil
}

// KindNames gives the kinds of the document when it is of that group and version.
func (o *OpenAPI) KindNames(gv schema.GroupVersion) []string {
	var out []string
	for _, gvk := range o.Kinds() {
		if gvk.GroupVersion() == gv {
			out = append(out, gvk.Kind)
		}
	}
	return out
}

func (l *library) KindNames(gv schema.GroupVersion) []string {
	document, ok := l.documents[gv]
	if !ok {
		return nil
	}
	o, err := document()
	if err != nil {
		return nil
	}
	return o.KindNames(gv)
}

func (d definitions) KindNames(gv schema.GroupVersion) []string {
	var out []string
	for gvk := range d {
		if gvk.GroupVersion() == gv {
			out = append(out, gvk.Kind)
		}
	}
	slices.Sort(out)
	return out
}

func (c chain) KindNames(gv schema.GroupVersion) []string {
	var out []string
	for _, r := range c {
		out = append(out, KindNames(r, gv)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
