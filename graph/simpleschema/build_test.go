package simpleschema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// build reads the fields of schema (spec, types, validations) from YAML.
func build(t testing.TB, text string) (Result, diag.List) {
	t.Helper()
	indented := "spec:\n  schema:\n    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ") + "\n"
	docs, problems := source.Parse("", []byte(indented))
	if problems.Len() > 0 || len(docs) != 1 {
		t.Fatal(problems.Sorted())
	}
	schema := docs[0].Root.Get("spec").Get("schema")
	return Build(Input{Spec: schema.Get("spec"), Types: schema.Get("types"), Validations: schema.Get("validations")})
}

func list(problems diag.List) []string {
	var out []string
	for _, d := range problems.Sorted() {
		out = append(out, fmt.Sprintf("%s %s %s %s", d.Code, d.Path, d.Summary, d.Suggestion))
	}
	return out
}

// schemaOfF gives the schema of spec.f as compact JSON.
func schemaOfF(t testing.TB, text string) string {
	t.Helper()
	result, problems := build(t, text)
	if problems.Len() > 0 {
		t.Fatal(list(problems))
	}
	raw, err := json.Marshal(result.Schema.Properties["f"])
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func sameJSON(t *testing.T, want, got string) {
	t.Helper()
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(want, err)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatal(got, err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Error(diff)
	}
}

const anyOf = `"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]`

// typeCases are fields as YAML with the schema that they give.
var typeCases = map[string]string{
	"string":                   `{"type":"string"}`,
	"integer":                  `{"type":"integer","format":"int64"}`,
	"boolean":                  `{"type":"boolean"}`,
	"float":                    `{"type":"number"}`,
	"object":                   `{"type":"object","x-kubernetes-preserve-unknown-fields":true}`,
	"any":                      `{"x-kubernetes-preserve-unknown-fields":true}`,
	"intOrString":              `{` + anyOf + `}`,
	"quantity":                 `{` + anyOf + `,"pattern":` + quoteJSON(quantityPattern) + `}`,
	"date-time":                `{"type":"string","format":"date-time"}`,
	"duration":                 `{"type":"string","format":"duration"}`,
	"'[]string'":               `{"type":"array","items":{"type":"string"}}`,
	"map[string]integer":       `{"type":"object","additionalProperties":{"type":"integer","format":"int64"}}`,
	"'[]map[string][]boolean'": `{"type":"array","items":{"type":"object","additionalProperties":{"type":"array","items":{"type":"boolean"}}}}`,
	"' [] string '":            `{"type":"array","items":{"type":"string"}}`,
	`'[]string(minLength=1, pattern="^[a-z,)]+$") | maxItems=3'`: `{"type":"array","maxItems":3,"items":{"type":"string","minLength":1,"pattern":"^[a-z,)]+$"}}`,
	"map[string]integer(minimum=1 maximum=2)":                    `{"type":"object","additionalProperties":{"type":"integer","format":"int64","minimum":1,"maximum":2}}`,
	"{}":                          `{"type":"object"}`,
	"{a: string}":                 `{"type":"object","properties":{"a":{"type":"string"}}}`,
	"{a: string | required}":      `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
	"{a: string | default=x}":     `{"type":"object","properties":{"a":{"type":"string","default":"x"}},"default":{}}`,
	"{a: {b: integer|default=1}}": `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer","format":"int64","default":1}},"default":{}}},"default":{}}`,
	"{a: {b: integer|default=1, c: string|required}}":                      `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer","format":"int64","default":1},"c":{"type":"string"}},"required":["c"]}}}`,
	"{a: string | required default=x, b: string}":                          `{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"string"}},"required":["a"],"default":{"a":"x"}}`,
	"{a: {b: integer|default=1}, c: string | required}":                    `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer","format":"int64","default":1}},"default":{}},"c":{"type":"string"}},"required":["c"]}`,
	"{a: string, $validations: [{rule: 'self.a != \"\"', message: nope}]}": `{"type":"object","properties":{"a":{"type":"string"}},"x-kubernetes-validations":[{"rule":"self.a != \"\"","message":"nope"}]}`,
	"{a-b: string | immutable}":                                            `{"type":"object","properties":{"a-b":{"type":"string"}},"x-kubernetes-validations":[{"rule":"has(self.a__dash__b) == has(oldSelf.a__dash__b) && (!has(self.a__dash__b) || self.a__dash__b == oldSelf.a__dash__b)","message":"a-b is immutable","fieldPath":"['a-b']"}]}`,
}

func TestTypes(t *testing.T) {
	for text, want := range typeCases {
		t.Run(text, func(t *testing.T) { sameJSON(t, want, schemaOfF(t, "spec:\n  f: "+text)) })
	}
}

func quoteJSON(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

func TestRequiredOfField(t *testing.T) {
	result, problems := build(t, "types: {A: string | required, S: {x: string | default=a}}\nspec: {a: A, b: A | required=false, c: string | required, d: S | required, e: S}")
	if problems.Len() > 0 {
		t.Fatal(list(problems))
	}
	if diff := cmp.Diff([]string{"a", "c", "d"}, result.Schema.Required); diff != "" {
		t.Error(diff)
	}
	if d := result.Schema.Properties["d"]; d.Default != nil {
		t.Errorf("a required struct has the default %s", d.Default.Raw)
	}
	if e := result.Schema.Properties["e"]; e.Default == nil {
		t.Error("an optional struct with defaults has none itself")
	}
}

func TestDefaultsBesideRules(t *testing.T) {
	for text, want := range map[string]string{
		"{a: integer | default=1, $validations: [{rule: self.a > 0}]}":                  `{"a":1}`,
		"{a: integer | default=1, $validations: [{rule: self.a > 1}]}":                  "",
		"{a: integer | default=1, b: integer, $validations: [{rule: self.a > self.b}]}": "",
		"{a: {b: integer | default=1}, $validations: [{rule: self.a.b > 0}]}":           `{"a":{"b":1}}`,
		"{a: integer | default=1 immutable}":                                            `{}`,
		"{a: {b: string | default=x validation=\"self != 'y'\"}}":                       `{}`,
	} {
		t.Run(text, func(t *testing.T) {
			result, problems := build(t, "spec:\n  f: "+text)
			if problems.Len() > 0 {
				t.Fatal(list(problems))
			}
			got := ""
			if d := result.Schema.Properties["f"].Default; d != nil {
				got = string(d.Raw)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestColumns(t *testing.T) {
	result, problems := build(t, `types: {S: {when: date-time | printColumn, size: integer | printColumn="How big" description="bytes"}}
spec: {a: S, list: "[]S", "x.y": boolean | printColumn, hidden: string | printColumn=false}`)
	if problems.Len() > 0 {
		t.Fatal(list(problems))
	}
	got, err := yaml.Marshal(result.Columns)
	if err != nil {
		t.Fatal(err)
	}
	want := `- jsonPath: .spec.a.when
  name: WHEN
  type: date
- description: bytes
  jsonPath: .spec.a.size
  name: How big
  type: integer
- jsonPath: .spec['x.y']
  name: X.Y
  type: boolean
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestFieldsLeadBackToTheDocument(t *testing.T) {
	result, problems := build(t, `types: {P: {num: string | validation="true"}}
validations: [{rule: "true"}]
spec: {a: "[]P | maxItems=2", b: {c: string | immutable}}`)
	if problems.Len() > 0 {
		t.Fatal(list(problems))
	}
	got := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(result.Fields)) {
		got[path] = result.Fields[path].Path
	}
	want := map[string]string{
		"":                                    "spec.schema.spec",
		"x-kubernetes-validations[0]":         "spec.schema.validations[0].rule",
		"properties[a]":                       "spec.schema.spec.a",
		"properties[a].items":                 "spec.schema.types.P",
		"properties[a].items.properties[num]": "spec.schema.types.P.num",
		"properties[a].items.properties[num].x-kubernetes-validations[0]": "spec.schema.types.P.num",
		"properties[b]":                             "spec.schema.spec.b",
		"properties[b].properties[c]":               "spec.schema.spec.b.c",
		"properties[b].x-kubernetes-validations[0]": "spec.schema.spec.b.c",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNothingGiven(t *testing.T) {
	result, problems := Build(Input{})
	if problems.Len() > 0 || result.Schema.Type != "object" {
		t.Errorf("got %v, %v", result.Schema, list(problems))
	}
}

func TestColumnsOfOneHeading(t *testing.T) {
	_, problems := build(t, `spec: {a: {size: integer | printColumn}, b: {size: integer | printColumn}, c: integer | printColumn="Size b"}`)
	got := list(problems)
	want := "spec.schema.spec.b.size the printer column SIZE of spec.b.size takes the place of that of spec.a.size"
	if len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("got %q", got)
	}
}
