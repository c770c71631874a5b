package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

const componentPrefix = "#/components/schemas/"

// The schemas of two Go types that OpenAPI cannot say well: their names tell more than their shapes.
const (
	quantityComponent    = "io.k8s.apimachinery.pkg.api.resource.Quantity"
	intOrStringComponent = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
)

// expansion puts schemas in the place of references to them, for one kind. Parts are shared, not copied: what comes
// out has the size of the document. Only one goroutine uses it.
type expansion struct {
	document *OpenAPI
	open     map[string]bool        // components around the one at hand
	cut      map[string]spec.Schema // expanded components in which a recursive part was cut, for this kind only
	cuts     int                    // how often that happened
}

// expand gives a component with no reference left.
func (o *OpenAPI) expand(component string) (*spec.Schema, error) {
	x := &expansion{document: o, open: map[string]bool{}, cut: map[string]spec.Schema{}}
	s, err := x.component(component)
	if err != nil {
		return nil, err
	}
	return &s, nil
}

func (x *expansion) component(name string) (spec.Schema, error) {
	if s, ok := x.document.whole[name]; ok {
		return s, nil
	}
	if s, ok := x.cut[name]; ok {
		x.cuts++
		return s, nil
	}
	if x.open[name] {
		x.cuts++
		return anything(), nil
	}
	s, err := x.document.parse(name)
	if err != nil {
		return spec.Schema{}, err
	}
	before := x.cuts
	x.open[name] = true
	s, err = x.schema(s)
	delete(x.open, name)
	if err != nil {
		return spec.Schema{}, fmt.Errorf("schema %q: %w", name, err)
	}
	if x.cuts == before {
		x.document.whole[name] = s
	} else {
		x.cut[name] = s
	}
	return s, nil
}

// parse reads one component as it stands in the document.
func (o *OpenAPI) parse(name string) (spec.Schema, error) {
	switch name {
	case quantityComponent:
		return quantity(), nil
	case intOrStringComponent:
		return intOrString(), nil
	}
	var s spec.Schema
	raw, ok := o.components[name]
	if !ok {
		return s, fmt.Errorf("the document has no schema %q", name)
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, fmt.Errorf("parsing schema %q: %w", name, err)
	}
	return s, nil
}

// schema expands s, which it takes over.
func (x *expansion) schema(s spec.Schema) (spec.Schema, error) {
	if ref := referenceOf(s); ref != "" {
		base, err := x.component(strings.TrimPrefix(ref, componentPrefix))
		return overlay(base, s), err
	}
	if err := x.children(&s); err != nil {
		return s, err
	}
	return tidied(s), nil
}

// children expands what s holds, in a stable order.
func (x *expansion) children(s *spec.Schema) (err error) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if s.Properties[name], err = x.schema(s.Properties[name]); err != nil {
			return err
		}
	}
	if s.Items != nil && s.Items.Schema != nil {
		if *s.Items.Schema, err = x.schema(*s.Items.Schema); err != nil {
			return err
		}
	}
	for i := range s.AllOf {
		if s.AllOf[i], err = x.schema(s.AllOf[i]); err != nil {
			return err
		}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		if *s.AdditionalProperties.Schema, err = x.schema(*s.AdditionalProperties.Schema); err != nil {
			return err
		}
	}
	return nil
}

// referenceOf gives the reference that a schema consists of: bare, or wrapped in an allOf beside a description.
func referenceOf(s spec.Schema) string {
	if ref := s.Ref.String(); ref != "" {
		return ref
	}
	if len(s.AllOf) == 1 && len(s.Type) == 0 {
		return s.AllOf[0].Ref.String()
	}
	return ""
}

// overlay gives base with what a place that refers to it says of itself.
func overlay(base, place spec.Schema) spec.Schema {
	base.Default = meaningfulDefault(place.Default)
	base.Nullable = base.Nullable || place.Nullable
	if len(place.Extensions) > 0 {
		extensions := maps.Clone(base.Extensions)
		if extensions == nil {
			extensions = spec.Extensions{}
		}
		maps.Copy(extensions, place.Extensions)
		base.Extensions = extensions
	}
	return base
}
