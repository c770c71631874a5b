package crd

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph/source"
)

// schema compares two schemas of one field. A field of another type is one change, whatever is below.
func (d *differ) schema(path string, old, wanted *apiextensionsv1.JSONSchemaProps) {
	if before, after := typeName(old), typeName(wanted); before != after {
		d.add(path, "the type changed from %s to %s", before, after)
		return
	}
	d.properties(path, old, wanted)
	d.elements(path, old, wanted)
	d.listType(path, old, wanted)
	d.values(path, old, wanted)
	d.bounds(path, old, wanted)
	d.rules(path, old, wanted)
	d.combinations(path, old, wanted)
	d.defaults(path, old, wanted)
}

// typeName tells types apart as clients must.
func typeName(s *apiextensionsv1.JSONSchemaProps) string {
	switch {
	case s.XIntOrString:
		return "int-or-string"
	case s.XEmbeddedResource:
		return "embedded resource"
	case s.Type == "":
		return "any"
	case s.AdditionalProperties != nil && (s.AdditionalProperties.Allows || s.AdditionalProperties.Schema != nil):
		return "map"
	case s.Type == "object" && len(s.Properties) == 0 && keepsUnknown(s):
		return "open object"
	default:
		return s.Type
	}
}

func keepsUnknown(s *apiextensionsv1.JSONSchemaProps) bool {
	return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields
}

func (d *differ) properties(path string, old, wanted *apiextensionsv1.JSONSchemaProps) {
	if keepsUnknown(old) && !keepsUnknown(wanted) {
		d.add(path, "unknown fields are not kept any more")
	}
	for _, name := range slices.Sorted(maps.Keys(old.Properties)) {
		d.property(source.JoinKey(path, name), old, wanted, name)
	}
	for _, name := range wanted.Required {
		property, wasThere := old.Properties[name]
		isNew := !slices.Contains(old.Required, name) || wasThere && property.Default != nil
		if after := wanted.Properties[name]; isNew && after.Default == nil {
			d.add(source.JoinKey(path, name), "it is required now and has no default")
		}
	}
}

// property compares one field of two structs.
func (d *differ) property(path string, old, wanted *apiextensionsv1.JSONSchemaProps, name string) {
	before, had := old.Properties[name]
	after, has := wanted.Properties[name]
	switch {
	case !had:
	case has:
		d.schema(path, &before, &after)
	case !keepsUnknown(wanted):
		d.add(path, "the field was removed")
	}
}

func (d *differ) elements(path string, old, wanted *apiextensionsv1.JSONSchemaProps) {
	before, after := items(old), items(wanted)
	switch {
	case before != nil && after != nil:
		d.schema(path+"[*]", before, after)
	case before == nil && after != nil:
		d.add(path, "the elements have a type now: %s", typeName(after))
	}
	before, after = values(old), values(wanted)
	switch {
	case before != nil && after != nil:
		d.schema(path+".*", before, after)
	case before == nil && after != nil && typeName(old) == "map":
		d.add(path, "the values have a type now: %s", typeName(after))
	}
}

func items(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	if s.Items == nil {
		return nil
	}
	return s.Items.Schema
}

func values(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	if s.AdditionalProperties == nil {
		return nil
	}
	return s.AdditionalProperties.Schema
}

func (d *differ) listType(path string, old, wanted *apiextensionsv1.JSONSchemaProps) {
	if before, after := orDefault(old.XListType, "atomic"), orDefault(wanted.XListType, "atomic"); before != after {
		d.add(path, "the list type changed from %s to %s", before, after)
	}
	if before, after := old.XListMapKeys, wanted.XListMapKeys; !slices.Equal(slices.Sorted(slices.Values(before)), slices.Sorted(slices.Values(after))) {
		d.add(path, "the list keys changed from %v to %v", before, after)
	}
	if before, after := orDefault(old.XMapType, "granular"), orDefault(wanted.XMapType, "granular"); before != after {
		d.add(path, "the map type changed from %s to %s", before, after)
	}
}

func orDefault(v *string, otherwise string) string {
	if v == nil {
		return otherwise
	}
	return *v
}

func (d *differ) rules(path string, old, wanted *apiextensionsv1.JSONSchemaProps) {
	for _, rule := range wanted.XValidations {
		isKnown := slices.ContainsFunc(old.XValidations, func(r apiextensionsv1.ValidationRule) bool {
			return r.Rule == rule.Rule && sameJSON(r.OptionalOldSelf, rule.OptionalOldSelf)
		})
		if !isKnown {
			d.add(path, "a validation was added or changed: %s", rule.Rule)
		}
	}
}

// combinations compares the parts that are not taken apart: any change that leaves something to hold to counts.
func (d *differ) combinations(path string, old, wanted *apiextensionsv1.JSONSchemaProps) {
	for _, c := range []struct {
		name        string
		old, wanted any
		isGone      bool
	}{
		{"allOf", old.AllOf, wanted.AllOf, len(wanted.AllOf) == 0},
		{"anyOf", old.AnyOf, wanted.AnyOf, len(wanted.AnyOf) == 0},
		{"oneOf", old.OneOf, wanted.OneOf, len(wanted.OneOf) == 0},
		{"not", old.Not, wanted.Not, wanted.Not == nil},
	} {
		if !c.isGone && !sameJSON(c.old, c.wanted) {
			d.add(path, "%s was added or changed", c.name)
		}
	}
}

func (d *differ) defaults(path string, old, wanted *apiextensionsv1.JSONSchemaProps) {
	if d.inStatus || sameJSON(old.Default, wanted.Default) {
		return
	}
	d.warnings = append(d.warnings, Change{Path: path, What: "the default changed from " + jsonText(old.Default) + " to " + jsonText(wanted.Default)})
}

func jsonText(v *apiextensionsv1.JSON) string {
	if v == nil {
		return "none"
	}
	return string(v.Raw)
}

// SameSchema tells whether two versions mean the same objects: their schemas differ in words at most.
func SameSchema(a, b apiextensionsv1.CustomResourceDefinitionVersion) bool {
	return sameJSON(wordless(schemaOf(a)), wordless(schemaOf(b)))
}

// wordless takes all descriptions out of a schema, which it takes over.
func wordless(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	s.Description, s.Title, s.Example, s.ExternalDocs = "", "", nil, nil
	for name, property := range s.Properties {
		s.Properties[name] = *wordless(&property)
	}
	if element := items(s); element != nil {
		wordless(element)
	}
	if value := values(s); value != nil {
		wordless(value)
	}
	return s
}
