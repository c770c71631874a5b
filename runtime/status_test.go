package runtime

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime/plan"
)

func TestStatusProjection(t *testing.T) {
	web := fixture{id: "web", template: "metadata: {name: web}\ndata: {a: b}\nspec: {any: [80, 443]}"}
	off := fixture{id: "off", template: "metadata: {name: off}", includeWhen: []string{"${schema.spec.enabled}"}}
	tests := []struct {
		name   string
		status string
		want   map[string]any
		faults []string // parts of `path: message`, one for each fault
	}{
		{
			name:   "keeps shapes and types",
			status: "url: 'http://${web.metadata.name}'\nports: '${web.spec.any}'\nlist: [{name: '${web.metadata.name}'}]\nnested: {deep: {size: '${size(web.data)}'}}",
			want: map[string]any{
				"url": "http://web", "ports": []any{int64(80), int64(443)}, "list": []any{map[string]any{"name": "web"}},
				"nested": map[string]any{"deep": map[string]any{"size": int64(1)}},
			},
		}, {
			name:   "what is not there is absent",
			status: "a: '${web.status.phase}'\nb: '${web.metadata.name}'\nc: {d: '${web.status.phase}'}",
			want:   map[string]any{"b": "web", "c": map[string]any{}},
		}, {
			name: "a list with an element that is not there", status: "l: ['${web.metadata.name}', '${web.status.phase}']", want: map[string]any{},
		}, {
			name:   "an excluded node",
			status: "a: '${off.metadata.name}'\nb: '${off.?metadata.?name.orValue(\"none\")}'", want: map[string]any{"b": "none"},
		}, {
			name:   "a field that fails leaves the others",
			status: "bad: '${1 / int(schema.spec.count)}'\ngood: '${web.metadata.name}'\nunset: '${schema.spec.motto}'",
			want:   map[string]any{"good": "web"},
			faults: []string{"status.bad: spec.schema.status.bad", "status.unset: spec.schema.status.unset: schema.spec.motto is not set"},
		}, {
			name: "bytes become text", status: "b: '${bytes(\"hi\")}'", want: map[string]any{"b": "aGk="},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Preview(t.Context(), Input{Graph: newGraph(t, tt.status, web, off), Instance: instance(t, "{enabled: false, count: 0}")}, nil)
			if diff := cmp.Diff(tt.want, p.Status); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
			if len(p.Faults) != len(tt.faults) {
				t.Fatalf("faults: %v", p.Faults)
			}
			for i, want := range tt.faults {
				if got := p.Faults[i].Path + ": " + p.Faults[i].Message; !strings.Contains(got, want) {
					t.Errorf("%q is not in the fault %q", want, got)
				}
			}
			if state := plan.Summarise(p).State; state != plan.Active {
				t.Errorf("state is %s; status fields must leave it alone", state)
			}
		})
	}
}

func TestConditions(t *testing.T) {
	tests := []struct {
		name       string
		expression string
		want       []plan.Condition
		faults     int
	}{
		{
			name: "one", expression: `${ {"type": "Ready", "status": "False", "reason": "Closed", "message": "closed"} }`,
			want: []plan.Condition{{Type: "Ready", Status: "False", Reason: "Closed", Message: "closed"}},
		}, {
			name: "a list", expression: `${schema.spec.names.map(n, {"type": n, "status": "True"})}`,
			want: []plan.Condition{{Type: "A", Status: "True", Reason: "A"}, {Type: "B", Status: "True", Reason: "B"}},
		},
		{name: "one whose value is not there", expression: `${ {"type": "X", "status": web.status.phase} }`},
		{name: "no status", expression: `${ {"type": "X"} }`, faults: 1},
		{name: "no condition at all", expression: `${"X"}`, faults: 1},
		{name: "one that fails", expression: `${ {"type": "X", "status": string(1 / size(schema.spec.motto))} }`, faults: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &builder{t: t}
			env := b.with(nil,
				expr.Variable{Name: "schema", Type: instanceType, Root: expr.Input}, expr.Variable{Name: "web", Type: objectType, Root: expr.Node})
			g := newGraph(t, "", fixture{id: "web", template: "metadata: {name: web}"})
			g = graph.New(graph.Spec{
				Nodes: g.Nodes(), Order: g.Order(), Namespaced: true,
				Conditions: []*graph.Condition{{Path: "spec.schema.status.conditions[0]", Program: b.program(env, tt.expression)}},
			})
			p := Preview(t.Context(), Input{Graph: g, Instance: instance(t, "{names: [A, B], motto: ''}")}, nil)
			if diff := cmp.Diff(tt.want, p.Conditions); diff != "" || len(p.Faults) != tt.faults {
				t.Errorf("faults %v, conditions (-want +got):\n%s", p.Faults, diff)
			}
		})
	}
}

func TestNoSecretInMessages(t *testing.T) {
	secret := "hunter2hunter2"
	p := Preview(t.Context(), Input{
		Graph: newGraph(t, "n: '${int(s.data.pin)}'",
			fixture{id: "s", kind: "Secret", template: "metadata: {name: s}\ndata: {pin: " + secret + "}"},
			fixture{id: "a", secret: true, template: "metadata: {name: a}\nspec: {count: '${int(s.data.pin)}'}"},
			fixture{id: "b", secret: true, template: "metadata: {name: 'No ${s.data.pin}'}"},
			fixture{id: "c", secret: true, forEach: [][2]string{{"p", "${[s.data.pin, s.data.pin]}"}}, template: "metadata: {name: c}"}),
		Instance: instance(t, "{}"),
	}, nil)
	all := plan.Summarise(p).Message
	for _, fault := range p.Faults {
		all += fault.Message
	}
	if strings.Contains(all, secret) || !strings.Contains(all, "int(s.data.pin)") {
		t.Errorf("messages must name the expression and not the value: %s", all)
	}
}

func TestPanicIsTheFailureOfItsNode(t *testing.T) {
	g := newGraph(t, "", fixture{id: "a", template: "metadata: {name: a}"}, fixture{id: "b", template: "metadata: {name: b}"})
	in := Input{Graph: g, Instance: instance(t, "{}"), Observed: Observed{Children: children(t, child("a", "a", ""), child("b", "b", ""))}}
	in.IsCurrent = func(o plan.Object, _ map[string]any) bool {
		if o.Key.Name == "a" {
			panic("broken")
		}
		return true
	}
	p := evaluate(t, in)
	if diff := cmp.Diff([]string{"a Failed", "b Ready"}, states(p)); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
}
