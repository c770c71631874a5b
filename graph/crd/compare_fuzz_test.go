package crd

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"pgregory.net/rapid"
)

// FuzzCompare draws two versions of a schema, and an object that the first lets in.
func FuzzCompare(f *testing.F) {
	f.Add([]byte("the bytes are what rapid draws from"))
	f.Fuzz(rapid.MakeFuzz(checkCompare))
}

// TestUnbrokenSchemasTakeOldObjects is what breaking means: an object that was valid stays so where no breaking
// change is reported.
func TestUnbrokenSchemasTakeOldObjects(t *testing.T) { rapid.Check(t, checkCompare) }

func checkCompare(t *rapid.T) {
	old := boundSchemas(3).Draw(t, "old")
	wanted := variant(t, old)
	a, b := definition(old), definition(wanted)
	self := Compare(a, a)
	if !self.Equal || len(self.Breaking)+len(self.Warnings) > 0 {
		t.Fatalf("a definition differs from itself: %v", self)
	}
	there, back := Compare(a, b), Compare(b, a)
	if there.Equal != back.Equal || there.Equal && len(there.Breaking) > 0 {
		t.Fatalf("equal one way only, or equal and breaking: %v, %v", there, back)
	}
	if diff := cmp.Diff(there, Compare(a, b)); diff != "" {
		t.Fatal("not the same twice:", diff)
	}
	if len(there.Breaking) > 0 {
		return
	}
	value := valueOf(t, &old)
	if isValid(t, &old, value) && !isValid(t, &wanted, value) {
		t.Fatalf("%v was valid, is not any more, and no breaking change is reported\nold: %s\nnew: %s", value, schemaText(old), schemaText(wanted))
	}
}

func schemaText(s apiextensionsv1.JSONSchemaProps) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func isValid(t *rapid.T, s *apiextensionsv1.JSONSchemaProps, value any) bool {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(s.DeepCopy(), &internal, nil); err != nil {
		t.Fatal(err)
	}
	validator, _, err := schemavalidation.NewSchemaValidator(&internal)
	if err != nil {
		t.Fatal(err)
	}
	return len(schemavalidation.ValidateCustomResource(nil, value, validator)) == 0
}

// boundSchemas draws a schema with limits.
func boundSchemas(depth int) *rapid.Generator[apiextensionsv1.JSONSchemaProps] {
	return rapid.Custom(func(t *rapid.T) apiextensionsv1.JSONSchemaProps {
		s := schemas(depth).Draw(t, "schema")
		bound(t, &s)
		return s
	})
}

// bound puts limits that fit the type on a schema and on what is below.
func bound(t *rapid.T, s *apiextensionsv1.JSONSchemaProps) {
	switch s.Type {
	case "string":
		s.MaxLength = rapid.Ptr(rapid.Int64Range(0, 3), true).Draw(t, "maxLength")
		s.MinLength = rapid.Ptr(rapid.Int64Range(0, 2), true).Draw(t, "minLength")
		s.Pattern = rapid.SampledFrom([]string{"", "", "^a", "b"}).Draw(t, "pattern")
		if rapid.IntRange(0, 3).Draw(t, "has enum") == 0 {
			s.Enum = enums(t, "a", "ab", "b", "")
		}
	case "integer":
		whole := rapid.Map(rapid.IntRange(-2, 2), func(n int) float64 { return float64(n) })
		s.Minimum = rapid.Ptr(whole, true).Draw(t, "minimum")
		s.Maximum = rapid.Ptr(whole, true).Draw(t, "maximum")
		s.ExclusiveMinimum = s.Minimum != nil && rapid.Bool().Draw(t, "exclusiveMinimum")
		s.ExclusiveMaximum = s.Maximum != nil && rapid.Bool().Draw(t, "exclusiveMaximum")
		s.MultipleOf = rapid.SampledFrom([]*float64{nil, nil, new(1.0), new(2.0), new(3.0), new(4.0)}).Draw(t, "multipleOf")
		if rapid.IntRange(0, 3).Draw(t, "has enum") == 0 {
			s.Enum = enums(t, 0, 1, 2, 4)
		}
	case "array":
		s.MinItems = rapid.Ptr(rapid.Int64Range(0, 2), true).Draw(t, "minItems")
		s.MaxItems = rapid.Ptr(rapid.Int64Range(0, 3), true).Draw(t, "maxItems")
		bound(t, s.Items.Schema)
	case "object":
		s.MinProperties = rapid.Ptr(rapid.Int64Range(0, 2), true).Draw(t, "minProperties")
		s.MaxProperties = rapid.Ptr(rapid.Int64Range(0, 3), true).Draw(t, "maxProperties")
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			property := s.Properties[name]
			bound(t, &property)
			s.Properties[name] = property
		}
		if s.AdditionalProperties != nil {
			bound(t, s.AdditionalProperties.Schema)
		}
	}
}

