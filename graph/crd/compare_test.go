package crd

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"
)

func texts2(changes []Change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.String())
	}
	return out
}

func mustBuild(t testing.TB, spec string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd, problems := build(t, spec, nil)
	if problems.Len() > 0 {
		t.Fatal(lines(problems))
	}
	return crd
}

// breakingCases are the spec of two definitions with the changes from one to the other that break.
var breakingCases = map[string]struct {
	old, wanted string
	want        []string
}{
	"nothing":               {"a: string", "a: string", nil},
	"description":           {"a: string", "a: string | description=x", nil},
	"added field":           {"a: string", "{a: string, b: string}", nil},
	"added field, default":  {"a: string", "{a: string, b: string | required default=x}", nil},
	"added required field":  {"a: string", "{a: string, b: string | required}", []string{"spec: it is required now and has no default", "spec.b: it is required now and has no default"}},
	"made required":         {"{z: string | required, a: string}", "{z: string | required, a: string | required}", []string{"spec.a: it is required now and has no default"}},
	"default of a required": {"{z: string | required, a: string | required default=x}", "{z: string | required, a: string | required}", []string{"spec.a: it is required now and has no default"}},
	"removed":               {"{a: string, b: {c: string}}", "{b: {}}", []string{"spec.a: the field was removed", "spec.b.c: the field was removed"}},
	"retyped": {"{a: string, b: integer, c: '[]string', d: {x: string}, e: 'map[string]string', f: object}", "{a: integer, b: float, c: string, d: object, e: {x: string}, f: any}", []string{
		"spec.a: the type changed from string to integer", "spec.b: the type changed from integer to number", "spec.c: the type changed from array to string",
		"spec.d: the type changed from object to open object", "spec.e: the type changed from map to object", "spec.f: the type changed from open object to any"}},
	"int or string":    {"a: integer", "a: intOrString", []string{"spec.a: the type changed from integer to int-or-string"}},
	"element":          {"{a: '[]string', m: 'map[string]integer'}", "{a: '[]integer', m: 'map[string]string'}", []string{"spec.a[*]: the type changed from string to integer", "spec.m.*: the type changed from integer to string"}},
	"below an element": {"a: '[]P'", "a: '[]Q'", []string{"spec.a[*].num: the field was removed"}},
	"enum narrowed":    {`a: string | enum="x,y,z"`, `a: string | enum="x,w"`, []string{`spec.a: the enum lost "y", "z"`}},
	"enum added":       {"a: string", `a: string | enum="x"`, []string{`spec.a: only some values are possible now: "x"`}},
	"enum widened":     {`a: string | enum="x"`, `a: string | enum="y,x"`, nil},
	"enum gone":        {`a: string | enum="x"`, `a: string`, nil},
	"bounds tightened": {"{a: integer | minimum=1 maximum=9000000, b: string, c: '[]string | minItems=1', d: integer | minimum=1, e: float}", "{a: integer | minimum=2 maximum=8000000, b: string | maxLength=3 minLength=1, c: '[]string | minItems=2 maxItems=9', d: integer | exclusiveMinimum=1, e: float | multipleOf=2}", []string{
		"spec.a: the maximum is now 8000000", "spec.a: the minimum is now 2", "spec.b: maxLength is now 3", "spec.b: minLength is now 1",
		"spec.c: maxItems is now 9", "spec.c: minItems is now 2", "spec.d: the minimum is now 1, exclusive", "spec.e: it must be a multiple of 2 now"}},
	"bounds loosened": {"{a: integer | minimum=2 maximum=8, b: string | maxLength=3, c: float | multipleOf=4, d: integer | exclusiveMinimum=1}", "{a: integer | minimum=1, b: string | maxLength=4 minLength=0, c: float | multipleOf=2, d: integer | minimum=1}", nil},
	"pattern":         {"{a: string | pattern=x, b: string, c: string | pattern=x}", "{a: string | pattern=y, b: string | pattern=z, c: string}", []string{"spec.a: the pattern is now y", "spec.b: the pattern is now z"}},
	"format":          {"{a: string, b: date-time, c: integer | format=int32}", "{a: date-time, b: string, c: integer}", []string{"spec.a: the format is now date-time"}},
	"validation":      {"a: string | validation=\"self != 'x'\"", "a: string | validation=\"self != 'y'\"", []string{"spec.a: a validation was added or changed: self != 'y'"}},
	"validation gone": {"a: string | validation=\"self != 'x'\" message=m", "a: string", nil},
	"message":         {"a: string | validation=\"self != 'x'\" message=m", "a: string | validation=\"self != 'x'\" message=n", nil},
	"immutable":       {"a: string", "a: string | immutable", []string{"spec: a validation was added or changed: has(self.a) == has(oldSelf.a) && (!has(self.a) || self.a == oldSelf.a)"}},
	"list type": {"{a: '[]P', b: '[]string', c: '[]string | listType=atomic'}", "{a: '[]P | listType=map listMapKey=name', b: '[]string | uniqueItems', c: '[]string'}", []string{
		"spec.a: the list keys changed from [] to [name]", "spec.a: the list type changed from atomic to map", "spec.b: the list type changed from atomic to set"}},
	"nullable removed":             {"a: string | nullable", "a: string", []string{"spec.a: it cannot be null any more"}},
	"dotted name":                  {"{\"a.b\": string}", "{}", []string{`spec["a.b"]: the field was removed`}},
	"in a removed field only once": {"a: {b: string, c: {d: string}}", "{}", []string{"spec.a: the field was removed"}},
}

