package simpleschema

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph/source"
)

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
		errors := 0
		for _, d := range problems.Sorted() {
			errors += 1 - int(d.Severity)
		}
		if errors > 1 {
			t.Errorf("one field, several problems: %q", list(problems))
		}
		if _, err := json.Marshal(result.Schema); err != nil {
			t.Errorf("the schema is no JSON: %v", err)
		}
	})
}
