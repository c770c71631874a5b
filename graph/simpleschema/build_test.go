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

func TestTypes(t *testing.T) {
	anyOf := `"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]`
	for text, want := range map[string]string{
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
	} {
		t.Run(text, func(t *testing.T) { sameJSON(t, want, schemaOfF(t, "spec:\n  f: "+text)) })
	}
}

func quoteJSON(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

func TestMarkers(t *testing.T) {
	for text, want := range map[string]string{
		`string | required description="a | b, c"`:                                           `{"type":"string","description":"a | b, c"}`,
		`string|minLength=1|maxLength=2 pattern="^(a|b)$"`:                                   `{"type":"string","minLength":1,"maxLength":2,"pattern":"^(a|b)$"}`,
		`string | pattern=^(a|b)[ |]$ nullable`:                                              `{"type":"string","pattern":"^(a|b)[ |]$","nullable":true}`,
		`string | pattern="\d\\.\"x\"" `:                                                     `{"type":"string","pattern":"\\d\\.\"x\""}`,
		`string | enum = "a, b" | default = "b"`:                                             `{"type":"string","enum":["a","b"],"default":"b"}`,
		`string | enum="\"red, dark\",blue"`:                                                 `{"type":"string","enum":["red, dark","blue"]}`,
		`string | enum="a","b c"`:                                                            `{"type":"string","enum":["a","b c"]}`,
		`string | enum=["a","b"]`:                                                            `{"type":"string","enum":["a","b"]}`,
		`integer | enum=1,2 default=2`:                                                       `{"type":"integer","format":"int64","enum":[1,2],"default":2}`,
		`intOrString | enum=1,a,"2" default="2"`:                                             `{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}],"enum":[1,"a","2"],"default":"2"}`,
		`float | enum=1,2.5`:                                                                 `{"type":"number","enum":[1,2.5]}`,
		`integer | minimum=0 exclusiveMinimum maximum=9`:                                     `{"type":"integer","format":"int64","minimum":0,"exclusiveMinimum":true,"maximum":9}`,
		`float | exclusiveMinimum=0.5 exclusiveMaximum=1e3`:                                  `{"type":"number","minimum":0.5,"exclusiveMinimum":true,"maximum":1000,"exclusiveMaximum":true}`,
		`integer | multipleOf=5 format=int32`:                                                `{"type":"integer","format":"int32","multipleOf":5}`,
		`[]string | uniqueItems minItems=1`:                                                  `{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set","minItems":1}`,
		`[]string | uniqueItems=false listType=atomic`:                                       `{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"atomic"}`,
		`[]Port | listType=map listMapKey=name`:                                              `{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"num":{"type":"integer","format":"int64"}},"required":["name"]},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]}`,
		`object | minProperties=1 maxProperties=2`:                                           `{"type":"object","x-kubernetes-preserve-unknown-fields":true,"minProperties":1,"maxProperties":2}`,
		`string | validation="self != 'a' || true" message="no a" validation="self == self"`: `{"type":"string","x-kubernetes-validations":[{"rule":"self != 'a' || true","message":"no a"},{"rule":"self == self"}]}`,
		`Short | maxLength=5`:                                                                `{"type":"string","minLength":1,"maxLength":5}`,
		`[]Short`:                                                                            `{"type":"array","items":{"type":"string","minLength":1,"maxLength":9}}`,
		`string | default=007`:                                                               `{"type":"string","default":"007"}`,
		`string | default=true`:                                                              `{"type":"string","default":"true"}`,
		`string | default=""`:                                                                `{"type":"string","default":""}`,
		`string | default="say \"hi\" \\o/ <b>"`:                                             `{"type":"string","default":"say \"hi\" \\o/ <b>"}`,
		`boolean | default=false`:                                                            `{"type":"boolean","default":false}`,
		`float | default=1`:                                                                  `{"type":"number","default":1}`,
		`intOrString | default=80`:                                                           `{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}],"default":80}`,
		`intOrString | default="80"`:                                                         `{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}],"default":"80"}`,
		`[]string | default=["a b", "c|d"]`:                                                  `{"type":"array","items":{"type":"string"},"default":["a b","c|d"]}`,
		`map[string]string | default={"team": "core"}`:                                       `{"type":"object","additionalProperties":{"type":"string"},"default":{"team":"core"}}`,
		`object | default={"list": [{"deep": 1}]}`:                                           `{"type":"object","x-kubernetes-preserve-unknown-fields":true,"default":{"list":[{"deep":1}]}}`,
		`any | default=5`:                                                                    `{"x-kubernetes-preserve-unknown-fields":true,"default":5}`,
		`any | default="5"`:                                                                  `{"x-kubernetes-preserve-unknown-fields":true,"default":"5"}`,
		`any | default=five`:                                                                 `{"x-kubernetes-preserve-unknown-fields":true,"default":"five"}`,
		`Port | default={"name": "x"}`:                                                       `{"type":"object","properties":{"name":{"type":"string"},"num":{"type":"integer","format":"int64"}},"required":["name"],"default":{"name":"x"}}`,
		`integer | default=9007199254740993`:                                                 `{"type":"integer","format":"int64","default":9007199254740993}`,
	} {
		t.Run(text, func(t *testing.T) {
			quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
			sameJSON(t, want, schemaOfF(t, "types:\n  Port: {name: string | required, num: integer}\n  Short: string | minLength=1 maxLength=9 required\nspec:\n  f: "+quoted))
		})
	}
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

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"intger":                                 `PLT101 spec.schema.spec.f there is no type "intger" Did you mean integer?`,
		"int":                                    `PLT101 spec.schema.spec.f there is no type "int" Write integer.`,
		"Prt":                                    `there is no type "Prt" Did you mean Port?`,
		"''":                                     `PLT101 spec.schema.spec.f the type is missing`,
		"string required":                        "`required` follows the type `string` Put a | between",
		"map[integer]string":                     "the keys of a map are strings",
		"'[string]'":                             "`[string]` is no type",
		"'[]'":                                   "the type is missing",
		"5":                                      "a type is written as a string or a nested map, not as an integer",
		"[string]":                               "a type is written as a string or a nested map, not as a list",
		"null":                                   "not as null",
		"string(minLength=1":                     "the parenthesis after string is not closed",
		"'[]string(required)'":                   "the marker required is about a field",
		"string | minLenght=3":                   `PLT102 spec.schema.spec.f there is no marker "minLenght" Did you mean minLength or maxLength?`,
		"string | minimum=3":                     "the marker minimum is for integers or floats",
		"'[]string | minLength=3'":               "For the elements put it in parentheses",
		"string | minLength=-1":                  "must be a whole number of at least 0",
		"string | minLength":                     "the marker minLength needs a value",
		"string | minLength=":                    "the marker minLength has no value after its =",
		"integer | minimum=a":                    `must be a number, not "a"`,
		"integer | minimum=1.5":                  "must be an integer here",
		"integer | exclusiveMinimum":             "an exclusive bound of true needs a minimum",
		"integer | exclusiveMinimum=1 minimum=2": "both minimum and its exclusive form",
		"integer | minimum=2 exclusiveMinimum=1": "both minimum and its exclusive form",
		"integer | multipleOf=0":                 "above zero",
		"string | required=yes":                  `the marker required is true or false, not "yes"`,
		"string | required required":             "the marker required stands twice",
		`string | pattern="("`:                   "the pattern cannot be read",
		`string | pattern="a`:                    "the quote that starts the value of pattern is not closed",
		`string | description="a" b`:             `there is no marker "b"`,
		`string | description="a"b`:              "more text follows the closing quote of description",
		`string | default=[a`:                    "a bracket in the value of default is not closed",
		"string | ?":                             "a marker is expected at `?`",
		"string | format=ipv5":                   `there is no format "ipv5" for this type Did you mean ipv4 or ipv6?`,
		"boolean | format=x":                     "the marker format is for",
		"string | message=x":                     "the marker message has no validation before it",
		`string | validation=" "`:                "the validation is empty",
		"string | enum":                          "enum has no items",
		"integer | enum=1,a":                     "the item a of enum does not fit",
		`string | enum="a,b" default="c"`:        `PLT103 spec.schema.spec.f the default breaks the rules of its own field: Unsupported value: "c"`,
		`integer | default="three"`:              `the default "three" is no value of the field's type`,
		"boolean | default=yes":                  `PLT103 spec.schema.spec.f the default "yes" is no value of the field's type Write true or false.`,
		`string | default="ABC" pattern="^[a-z]+$"`: "the default breaks the rules of its own field",
		"integer | minimum=5 default=1":             "the default breaks the rules of its own field",
		"string | default":                          "the marker default needs a value",
		`'[]string | default=a'`:                    "Write a JSON list",
		`'[]string | default=[1]'`:                  "the default breaks the rules of its own field at [0]",
		`'Port | default={"x": 1}'`:                 "the default breaks the rules of its own field",
		"date-time | default=monday":                "the default breaks the rules of its own field",
		"float | default=null":                      `the default "null" is no value`,
		"'[]Port | listType=map'":                   "listType=map needs a listMapKey",
		"'[]Port | listType=map listMapKey=nam'":    `the elements have no field "nam" for listMapKey Did you mean name or num?`,
		"'[]Port | listType=map listMapKey=num'":    `the listMapKey "num" may be missing`,
		"'[]Port | listType=map listMapKey=sub'":    `the listMapKey "sub" must be a scalar`,
		"'[]Port | listMapKey=name'":                "listMapKey is for lists with listType=map",
		"'[]Port | uniqueItems'":                    "only scalars can be unique",
		"'[]string | listType=bag'":                 `there is no list type "bag"`,
		"'[]string | uniqueItems listType=map'":     "uniqueItems and listType=map do not go together",
		"{$validations: x}":                         `PLT102 spec.schema.spec.f["$validations"] $validations is a list of rules`,
		"{$validations: [{}]}":                      "a validation needs a rule",
		"{$validations: [{rule: 'true', x: y}]}":    `a validation has no field "x"`,
		"{$validations: [{rule: 1}]}":               "the rule of a validation is a string",
		"{$validation: []}":                         `PLT105 spec.schema.spec.f["$validation"] a name of a field cannot start with $ Did you mean $validations?`,
		`{"": string}`:                              `PLT105 spec.schema.spec.f[""] a field has no name`,
		`{"a b": string}`:                           "cannot hold spaces",
	} {
		t.Run(text, func(t *testing.T) {
			quoted := text
			if strings.HasPrefix(text, "string |") || strings.HasPrefix(text, "integer |") {
				quoted = "'" + text + "'"
			}
			result, problems := build(t, "types: {Port: {name: string | required, num: integer, sub: {a: string}}}\nspec:\n  f: "+quoted)
			got := list(problems)
			if len(got) != 1 || !strings.Contains(got[0], want) {
				t.Errorf("got %q\nwant one problem with %q", got, want)
			}
			if result.Schema == nil || result.Schema.Type != "object" {
				t.Error("there is no schema")
			}
		})
	}
}

