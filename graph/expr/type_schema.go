package expr

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Schema extensions of Kubernetes.
const (
	extIntOrString     = "x-kubernetes-int-or-string"
	extPreserveUnknown = "x-kubernetes-preserve-unknown-fields"
	extEmbedded        = "x-kubernetes-embedded-resource"
)

// maxSchemaDepth ends a schema that holds itself in spite of what callers promise; below is dynamic.
const maxSchemaDepth = 100

// FromSchema is the type of values that a schema describes. Every $ref must be resolved, and a recursive part must be
// schema-less; nil is dynamic.
func FromSchema(schema *spec.Schema) *Type {
	schema = unwrap(schema)
	return &Type{structure: structureOf(schema, 0), source: schema}
}

// unwrap takes off the allOf of one member that OpenAPI v3 puts around a reference with a default or description.
func unwrap(schema *spec.Schema) *spec.Schema {
	if schema == nil || len(schema.AllOf) != 1 || len(schema.Type) > 0 || len(schema.Properties) > 0 {
		return schema
	}
	inner := schema.AllOf[0]
	inner.Nullable = inner.Nullable || schema.Nullable
	if schema.Default != nil {
		inner.Default = schema.Default
	}
	if schema.Description != "" {
		inner.Description = schema.Description
	}
	return unwrap(&inner)
}

func structureOf(schema *spec.Schema, depth int) *structure {
	schema = unwrap(schema)
	if schema == nil || depth > maxSchemaDepth {
		return intern(structure{})
	}
	s := structure{nullable: schema.Nullable}
	if flagged(schema, extIntOrString) || schema.Format == "int-or-string" || schema.Format == "quantity" {
		s.kind = IntOrString
		return intern(s)
	}
	if len(schema.Type) != 1 {
		if len(schema.Properties) > 0 {
			return objectStructure(schema, s, depth)
		}
		return intern(structure{})
	}
	switch schema.Type[0] {
	case "object":
		return objectStructure(schema, s, depth)
	case "array":
		s.kind, s.elem = List, intern(structure{})
		if schema.Items != nil {
			s.elem = structureOf(schema.Items.Schema, depth+1)
		}
	default:
		s.kind = scalarKind(schema)
	}
	return intern(s)
}

func scalarKind(schema *spec.Schema) Kind {
	switch schema.Type[0] {
	case "boolean":
		return Bool
	case "integer":
		return Int
	case "number":
		return Double
	case "string":
		switch schema.Format {
		case "byte":
			return Bytes
		case "date-time":
			return Timestamp
		case "duration":
			return Duration
		}
		return String
	}
	return Dynamic
}

// objectStructure is a closed or open object if fields are declared, else a map. An object that declares nothing at
// all, as RawExtension does, holds anything.
func objectStructure(schema *spec.Schema, s structure, depth int) *structure {
	if len(schema.Properties) == 0 {
		s.kind, s.elem = Map, intern(structure{})
		if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
			s.elem = structureOf(schema.AdditionalProperties.Schema, depth+1)
		}
		return intern(s)
	}
	s.kind = Object
	s.open = flagged(schema, extPreserveUnknown) || flagged(schema, extEmbedded) ||
		schema.AdditionalProperties != nil && (schema.AdditionalProperties.Allows || schema.AdditionalProperties.Schema != nil)
	s.fields = make(map[string]*structure, len(schema.Properties))
	for name, property := range schema.Properties {
		s.fields[name] = structureOf(&property, depth+1)
	}
	return intern(s)
}

func flagged(schema *spec.Schema, extension string) bool {
	on, ok := schema.Extensions.GetBool(extension)
	return ok && on
}

// Schema is the schema that the type was read from, with all of its constraints; a type that was made otherwise gives
// its StructuralSchema. Read-only.
func (t *Type) Schema() *spec.Schema {
	if t.source != nil {
		return t.source
	}
	return t.StructuralSchema()
}

// StructuralSchema describes the structure alone, as the API server takes it in a CustomResourceDefinition: types,
// formats, fields; no constraints, defaults or texts. An optional is described as what it holds.
func (t *Type) StructuralSchema() *spec.Schema {
	if t.kind == Dynamic && len(t.alternatives) == 2 && isIntAndString(t.alternatives) {
		return structuralSchema(intern(structure{kind: IntOrString}))
	}
	if t.kind == Map && len(t.entries) > 0 && !t.computed {
		schema := schemaOfType("object", "")
		schema.Properties = make(map[string]spec.Schema, len(t.entries))
		for name, entry := range t.entries {
			schema.Properties[name] = *entry.StructuralSchema()
		}
		return schema
	}
	return structuralSchema(t.structure)
}

func schemaOfType(name, format string) *spec.Schema {
	return &spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{name}, Format: format}}
}

var scalarSchemas = map[Kind][2]string{
	Bool: {"boolean"}, Int: {"integer", "int64"}, Uint: {"integer", "int64"}, Double: {"number"}, String: {"string"},
	Bytes: {"string", "byte"}, Timestamp: {"string", "date-time"}, Duration: {"string", "duration"},
}

func structuralSchema(s *structure) *spec.Schema {
	schema := &spec.Schema{}
	switch s.kind {
	case Dynamic, Null, Other:
		schema.AddExtension(extPreserveUnknown, true)
	case IntOrString:
		schema.AddExtension(extIntOrString, true)
	case Optional:
		return structuralSchema(s.elem)
	case List:
		schema = schemaOfType("array", "")
		schema.Items = &spec.SchemaOrArray{Schema: structuralSchema(s.elem)}
	case Map:
		schema = schemaOfType("object", "")
		if s.elem.kind == Dynamic {
			schema.AddExtension(extPreserveUnknown, true)
		} else {
			schema.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: structuralSchema(s.elem)}
		}
	case Object:
		schema = schemaOfType("object", "")
		schema.Properties = make(map[string]spec.Schema, len(s.fields))
		for _, name := range slices.Sorted(maps.Keys(s.fields)) {
			schema.Properties[name] = *structuralSchema(s.fields[name])
		}
		if s.open {
			schema.AddExtension(extPreserveUnknown, true)
		}
	default:
		schema = schemaOfType(scalarSchemas[s.kind][0], scalarSchemas[s.kind][1])
	}
	schema.Nullable = s.nullable
	return schema
}
