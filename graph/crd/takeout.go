package crd

import (
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// takeOut removes what an error is about: a rule, a default, or else all value validations of the schema
// there. It tells whether something was removed.
func takeOut(crd *apiextensionsv1.CustomResourceDefinition, errorPath string) bool {
	path, ok := schemaPath(errorPath)
	if !ok {
		return false
	}
	root := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	changed := false
	edit(root, strings.Split(path, "."), func(s *apiextensionsv1.JSONSchemaProps, rest string) {
		changed = strip(s, rest)
	})
	return changed
}

// edit walks down to the schema that a path leads to, and hands it over with what is left of the path.
func edit(s *apiextensionsv1.JSONSchemaProps, path []string, change func(*apiextensionsv1.JSONSchemaProps, string)) {
	if len(path) > 0 {
		switch name, isProperty := strings.CutPrefix(path[0], "properties["); {
		case isProperty:
			// names with dots were split too
			for i := range path {
				full := strings.TrimSuffix(strings.Join(append([]string{name}, path[1:i+1]...), "."), "]")
				if property, ok := s.Properties[full]; ok && strings.HasSuffix(path[i], "]") {
					edit(&property, path[i+1:], change)
					s.Properties[full] = property
					return
				}
			}
		case path[0] == "items" && s.Items != nil && s.Items.Schema != nil:
			edit(s.Items.Schema, path[1:], change)
			return
		case path[0] == "additionalProperties" && s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
			edit(s.AdditionalProperties.Schema, path[1:], change)
			return
		}
	}
	change(s, strings.Join(path, "."))
}

func strip(s *apiextensionsv1.JSONSchemaProps, what string) bool {
	if rest, ok := strings.CutPrefix(what, "x-kubernetes-validations["); ok {
		number, _, _ := strings.Cut(rest, "]")
		i, err := strconv.Atoi(number)
		if err != nil || i >= len(s.XValidations) || s.XValidations[i].Rule == trueValue {
			return false
		}
		s.XValidations = slices.Clone(s.XValidations)
		s.XValidations[i] = apiextensionsv1.ValidationRule{Rule: trueValue} // keeps the indices of the others
		return true
	}
	if strings.HasPrefix(what, "default") {
		had := s.Default != nil
		s.Default = nil
		return had
	}
	bare := apiextensionsv1.JSONSchemaProps{
		Type: s.Type, Format: s.Format, Properties: s.Properties, Items: s.Items, AdditionalProperties: s.AdditionalProperties,
		XPreserveUnknownFields: s.XPreserveUnknownFields, XIntOrString: s.XIntOrString, XValidations: s.XValidations,
		Required: s.Required,
	}
	had := s.Pattern != "" || s.Default != nil || s.XListType != nil || s.XMapType != nil || s.Enum != nil || s.Nullable
	*s = bare
	return had
}

// dropDefaults takes all defaults out of a schema, and tells whether there are rules in it. Fields that had a
// default become required, which is as good for the keys of lists.
func dropDefaults(s *apiextensionsv1.JSONSchemaProps) (hasRules bool) {
	hasRules = len(s.XValidations) > 0
	s.Default = nil
	for name, property := range s.Properties {
		if property.Default != nil && !slices.Contains(s.Required, name) {
			s.Required = append(s.Required, name)
		}
		hasRules = dropDefaults(&property) || hasRules
		s.Properties[name] = property
	}
	slices.Sort(s.Required)
	if s.Items != nil && s.Items.Schema != nil {
		hasRules = dropDefaults(s.Items.Schema) || hasRules
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		hasRules = dropDefaults(s.AdditionalProperties.Schema) || hasRules
	}
	return hasRules
}