func TestNamedTypes(t *testing.T) {
	want := `{"type":"object","properties":{"p":{"type":"array","items":{"type":"object","properties":{"num":{"type":"string","minLength":1}}}}}}`
	sameJSON(t, want, schemaOfF(t, "types:\n  B: {p: '[]A'}\n  A: {num: Name}\n  Name: string | minLength=1\nspec: {f: B}"))
}

func TestTypeFaults(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"cycle": {"types:\n  Name: string\n  Folder: {title: Name, entries: '[]Entry'}\n  Entry: {name: Name, parent: Folder}\nspec: {f: Folder}", []string{
			"PLT104 spec.schema.types.Folder.entries the types hold each other: Folder (entries) → Entry (parent) → Folder"}},
		"alias of itself": {"types: {A: '[]A'}\nspec: {}", []string{"PLT104 spec.schema.types.A the types hold each other: A → A"}},
		"two cycles, one component": {"types: {A: {b: B, c: C}, B: {a: A}, C: {d: D}, D: {c: C, a: A}}\nspec: {}", []string{
			"PLT104 spec.schema.types.A.b the types hold each other: A (b) → B (a) → A"}},
		"inside a type, used twice":  {"types: {A: {x: strin}}\nspec: {a: A, b: A | default=3}", []string{`PLT101 spec.schema.types.A.x there is no type "strin"`}},
		"name taken":                 {"types: {string: integer}\nspec: {}", []string{`"string" is a type of the language`}},
		"bad name":                   {"types: {a.b: integer}\nspec: {}", []string{`PLT101 spec.schema.types["a.b"] "a.b" is no name for a type`}},
		"too large":                  {types2(20), []string{"PLT101 spec.schema.types.T13.a the schema has more than 10000 fields", "PLT101 spec.schema.types.T13.b the schema"}},
		"rules beside a broken type": {"validations: [{rule: self.a > 1}]\nspec: {a: intger}", []string{`there is no type "intger"`}},
	} {
		t.Run(name, func(t *testing.T) {
			result, problems := build(t, tc.text)
			got := list(problems)
			if len(got) != len(tc.want) {
				t.Fatalf("got %q", got)
			}
			for i, want := range tc.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("got %q, want %q in it", got[i], want)
				}
			}
			if len(result.Schema.XValidations) > 0 {
				t.Error("rules were kept although a type is not known")
			}
		})
	}
}