func TestBreakingChanges(t *testing.T) {
	for name, tc := range breakingCases {
		t.Run(name, func(t *testing.T) {
			types := "types: {P: {name: string | required, num: integer}, Q: {name: string | required}}\nspec:\n  "
			got := Compare(mustBuild(t, types+tc.old), mustBuild(t, types+tc.wanted))
			if diff := cmp.Diff(tc.want, texts2(got.Breaking)); diff != "" {
				t.Error(diff)
			}
			if got.Equal != (tc.old == tc.wanted) {
				t.Errorf("equal: %t", got.Equal)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	status := func(text string) map[string]apiextensionsv1.JSONSchemaProps {
		var out map[string]apiextensionsv1.JSONSchemaProps
		if err := yaml.Unmarshal([]byte(text), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	old, _ := build(t, "spec: {a: integer | default=1}", status("{x: {type: string}, old: {type: string}}"))
	wanted, _ := build(t, "spec: {a: integer | default=2}", status("{x: {type: integer, format: int64}, z: {type: string}}"))
	got := Compare(old, wanted)
	want := []string{
		"spec.a: the default changed from 1 to 2",
		"status.old: the field was removed", "status.x: the type changed from string to integer",
	}
	if diff := cmp.Diff(want, texts2(got.Warnings)); diff != "" || len(got.Breaking) > 0 {
		t.Error(diff, got.Breaking)
	}
}

func TestCompareWhole(t *testing.T) {
	base := mustBuild(t, "metadata: {annotations: {a: b}}\nspec: {o: 'object | default={\"x\": 1, \"y\": 2}'}")
	for name, tc := range map[string]struct {
		change   func(*apiextensionsv1.CustomResourceDefinition)
		equal    bool
		breaking []string
	}{
		"nothing":                  {func(*apiextensionsv1.CustomResourceDefinition) {}, true, nil},
		"another annotation":       {func(c *apiextensionsv1.CustomResourceDefinition) { c.Annotations["other"] = "x" }, true, nil},
		"an annotation less":       {func(c *apiextensionsv1.CustomResourceDefinition) { delete(c.Annotations, "a") }, false, nil},
		"another label":            {func(c *apiextensionsv1.CustomResourceDefinition) { c.Labels["other"] = "x" }, false, nil},
		"status of the definition": {func(c *apiextensionsv1.CustomResourceDefinition) { c.Status.StoredVersions = []string{"v1alpha1"} }, true, nil},
		"spelling of a default": {func(c *apiextensionsv1.CustomResourceDefinition) {
			spec := c.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
			o := spec.Properties["o"]
			o.Default = &apiextensionsv1.JSON{Raw: []byte(`{ "y":2, "x":1 }`)}
			spec.Properties["o"] = o
		}, true, nil},
		"a column less": {func(c *apiextensionsv1.CustomResourceDefinition) { c.Spec.Versions[0].AdditionalPrinterColumns = nil }, false, nil},
		"scope":         {func(c *apiextensionsv1.CustomResourceDefinition) { c.Spec.Scope = "Cluster" }, false, []string{`scope: changed from "Cluster" to "Namespaced"`}},
		"a version that is gone": {func(c *apiextensionsv1.CustomResourceDefinition) {
			c.Spec.Versions = append(c.Spec.Versions, *c.Spec.Versions[0].DeepCopy())
			c.Spec.Versions[1].Name = "v0"
		}, false, []string{"versions: the version v0 is not served any more"}},
		"a version that was not served": {func(c *apiextensionsv1.CustomResourceDefinition) {
			c.Spec.Versions = append(c.Spec.Versions, *c.Spec.Versions[0].DeepCopy())
			c.Spec.Versions[1].Name, c.Spec.Versions[1].Served = "v0", false
		}, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			served := base.DeepCopy()
			tc.change(served)
			got := Compare(served, base)
			if got.Equal != tc.equal {
				t.Errorf("equal: %t", got.Equal)
			}
			if diff := cmp.Diff(tc.breaking, texts2(got.Breaking)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// schemas draws a schema of a few levels.
func schemas(depth int) *rapid.Generator[apiextensionsv1.JSONSchemaProps] {
	return rapid.Custom(func(t *rapid.T) apiextensionsv1.JSONSchemaProps {
		kinds := []string{"string", "integer", "boolean"}
		if depth > 0 {
			kinds = append(kinds, "object", "array", "map")
		}
		s := apiextensionsv1.JSONSchemaProps{Type: rapid.SampledFrom(kinds).Draw(t, "type"), Nullable: rapid.Bool().Draw(t, "nullable")}
		switch s.Type {
		case "string":
			s.MaxLength = rapid.Ptr(rapid.Int64Range(0, 3), true).Draw(t, "maxLength")
		case "integer":
			s.Minimum = rapid.Ptr(rapid.Float64Range(0, 3), true).Draw(t, "minimum")
		case "object":
			s.Properties = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c.d"}), schemas(depth-1), 0, 3).Draw(t, "properties")
			for _, name := range []string{"a", "b", "c.d"} {
				if _, ok := s.Properties[name]; ok && rapid.Bool().Draw(t, "required") {
					s.Required = append(s.Required, name)
				}
			}
		case "array":
			item := schemas(depth-1).Draw(t, "items")
			s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &item}
		case "map":
			value := schemas(depth-1).Draw(t, "values")
			s.Type, s.AdditionalProperties = "object", &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &value}
		}
		return s
	})
}

func definition(spec apiextensionsv1.JSONSchemaProps) *apiextensionsv1.CustomResourceDefinition {
	root := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
	return &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
		}},
	}}
}

func TestCompareHasItsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := definition(schemas(3).Draw(t, "a")), definition(schemas(3).Draw(t, "b"))
		self := Compare(a, a)
		if !self.Equal || len(self.Breaking)+len(self.Warnings) > 0 {
			t.Fatalf("a definition differs from itself: %v", self)
		}
		there, back := Compare(a, b), Compare(b, a)
		if there.Equal != back.Equal {
			t.Fatal("equal one way only")
		}
		if there.Equal && len(there.Breaking) > 0 {
			t.Fatalf("equal, and breaking: %v", there.Breaking)
		}
		if diff := cmp.Diff(there, Compare(a, b)); diff != "" {
			t.Fatal("not the same twice:", diff)
		}
	})
}
