package schema

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// maxNodes is how many fields a synthesised schema may have; parts that documents share are counted wherever they stand.
const maxNodes = 20_000

var errTooManyNodes = errors.New("its schema has more fields than are taken over")

// The extensions of Kubernetes that a structural schema has.
const (
	extPreserveUnknown = "x-kubernetes-preserve-unknown-fields"
	extIntOrString     = "x-kubernetes-int-or-string"
	extEmbedded        = "x-kubernetes-embedded-resource"
	extListType        = "x-kubernetes-list-type"
	extListMapKeys     = "x-kubernetes-list-map-keys"
	extMapType         = "x-kubernetes-map-type"
	extValidations     = "x-kubernetes-validations"
)

// converter makes structural schemas of OpenAPI schemas without references.
type converter struct {
	strict bool // take over defaults, rules, patterns and the like
	left   int  // nodes that may still come; less than 0: there were too many
}

func (c *converter) node(s *spec.Schema) apiextensionsv1.JSONSchemaProps {
	out := apiextensionsv1.JSONSchemaProps{Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	if c.left--; c.left < 0 {
		return out
	}
	s = flattened(s)
	switch {
	case isTrue(s, extIntOrString) || s.Format == "int-or-string" || s.Format == "quantity":
		return apiextensionsv1.JSONSchemaProps{XIntOrString: true, Nullable: s.Nullable}
	case typeOf(s) == "object":
		c.object(s, &out)
	case typeOf(s) == "array":
		c.array(s, &out)
	case typeOf(s) == "":
		return apiextensionsv1.JSONSchemaProps{XPreserveUnknownFields: new(true), Nullable: s.Nullable}
	default:
		out = apiextensionsv1.JSONSchemaProps{Type: typeOf(s)}
	}
	out.Nullable, out.Description = s.Nullable, s.Description
	if c.strict {
		c.values(s, &out)
	}
	return out
}

// typeOf is the one type of a schema, also where only its parts tell; empty: any.
func typeOf(s *spec.Schema) string {
	switch {
	case len(s.Type) == 1 && slices.Contains([]string{"object", "array", "string", "integer", "number", "boolean"}, s.Type[0]):
		return s.Type[0]
	case len(s.Type) > 0:
		return ""
	case len(s.Properties) > 0:
		return "object"
	case s.Items != nil:
		return "array"
	}
	return ""
}

// flattened puts what allOf says into the schema itself; the schema given stays as it is.
func flattened(s *spec.Schema) *spec.Schema {
	if len(s.AllOf) == 0 {
		return s
	}
	out := *s
	out.AllOf, out.Properties, out.Extensions = nil, maps.Clone(s.Properties), maps.Clone(s.Extensions)
	if out.Properties == nil {
		out.Properties = map[string]spec.Schema{}
	}
	if out.Extensions == nil {
		out.Extensions = spec.Extensions{}
	}
	for i := range s.AllOf {
		part := flattened(&s.AllOf[i])
		if len(out.Type) == 0 {
			out.Type = part.Type
		}
		addMissing(out.Properties, part.Properties)
		addMissing(out.Extensions, part.Extensions)
		out.Required = append(slices.Clone(out.Required), part.Required...)
		out.Items = cmp.Or(out.Items, part.Items)
		out.AdditionalProperties = cmp.Or(out.AdditionalProperties, part.AdditionalProperties)
	}
	return &out
}

// addMissing puts into a map what it does not have.
func addMissing[M ~map[string]V, V any](to, from M) {
	for name, value := range from {
		if _, has := to[name]; !has {
			to[name] = value
		}
	}
}

func (c *converter) object(s *spec.Schema, out *apiextensionsv1.JSONSchemaProps) {
	out.Type = "object"
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		out.Properties[name] = c.node(&property)
	}
	for _, name := range s.Required {
		if _, has := out.Properties[name]; has && !slices.Contains(out.Required, name) {
			out.Required = append(out.Required, name)
		}
	}
	slices.Sort(out.Required)
	extra := s.AdditionalProperties
	switch {
	case isTrue(s, extEmbedded):
		out.XEmbeddedResource, out.XPreserveUnknownFields = true, new(true)
	case len(out.Properties) == 0 && extra != nil && extra.Schema != nil:
		value := c.node(extra.Schema)
		out.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &value}
	case isTrue(s, extPreserveUnknown), extra != nil && (extra.Allows || extra.Schema != nil), len(out.Properties) == 0:
		out.XPreserveUnknownFields = new(true)
	}
	if kind, ok := s.Extensions.GetString(extMapType); ok {
		out.XMapType = &kind
	}
}

func (c *converter) array(s *spec.Schema, out *apiextensionsv1.JSONSchemaProps) {
	out.Type, out.Properties = "array", nil
	element := apiextensionsv1.JSONSchemaProps{XPreserveUnknownFields: new(true)}
	if s.Items != nil && s.Items.Schema != nil {
		element = c.node(s.Items.Schema)
	}
	out.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &element}
	kind, ok := s.Extensions.GetString(extListType)
	if !ok {
		return
	}
	keys, _ := s.Extensions.GetStringSlice(extListMapKeys)
	isKey := func(key string) bool { _, has := element.Properties[key]; return has }
	if kind == "map" && (len(keys) == 0 || slices.ContainsFunc(keys, func(key string) bool { return !isKey(key) })) {
		return
	}
	out.XListType = &kind
	if kind != "map" {
		return
	}
	out.XListMapKeys = keys
	for _, key := range keys { // a key needs a default or must be required; the default may not come along
		if !slices.Contains(element.Required, key) && element.Properties[key].Default == nil {
			element.Required = append(element.Required, key)
		}
	}
	slices.Sort(element.Required)
	out.Items.Schema.Required = element.Required
}

// values takes over what narrows the values.
func (c *converter) values(s *spec.Schema, out *apiextensionsv1.JSONSchemaProps) {
	out.Format, out.Pattern = s.Format, s.Pattern
	out.Minimum, out.Maximum, out.ExclusiveMinimum, out.ExclusiveMaximum = s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum
	out.MinLength, out.MaxLength, out.MinItems, out.MaxItems = s.MinLength, s.MaxLength, s.MinItems, s.MaxItems
	out.MinProperties, out.MaxProperties, out.MultipleOf = s.MinProperties, s.MaxProperties, s.MultipleOf
	for _, value := range s.Enum {
		if raw, err := json.Marshal(value); err == nil {
			out.Enum = append(out.Enum, apiextensionsv1.JSON{Raw: raw})
		}
	}
	if raw, err := json.Marshal(s.Default); err == nil && s.Default != nil {
		out.Default = &apiextensionsv1.JSON{Raw: raw}
	}
	if raw, err := json.Marshal(s.Extensions[extValidations]); err == nil {
		var rules apiextensionsv1.ValidationRules
		if json.Unmarshal(raw, &rules) == nil {
			out.XValidations = rules
		}
	}
}

func isTrue(s *spec.Schema, extension string) bool {
	value, _ := s.Extensions[extension].(bool)
	return value
}