// types2 is n types, each of which uses the one before twice.
func types2(n int) string {
	var b strings.Builder
	b.WriteString("types:\n  T0: {a: string}\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "  T%d: {a: T%d, b: T%d}\n", i, i-1, i-1)
	}
	return b.String() + "spec: {}"
}

func TestColumns(t *testing.T) {
	result, problems := build(t, `types: {S: {when: date-time | printColumn, size: integer | printColumn="How big" description="bytes"}}
spec: {a: S, list: "[]S", "x.y": boolean | printColumn, no: string | printColumn=false}`)
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

func FuzzTypeString(f *testing.F) {
	for _, seed := range []string{
		"string", "[]map[string]A(minLength=1, pattern=\"^a\")|maxItems=3", `string | enum="a, b" default = "x\"y"`,
		"integer | default=3 exclusiveMinimum=0", "float | minimum=1e400", "[]A | listType=map listMapKey=x", "any | default={\"a\": [1]}",
		"intOrString | enum=1,b", "object | validation=\"self.x\" message=\"y\"", "boolean | nullable default=null",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value := &source.Value{Kind: source.String, Scalar: text, Path: "spec.schema.spec.f"}
		spec := &source.Value{Kind: source.Map, Path: "spec.schema.spec", Fields: []source.Field{{Key: "f", Value: value}}}
		types := source.FromPlain(map[string]any{"A": map[string]any{"x": "string | required"}})
		result, problems := Build(Input{Spec: spec, Types: types})
		again, _ := Build(Input{Spec: spec, Types: types})
		if diff := cmp.Diff(result.Schema, again.Schema); diff != "" {
			t.Error(diff)
		}
		if problems.Len() > 1 {
			t.Errorf("one field, several problems: %q", list(problems))
		}
		if _, err := json.Marshal(result.Schema); err != nil {
			t.Errorf("the schema is no JSON: %v", err)
		}
	})
}
