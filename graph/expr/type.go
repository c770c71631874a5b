package expr

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Kind is the shape of a Type.
type Kind int

// The kinds of types.
const (
	Dynamic Kind = iota // anything: preserve-unknown, schema-less, a kind that is not installed
	Bool
	Int
	Uint
	Double
	String
	Bytes     // format: byte
	Timestamp // format: date-time
	Duration  // format: duration
	IntOrString
	Null
	List
	Map    // additionalProperties
	Object // properties; may be open as well
	Optional
	Other // a library's own type: url, quantity, ip, …
)

// Type is the type of a value, compared by structure. Immutable; safe for concurrent use.
type Type struct {
	*structure
	source *spec.Schema // what the type was read from; nil for a type that was made otherwise

	// What is known beyond the structure of an expression that is written out, for Accepts alone:
	alternatives []*Type          // of a ternary with branches of different types
	entries      map[string]*Type // of a map literal with constant keys
	items        []*Type          // of a list literal
	computed     bool             // of a map literal: keys that are not constant, too
	omitted      bool             // omit(), optional.none(): fits everywhere
}

// DynamicType is the type of anything.
func DynamicType() *Type { return Primitive(Dynamic) }

// Primitive is the type of a kind without parts: Dynamic … Null.
func Primitive(kind Kind) *Type {
	return &Type{structure: intern(structure{kind: kind})}
}

// ListOf is a list of elements of one type.
func ListOf(elem *Type) *Type {
	return &Type{structure: intern(structure{kind: List, elem: elem.structure})}
}

// MapOf is a map from string to values of one type.
func MapOf(elem *Type) *Type {
	return &Type{structure: intern(structure{kind: Map, elem: elem.structure})}
}

// OptionalOf is a value that may be none.
func OptionalOf(elem *Type) *Type {
	return &Type{structure: intern(structure{kind: Optional, elem: elem.structure})}
}

// ObjectOf is a closed object with these fields.
func ObjectOf(fields map[string]*Type) *Type {
	own := structure{kind: Object, fields: make(map[string]*structure, len(fields))}
	source := &spec.Schema{SchemaProps: spec.SchemaProps{
		Type: spec.StringOrArray{"object"}, Properties: make(map[string]spec.Schema, len(fields)),
	}}
	for name, field := range fields {
		own.fields[name] = field.structure
		source.Properties[name] = *field.Schema()
	}
	return &Type{structure: intern(own), source: source}
}

// Kind is the shape.
func (t *Type) Kind() Kind { return t.kind }

// Elem is what a List, Map or Optional holds; nil for other kinds.
func (t *Type) Elem() *Type {
	if t.elem == nil {
		return nil
	}
	return &Type{structure: t.elem, source: t.elemSource()}
}

func (t *Type) elemSource() *spec.Schema {
	switch {
	case t.source == nil:
		return nil
	case t.kind == List && t.source.Items != nil:
		return t.source.Items.Schema
	case t.kind == Map && t.source.AdditionalProperties != nil:
		return t.source.AdditionalProperties.Schema
	case t.kind == Optional:
		return t.source
	}
	return nil
}

// Field is the type of a field of an Object, of any key of a Map, and of anything of Dynamic. A field that an open
// object does not declare is dynamic.
func (t *Type) Field(name string) (*Type, bool) {
	switch t.kind {
	case Dynamic:
		return DynamicType(), true
	case Map:
		return t.Elem(), true
	case Object:
		field, ok := t.fields[name]
		if !ok {
			return DynamicType(), t.open
		}
		return &Type{structure: field, source: t.fieldSource(name)}, true
	default:
		return nil, false
	}
}

func (t *Type) fieldSource(name string) *spec.Schema {
	if t.source == nil {
		return nil
	}
	if property, ok := t.source.Properties[name]; ok {
		return unwrap(&property)
	}
	return nil
}

// Declares tells whether an Object names the field.
func (t *Type) Declares(name string) bool { return t.kind == Object && t.fields[name] != nil }

// FieldNames are the declared fields of an Object, sorted.
func (t *Type) FieldNames() []string { return slices.Sorted(maps.Keys(t.fields)) }

// IsOpen tells whether the type takes fields that it does not declare.
func (t *Type) IsOpen() bool { return t.kind == Dynamic || t.kind == Map || t.open }

// IsNullable tells whether null is a value of the type.
func (t *Type) IsNullable() bool { return t.nullable || t.kind == Dynamic || t.kind == Null }

// Equal tells whether two types have one structure.
func (t *Type) Equal(other *Type) bool {
	return t.structure == other.structure && len(t.alternatives) == 0 && len(other.alternatives) == 0
}

// String is as people read it: int, list(string), map(string, int), object; a ternary of unlike branches is "int or double".
func (t *Type) String() string {
	if len(t.alternatives) == 0 {
		return t.structure.String()
	}
	text := ""
	for i, alternative := range t.alternatives {
		if i > 0 {
			text += " or "
		}
		text += alternative.String()
	}
	return text
}
