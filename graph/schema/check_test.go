package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"
)

// hole is how tests write an expression in YAML.
const hole = "${}"

func parseSchema(t *testing.T, text string) *spec.Schema {
	t.Helper()
	s := &spec.Schema{}
	if err := yaml.Unmarshal([]byte(text), s); err != nil {
		t.Fatal(err)
	}
	return s
}

func parseTree(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return withHoles(v)
}

// withHoles puts Holes and Maps where hole stands as a value or begins a key, and ints where JSON has them.
func withHoles(v any) any {
	switch v := v.(type) {
	case string:
		if v == hole {
			return Hole{}
		}
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = withHoles(v[i])
		}
	case map[string]any:
		m := Map{Fields: map[string]any{}, Computed: map[string]any{}}
		for key, field := range v {
			if strings.HasPrefix(key, hole) {
				m.Computed[key] = withHoles(field)
			} else {
				m.Fields[key] = withHoles(field)
			}
		}
		if len(m.Computed) > 0 {
			return m
		}
		return m.Fields
	}
	return v
}

// lines prints faults as `kind path: message (suggestion)`.
func lines(faults []Fault) []string {
	names := map[FaultKind]string{
		UnknownField: "unknown", WrongType: "type", Enum: "enum", Pattern: "pattern", Bounds: "bounds",
		Required: "required", Format: "format", ItemsUnique: "unique", MergeKey: "merge", Form: "form",
	}
	var out []string
	for _, f := range faults {
		line := names[f.Kind] + " " + f.Path + ": " + f.Message
		if f.Suggestion != "" {
			line += " (" + f.Suggestion + ")"
		}
		out = append(out, line)
	}
	return out
}

type checkTest struct {
	name, schema, value string
	want                []string
}

