package template

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
)

// fieldTypes are what the root of a fuzzed tree may be declared as.
var fieldTypes = []*expr.Type{
	nil, expr.DynamicType(), expr.MapOf(expr.Primitive(expr.String)), expr.MapOf(expr.Primitive(expr.Bytes)),
	expr.ListOf(expr.Primitive(expr.Int)), expr.ObjectOf(map[string]*expr.Type{"a": expr.Primitive(expr.Double), "b": expr.ListOf(nullable("string"))}),
	expr.Primitive(expr.String), intOrString(),
}

// planter makes trees of plain values, whose strings and keys may hold expressions over x.
type planter struct {
	env      *expr.Environment
	computed bool // the last tree holds an expression
}

// tree gives nil for what does not compile.
func (p *planter) tree(path string, value any, t *expr.Type) *graph.Body {
	body := &graph.Body{Path: path, Type: t, Literal: value}
	switch v := value.(type) {
	case string:
		if body.Program = p.program(v); body.Program == nil && strings.Contains(v, "${") {
			return nil
		}
	case []any:
		body.Items = []*graph.Body{}
		for _, item := range v {
			if child := p.tree(path+"[]", item, elemOf(t)); child != nil {
				body.Items = append(body.Items, child)
			}
		}
	case map[string]any:
		body.Fields = []graph.BodyField{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if child := p.tree(join(path, key), v[key], fieldOf(t, key)); child != nil {
				body.Fields = append(body.Fields, graph.BodyField{Key: key, KeyProgram: p.program(key), Value: child})
			}
		}
	}
	return body
}

func (p *planter) program(text string) *expr.Program {
	if !strings.Contains(text, "${") {
		return nil
	}
	scanned, fault := expr.Scan(text)
	if fault != nil {
		return nil
	}
	program, _ := p.env.Compile(scanned)
	p.computed = p.computed || program != nil
	return program
}

// FuzzRender fills the tree of one YAML text with the value of another.
func FuzzRender(f *testing.F) {
	for _, seed := range []struct{ tree, value string }{
		{"{a: '${x}', b: ['${x}', null, '${x.?no}']}", "1.5"},
		{"{'${x.k}': a, '${x.k}-': '${x.gone}', k: {l: [{m: null}]}}", "{k: k, n: null}"},
		{"['${bytes(x)}', '${x}', 'text ${x} $${x}']", "'${x}'"},
		{"'${[x, {\"a\": optional.none(), ?\"b\": x.?c}]}'", "[[1, 2], {c: 18446744073709551615}]"},
		{"{k: '${x + x}', l: '${1 / 0}', m: '${double(\"Inf\")}'}", "99999999999999999999"},
	} {
		for i := range fieldTypes {
			f.Add(seed.tree, seed.value, byte(i))
		}
	}
	env, err := expr.NewEnvironment(expr.Variable{Name: "x", Type: expr.DynamicType(), Root: expr.Node})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, tree, value string, typ byte) {
		var from, x any
		if yaml.Unmarshal([]byte(tree), &from) != nil || yaml.Unmarshal([]byte(value), &x) != nil {
			return
		}
		p := planter{env: env}
		body := p.tree("root", from, fieldTypes[int(typ)%len(fieldTypes)])
		if body == nil {
			return
		}
		for _, mode := range []Mode{Object, Status, Value} {
			checkRendering(t, body, x, mode, p.computed)
		}
	})
}

func checkRendering(t *testing.T, body *graph.Body, x any, mode Mode, computed bool) {
	t.Helper()
	before, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	render := func() Outcome {
		return Render(body, func(p *expr.Program) expr.Result {
			return p.Eval(t.Context(), expr.Vars{"x": x}, expr.Limits{Cost: 10000})
		}, mode)
	}
	first := render()
	if _, err := json.Marshal(first.Value); err != nil && mode != Value {
		t.Errorf("mode %d: what came out is no JSON: %v", mode, err)
	}
	if !computed && len(first.Missing)+len(first.Faults) > 0 {
		t.Errorf("mode %d: a literal fails: %v %v", mode, first.Missing, first.Faults)
	}
	for _, fault := range first.Faults {
		if !strings.HasPrefix(fault.Path, "root") || fault.Summary == "" {
			t.Errorf("mode %d: a fault without place or reason: %v", mode, fault)
		}
	}
	spoil(first.Value)
	if after, err := json.Marshal(x); err != nil || string(after) != string(before) {
		t.Errorf("mode %d: what came out shares data with what went in", mode)
	}
	second, third := render(), render()
	if diff := cmp.Diff(second, third); diff != "" {
		t.Errorf("mode %d: not the same twice:\n%s", mode, diff)
	}
}

// spoil changes every map and list of a value.
func spoil(value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			spoil(item)
			v[key] = "spoiled"
		}
		v["spoiled"] = true
	case []any:
		for i, item := range v {
			spoil(item)
			v[i] = "spoiled"
		}
	case []byte:
		for i := range v {
			v[i]++
		}
	}
}
