package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// maxKnown is how many fields a schema may have for all of them to be named when an unknown one resembles none.
const maxKnown = 8

// object checks the fields of a map.
func (c *checker) object(s *spec.Schema, m Map, path string) {
	for _, name := range slices.Sorted(maps.Keys(m.Fields)) {
		c.field(s, name, m.Fields[name], path)
	}
	if values := valueSchema(s); values != nil {
		for _, key := range slices.Sorted(maps.Keys(m.Computed)) {
			c.value(values, m.Computed[key], source.JoinKey(path, key))
		}
	}
	if len(m.Computed) == 0 {
		c.required(s, m.Fields, path)
	}
	c.entries(s, m, path)
}

// field checks one field by the schema that declares it.
func (c *checker) field(s *spec.Schema, name string, v any, path string) {
	path = source.JoinKey(path, name)
	if property, ok := s.Properties[name]; ok {
		c.value(&property, v, path)
		return
	}
	if values := valueSchema(s); values != nil {
		c.value(values, v, path)
		return
	}
	if c.partial || isOpen(s) {
		return
	}
	known := slices.Sorted(maps.Keys(s.Properties))
	f := Fault{Path: path, Kind: UnknownField, Message: fmt.Sprintf("unknown field %q", name)}
	f.Nearest = diag.Nearest(name, known)
	f.Suggestion = diag.DidYouMean(name, known)
	if f.Suggestion == "" && len(known) > 0 && len(known) <= maxKnown {
		f.Suggestion = "Known fields: " + strings.Join(known, ", ")
	}
	c.add(f)
}

// valueSchema is the schema of the values of a map's free keys; nil when there is none.
func valueSchema(s *spec.Schema) *spec.Schema {
	if s.AdditionalProperties == nil {
		return nil
	}
	return s.AdditionalProperties.Schema
}

// isOpen tells whether fields may stand that a schema does not declare.
func isOpen(s *spec.Schema) bool {
	return isTrue(*s, extPreserveUnknown) || len(s.Type) == 0 ||
		s.AdditionalProperties != nil && s.AdditionalProperties.Allows
}

// required reports fields that must be there and are not.
func (c *checker) required(s *spec.Schema, fields map[string]any, path string) {
	for _, name := range slices.Sorted(slices.Values(s.Required)) {
		property := s.Properties[name]
		v, written := fields[name]
		if v != nil || written && property.Nullable || property.Default != nil {
			continue
		}
		c.add(Fault{
			Path: source.JoinKey(path, name), Kind: Required,
			Message: fmt.Sprintf("required field %q is missing", name),
		})
	}
}

// entries checks how many entries a map has. Those that an expression gives may be left out in the end.
func (c *checker) entries(s *spec.Schema, m Map, path string) {
	var sure, possible int64
	for _, v := range m.Fields {
		if v == nil {
			continue
		}
		possible++
		if _, isHole := v.(Hole); !isHole {
			sure++
		}
	}
	c.atLeast(s.MinProperties, possible+int64(len(m.Computed)), path, "field")
	c.atMost(s.MaxProperties, sure, path, "field")
}
