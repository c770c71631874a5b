package template

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
)

// program compiles text in which x may stand for anything.
func program(t *testing.T, text string) *expr.Program {
	t.Helper()
	env, err := expr.NewEnvironment(expr.Variable{Name: "x", Type: expr.DynamicType(), Root: expr.Node})
	if err != nil {
		t.Fatal(err)
	}
	scanned, fault := expr.Scan(text)
	if fault != nil {
		t.Fatal(fault)
	}
	p, problems := env.Compile(scanned)
	if len(problems) > 0 {
		t.Fatalf("compiling %q: %v", text, problems)
	}
	return p
}

// give answers every program with the same result.
func give(r expr.Result) func(*expr.Program) expr.Result {
	return func(*expr.Program) expr.Result { return r }
}

func primitive(kind expr.Kind) *expr.Type { return expr.Primitive(kind) }

func nullable(kind string) *expr.Type {
	return expr.FromSchema(&spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{kind}, Nullable: true}})
}

func intOrString() *expr.Type {
	schema := &spec.Schema{}
	schema.AddExtension("x-kubernetes-int-or-string", true)
	return expr.FromSchema(schema)
}

func TestValuesIntoFields(t *testing.T) {
	when := time.Date(2031, 5, 6, 9, 8, 9, 0, time.FixedZone("", 2*3600))
	tests := []struct {
		name  string
		value any
		field *expr.Type
		want  any // nil: left out
		fault string
	}{
		{name: "int into int", value: int64(3), field: primitive(expr.Int), want: int64(3)},
		{name: "int into number stays an int", value: int64(3), field: primitive(expr.Double), want: int64(3)},
		{name: "double into number", value: 0.5, field: primitive(expr.Double), want: 0.5},
		{name: "double into int", value: 3.0, field: primitive(expr.Int), fault: "the field takes a whole number, and the value is a double; write int(…)"},
		{name: "double into anything", value: 3.0, field: expr.DynamicType(), want: 3.0},
		{name: "uint into int", value: uint64(7), field: primitive(expr.Int), want: int64(7)},
		{name: "uint that is too large", value: uint64(math.MaxUint64), field: nil, fault: "18446744073709551615 is too large for a whole number of JSON; the largest is 9223372036854775807"},
		{name: "infinity", value: math.Inf(1), field: primitive(expr.Double), fault: "+Inf is no number of JSON"},
		{name: "int into int-or-string", value: int64(80), field: intOrString(), want: int64(80)},
		{name: "text into int-or-string", value: "http", field: intOrString(), want: "http"},
		{name: "text into int", value: "3", field: primitive(expr.Int), fault: "the field takes int, and the value is text"},
		{name: "int into text", value: int64(3), field: primitive(expr.String), fault: "the field takes string, and the value is a whole number"},
		{name: "bool into text", value: true, field: primitive(expr.String), fault: "the field takes string, and the value is a bool"},
		{name: "bool into bool", value: false, field: primitive(expr.Bool), want: false},
		{name: "time into text", value: when, field: primitive(expr.String), want: "2031-05-06T07:08:09Z"},
		{name: "time into time", value: when, field: primitive(expr.Timestamp), want: "2031-05-06T07:08:09Z"},
		{name: "duration into text", value: 90 * time.Minute, field: primitive(expr.Duration), want: "1h30m0s"},
		{name: "bytes into bytes", value: []byte("ada"), field: primitive(expr.Bytes), want: "YWRh"},
		{name: "base64 into bytes", value: "YWRh", field: primitive(expr.Bytes), want: "YWRh"},
		{name: "plain text into bytes", value: "ada!", field: primitive(expr.Bytes), fault: "the field takes bytes, and the text is no base64; write bytes(…) to have it encoded"},
		{name: "bytes into text", value: []byte("ada"), field: primitive(expr.String), fault: "the field takes no bytes; write string(…) for text, or base64.encode(…)"},
		{name: "bytes into anything", value: []byte("ada"), field: expr.DynamicType(), fault: "the field takes no bytes; write string(…) for text, or base64.encode(…)"},
		{name: "null", value: nil, field: primitive(expr.String)},
		{name: "null into anything", value: nil, field: expr.DynamicType()},
		{name: "null within a part that has no schema stays", value: map[string]any{"a": nil}, field: expr.DynamicType(), want: map[string]any{"a": nil}},
		{name: "null in a map of text", value: map[string]any{"a": nil, "b": "c"}, field: expr.MapOf(primitive(expr.String)), want: map[string]any{"b": "c"}},
		{name: "null in a list of text", value: []any{nil, "c"}, field: expr.ListOf(primitive(expr.String)), want: []any{"c"}},
		{name: "an empty list stays", value: []any{}, field: expr.ListOf(primitive(expr.String)), want: []any{}},
		{name: "an empty map stays", value: map[string]any{}, field: expr.MapOf(primitive(expr.String)), want: map[string]any{}},
		{name: "a map of bytes", value: map[string]any{"k": []byte("ada")}, field: expr.MapOf(primitive(expr.Bytes)), want: map[string]any{"k": "YWRh"}},
		{name: "a map into a list", value: map[string]any{}, field: expr.ListOf(primitive(expr.String)), fault: "the field takes list(string), and the value is a map"},
		{name: "a list into text", value: []any{}, field: primitive(expr.String), fault: "the field takes string, and the value is a list"},
		{name: "optional", value: int64(1), field: expr.OptionalOf(primitive(expr.Int)), want: int64(1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := &graph.Body{Path: "at", Type: tt.field, Program: program(t, "${x}")}
			got := Render(body, give(expr.Result{Value: tt.value}), Object)
			want := Outcome{Value: tt.want, Omitted: tt.want == nil}
			if tt.fault != "" {
				want.Faults = []Fault{{Path: "at", Expression: "x", Summary: tt.fault}}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNullWhereTheSchemaAllowsIt(t *testing.T) {
	for name, body := range map[string]*graph.Body{
		"computed": {Type: nullable("string"), Program: program(t, "${x}")}, "literal": {Type: nullable("string")},
	} {
		if got := Render(body, give(expr.Result{}), Object); got.Omitted || got.Value != nil {
			t.Errorf("%s: null is left out: %v", name, got)
		}
	}
}

func TestFaultsNameThePlaceInside(t *testing.T) {
	field := expr.MapOf(expr.ListOf(primitive(expr.Int)))
	body := &graph.Body{Path: "at", Type: field, Program: program(t, "${x}")}
	got := Render(body, give(expr.Result{Value: map[string]any{"a.b": []any{int64(1), "two"}}}), Object)
	want := []string{`at["a.b"][1]: ${x}: the field takes int, and the value is text`}
	if diff := cmp.Diff(want, texts(got.Faults)); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func texts(faults []Fault) []string {
	var out []string
	for _, f := range faults {
		out = append(out, f.String())
	}
	return out
}

// values evaluates programs by their text.
func values(all map[string]expr.Result) func(*expr.Program) expr.Result {
	return func(p *expr.Program) expr.Result { return all[p.Source()] }
}

func TestTrees(t *testing.T) {
	missing := expr.Missing{Name: "x", Path: "status.a", Declared: true}
	field := func(key string, value *graph.Body) graph.BodyField { return graph.BodyField{Key: key, Value: value} }
	computed := func(path, text string) *graph.Body { return &graph.Body{Path: path, Program: program(t, text)} }
	literal := func(value any) *graph.Body { return &graph.Body{Literal: value} }
	keyed := func(text string, value *graph.Body) graph.BodyField {
		return graph.BodyField{KeyProgram: program(t, text), Value: value}
	}
	results := map[string]expr.Result{
		"${x.none}": {Omitted: true}, "${x.gone}": {Missing: []expr.Missing{missing}}, "${x.key}": {Value: "key"},
		"${x.same}": {Value: "key"}, "${x.seven}": {Value: int64(7)},
		"${x.bad}": {Err: &expr.EvaluationError{Source: "x.bad", Summary: "division by zero"}},
	}
	tests := []struct {
		name    string
		fields  []graph.BodyField
		items   []*graph.Body
		want    any
		missing []string
		faults  []string
	}{
		{name: "none is left out", fields: []graph.BodyField{field("a", computed("a", "${x.none}")), field("b", literal("c"))}, want: map[string]any{"b": "c"}},
		{name: "none leaves a list", items: []*graph.Body{literal("a"), computed("l[1]", "${x.none}"), literal("c")}, want: []any{"a", "c"}},
		{name: "literal null is left out, empty things stay", fields: []graph.BodyField{field("a", literal(nil)), field("l", literal([]any{})), field("m", literal(map[string]any{"n": nil}))}, want: map[string]any{"l": []any{}, "m": map[string]any{}}},
		{
			name:   "all that is missing or faulty comes at once",
			fields: []graph.BodyField{field("a", computed("a", "${x.gone}")), field("b", computed("b", "${x.gone}")), field("c", computed("c", "${x.bad}")), field("d", literal("e"))},
			want:   map[string]any{"d": "e"}, missing: []string{"a x.status.a", "b x.status.a"}, faults: []string{"c: ${x.bad}: division by zero"},
		},
		{name: "a list with a missing element is left out whole", items: []*graph.Body{literal("a"), computed("l[1]", "${x.gone}")}, missing: []string{"l[1] x.status.a"}},
		{name: "a computed key", fields: []graph.BodyField{keyed("${x.key}", literal("v"))}, want: map[string]any{"key": "v"}},
		{name: "a key that is none", fields: []graph.BodyField{keyed("${x.none}", literal("v"))}, want: map[string]any{}},
		{name: "a key that is missing", fields: []graph.BodyField{keyed("${x.gone}", &graph.Body{Path: "k", Literal: "v"})}, want: map[string]any{}, missing: []string{"k x.status.a"}},
		{name: "a key that fails", fields: []graph.BodyField{keyed("${x.bad}", &graph.Body{Path: "k", Literal: "v"})}, want: map[string]any{}, faults: []string{"k: ${x.bad}: division by zero"}},
		{name: "a key that is no text", fields: []graph.BodyField{keyed("${x.seven}", &graph.Body{Path: "k", Literal: "v"})}, want: map[string]any{}, faults: []string{"k: ${x.seven}: a key must be text, and this one is a whole number"}},
		{
			name:   "two keys that are one",
			fields: []graph.BodyField{keyed("${x.key}", literal("v")), keyed("${x.same}", literal("w"))},
			want:   map[string]any{"key": "v"}, faults: []string{`root: the keys ${x.key} and ${x.same} both give "key"`},
		},
		{name: "two keys that are one, the second without value", fields: []graph.BodyField{keyed("${x.key}", literal("v")), keyed("${x.same}", computed("k", "${x.none}"))}, want: map[string]any{"key": "v"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := Render(&graph.Body{Path: "root", Fields: tt.fields, Items: tt.items}, values(results), Object)
			if diff := cmp.Diff(tt.faults, texts(out.Faults)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			var got []string
			for _, m := range out.Missing {
				got = append(got, fmt.Sprintf("%s %s", m.Path, m.Missing))
			}
			if diff := cmp.Diff(tt.missing, got); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
			if value := out.Value; out.Omitted != (tt.want == nil) || !out.Omitted && !cmp.Equal(tt.want, value) {
				t.Errorf("value %v, want %v", value, tt.want)
			}
		})
	}
}

func TestModes(t *testing.T) {
	value := map[string]any{"b": []byte("ada"), "d": time.Minute, "u": uint64(3), "n": nil}
	tests := []struct {
		mode Mode
		want map[string]any
	}{
		{mode: Value, want: map[string]any{"b": []byte("ada"), "d": time.Minute, "u": uint64(3), "n": nil}},
		{mode: Status, want: map[string]any{"b": "YWRh", "d": "1m0s", "u": int64(3), "n": nil}},
	}
	for _, tt := range tests {
		got := Render(&graph.Body{Program: program(t, "${x}")}, give(expr.Result{Value: value}), tt.mode)
		if diff := cmp.Diff(tt.want, got.Value); diff != "" || len(got.Faults) > 0 {
			t.Errorf("mode %d: faults %v, value (-want +got):\n%s", tt.mode, got.Faults, diff)
		}
	}
}

func TestNothingIsShared(t *testing.T) {
	literal := map[string]any{"l": []any{map[string]any{"k": "v"}}}
	given := map[string]any{"l": []any{map[string]any{"k": "v"}}}
	body := &graph.Body{Fields: []graph.BodyField{
		{Key: "literal", Value: &graph.Body{Literal: literal}},
		{Key: "given", Value: &graph.Body{Program: program(t, "${x}")}},
	}}
	out, _ := Render(body, give(expr.Result{Value: given}), Object).Value.(map[string]any)
	for _, key := range []string{"literal", "given"} {
		out[key].(map[string]any)["l"].([]any)[0].(map[string]any)["k"] = "changed"
	}
	want := map[string]any{"l": []any{map[string]any{"k": "v"}}}
	if !cmp.Equal(literal, want) || !cmp.Equal(given, want) {
		t.Errorf("what went in was changed: %v, %v", literal, given)
	}
}

func TestLongExpressionsAreCut(t *testing.T) {
	long := ""
	for range 50 {
		long += "value +\n "
	}
	got := Fault{Path: "at", Expression: long, Summary: "failed"}.String()
	if want := maxExpression + len("at: failed in ${…}"); len(got) > want || len(got) < maxExpression {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}