func enums(t *rapid.T, items ...any) []apiextensionsv1.JSON {
	var out []apiextensionsv1.JSON
	for _, item := range items {
		if rapid.Bool().Draw(t, "in enum") {
			raw, err := json.Marshal(item)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, apiextensionsv1.JSON{Raw: raw})
		}
	}
	return out
}

// variant gives a copy with some limits drawn anew, or an unrelated schema.
func variant(t *rapid.T, old apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
	out := *old.DeepCopy()
	switch rapid.IntRange(0, 4).Draw(t, "variant") {
	case 0:
		return boundSchemas(3).Draw(t, "wanted")
	case 1:
		bound(t, &out)
	default:
		change(t, &out)
	}
	return out
}

// change redraws one schema somewhere below.
func change(t *rapid.T, s *apiextensionsv1.JSONSchemaProps) {
	goesDeeper := rapid.Bool().Draw(t, "deeper")
	switch names := slices.Sorted(maps.Keys(s.Properties)); {
	case goesDeeper && s.Items != nil:
		change(t, s.Items.Schema)
	case goesDeeper && s.AdditionalProperties != nil:
		change(t, s.AdditionalProperties.Schema)
	case goesDeeper && len(names) > 0:
		name := rapid.SampledFrom(names).Draw(t, "changed")
		property := s.Properties[name]
		change(t, &property)
		s.Properties[name] = property
	default:
		s.Nullable = rapid.Bool().Draw(t, "nullable")
		s.Required = slices.DeleteFunc(s.Required, func(string) bool { return rapid.Bool().Draw(t, "optional") })
		bound(t, s)
	}
}

// valueOf draws a value that a schema may let in.
func valueOf(t *rapid.T, s *apiextensionsv1.JSONSchemaProps) any {
	if s.Nullable && rapid.IntRange(0, 3).Draw(t, "null") == 0 {
		return nil
	}
	if len(s.Enum) > 0 {
		var out any
		if err := json.Unmarshal(rapid.SampledFrom(s.Enum).Draw(t, "enum").Raw, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	switch s.Type {
	case "string":
		return rapid.SampledFrom([]string{"", "a", "b", "ab", "ba", "abb"}).Draw(t, "text")
	case "integer":
		return rapid.Int64Range(-3, 4).Draw(t, "number")
	case "boolean":
		return rapid.Bool().Draw(t, "bool")
	case "array":
		out := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			out = append(out, valueOf(t, s.Items.Schema))
		}
		return out
	}
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if slices.Contains(s.Required, name) || rapid.Bool().Draw(t, "given") {
			property := s.Properties[name]
			out[name] = valueOf(t, &property)
		}
	}
	if s.AdditionalProperties != nil {
		for i := range rapid.IntRange(0, 3).Draw(t, "entries") {
			out[fmt.Sprint("k", i)] = valueOf(t, s.AdditionalProperties.Schema)
		}
	}
	return out
}