func runChecks(t *testing.T, tests []checkTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := lines(Check(parseSchema(t, tt.schema), parseTree(t, tt.value), "x"))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("faults differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckTypes(t *testing.T) {
	runChecks(t, []checkTest{
		{"int", `{type: integer}`, `3`, nil},
		{"whole float as int", `{type: integer}`, `3.0`, nil},
		{"float as int", `{type: integer}`, `3.5`, []string{"type x: expects int, got the number 3.5"}},
		{"text as int", `{type: integer}`, `three`, []string{`type x: expects int, got the string "three"`}},
		{"quoted int", `{type: integer}`, `"3"`,
			[]string{`type x: expects int, got the string "3" (Write it without quotes: 3)`}},
		{"int as number", `{type: number}`, `3`, nil},
		{"quoted number", `{type: number}`, `"1.5"`,
			[]string{`type x: expects number, got the string "1.5" (Write it without quotes: 1.5)`}},
		{"bool as string", `{type: string}`, `true`,
			[]string{`type x: expects string, got the bool true (Write it in quotes: "true")`}},
		{"int as string", `{type: string}`, `8080`,
			[]string{`type x: expects string, got the int 8080 (Write it in quotes: "8080")`}},
		{"quoted bool", `{type: boolean}`, `"true"`,
			[]string{`type x: expects bool, got the string "true" (Write it without quotes: true)`}},
		{"text as bool", `{type: boolean}`, `maybe`, []string{`type x: expects bool, got the string "maybe"`}},
		{"map as list", `{type: array, items: {type: string}}`, `{a: b}`, []string{"type x: expects list, got a map"}},
		{"list as object", `{type: object, properties: {a: {type: string}}}`, `[a]`,
			[]string{"type x: expects object, got a list"}},
		{"list as map", `{type: object, additionalProperties: {type: string}}`, `[a]`,
			[]string{"type x: expects map, got a list"}},
		{"int or string", `{type: array, items: {x-kubernetes-int-or-string: true}}`, `[80, http]`, nil},
		{"neither int nor string", `{x-kubernetes-int-or-string: true}`, `1.5`,
			[]string{`type x: expects int or string, got the number 1.5 (Write it in quotes: "1.5")`}},
		{"quantities", `{type: array, items: {format: quantity, x-kubernetes-int-or-string: true}}`, `[2, 0.5, 64Mi]`, nil},
		{"bool as quantity", `{format: quantity, x-kubernetes-int-or-string: true}`, `true`,
			[]string{"type x: expects quantity, got the bool true"}},
		{"a hole fits everywhere", `{type: integer}`, hole, nil},
		{"null is absent", `{type: integer}`, `null`, nil},
		{"long text is cut", `{type: integer}`, strings.Repeat("a", 70),
			[]string{`type x: expects int, got the string "` + strings.Repeat("a", 64) + `"…`}},
	})
}

func TestCheckScalars(t *testing.T) {
	runChecks(t, []checkTest{
		{"enum", `{type: string, enum: [red, green]}`, `blue`,
			[]string{`enum x: expects "red" or "green", got the string "blue"`}},
		{"enum with a near value", `{type: string, enum: [TCP, UDP]}`, `tcp`,
			[]string{`enum x: expects "TCP" or "UDP", got the string "tcp" (Did you mean TCP?)`}},
		{"enum of many", `{type: integer, enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]}`, `20`,
			[]string{"enum x: expects one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more, got the int 20"}},
		{"enum of ints", `{type: integer, enum: [1, 2]}`, `2`, nil},
		{"pattern", `{type: string, pattern: "^[A-Z]{2}$"}`, `abc`,
			[]string{`pattern x: must match ^[A-Z]{2}$, got "abc"`}},
		{"pattern is not anchored", `{type: string, pattern: "b"}`, `abc`, nil},
		{"maximum", `{type: integer, minimum: 1, maximum: 100}`, `500`, []string{"bounds x: must be at most 100, got 500"}},
		{"minimum", `{type: integer, minimum: 1, maximum: 100}`, `0`, []string{"bounds x: must be at least 1, got 0"}},
		{"bounds belong to it", `{type: integer, minimum: 1, maximum: 100}`, `100`, nil},
		{"exclusive bounds", `{type: number, maximum: 1, exclusiveMaximum: true}`, `1`,
			[]string{"bounds x: must be less than 1, got 1"}},
		{"exclusive minimum", `{type: number, minimum: 0, exclusiveMinimum: true}`, `0`,
			[]string{"bounds x: must be greater than 0, got 0"}},
		{"multiple", `{type: number, multipleOf: 0.1}`, `0.3`, nil},
		{"no multiple", `{type: integer, multipleOf: 5}`, `7`, []string{"bounds x: must be a multiple of 5, got 7"}},
		{"32 bits", `{type: integer, format: int32}`, `2147483648`,
			[]string{"bounds x: must fit into 32 bits (-2147483648 to 2147483647), got 2147483648"}},
		{"too short", `{type: string, minLength: 1}`, `""`, []string{"bounds x: must have at least 1 character, has 0"}},
		{"letters are counted", `{type: string, maxLength: 3}`, `äöü`, nil},
		{"too long", `{type: string, maxLength: 3}`, `abcd`, []string{"bounds x: must have at most 3 characters, has 4"}},
		{"base64", `{type: string, format: byte}`, `aHVudGVyMg==`, nil},
		{"no base64", `{type: string, format: byte}`, `hunter2!`, []string{
			`format x: must be base64 text, which this is not ` +
				`(Write the plain text as ${bytes("…")}, which is encoded for you, or write it as base64)`,
		}},
		{"no quantity", `{format: quantity, x-kubernetes-int-or-string: true}`, `64 MB`, []string{
			`format x: must be a quantity, got "64 MB" (Write a number, perhaps with a unit: 2, 250m, 64Mi)`,
		}},
		{"no time", `{type: string, format: date-time}`, `tomorrow`, []string{
			`format x: must have the format date-time, got "tomorrow" (Write it like 2006-01-02T15:04:05Z)`,
		}},
		{"a format that nobody knows", `{type: string, format: colour}`, `tomorrow`, nil},
		{"several at once", `{type: string, enum: [AB], pattern: "^A", maxLength: 1}`, `xy`, []string{
			`enum x: expects "AB", got the string "xy"`,
			"bounds x: must have at most 1 character, has 2",
			`pattern x: must match ^A, got "xy"`,
		}},
	})
}
