package runtime

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// world is a graph with a made-up cluster, which random edits change.
type world struct {
	graph    *graph.Graph
	instance map[string]any
	observed Observed
	version  int
}

func newWorld(t *testing.T) *world {
	return &world{
		graph: newGraph(t, "phase: '${base.status.phase}'\ncount: '${string(jobs.size())}'",
			fixture{id: "base", template: "metadata: {name: base}\ndata: {x: '${schema.spec.name}'}", readyWhen: []string{"${self.status.count > 0}"}},
			fixture{id: "names", def: "text: '${base.status.phase}-${schema.spec.name}'"},
			fixture{id: "jobs", forEach: [][2]string{{"n", "${schema.spec.names}"}}, template: "metadata: {name: 'job-${n}'}\ndata: {x: '${names.text}'}"},
			fixture{id: "extra", includeWhen: []string{"${schema.spec.enabled}"}, template: "metadata: {name: extra}\ndata: {x: '${base.status.?endpoint.orValue(\"none\")}'}"},
			fixture{id: "soft", template: "metadata: {name: '${schema.spec.motto}'}\ndata: {x: '${extra.?status.?phase.orValue(\"none\")}'}"},
			fixture{id: "facts", external: "platform/facts"},
			fixture{id: "tier", includeWhen: []string{"${facts.data.tier == 'gold'}"}, template: "metadata: {name: tier}\ndata: {x: '${facts.?data.?x.orValue(\"-\")}'}"},
			fixture{id: "last", dependsOn: []string{"soft"}, template: "metadata: {name: last}\ndata: {x: '${string(jobs.size())} ${jobs.map(j, j.metadata.name).join(\",\")}'}"},
		),
		instance: object(t, "apiVersion: apps.plait.run/v1alpha1\nkind: Test\nmetadata: {name: one, namespace: shop, uid: one, resourceVersion: '0'}\n"+
			"spec: {name: one, names: [a, b], enabled: true, motto: soft}"),
		observed: Observed{Children: map[plan.Key]map[string]any{}, Externals: map[plan.Want]Reading{}},
	}
}

func (w *world) input(m *Memo) Input {
	return Input{
		Graph: w.graph, Instance: w.instance, Observed: w.observed, Memo: m,
		IsCurrent: func(o plan.Object, live map[string]any) bool { return text(live, "applied") == hashOf(o.Rendered) },
	}
}

// follow carries out part of a plan, as the reconciler would, and edits the world as users and controllers would.
func (w *world) follow(t *rapid.T, p plan.Plan) {
	for _, n := range p.Nodes {
		for _, o := range n.Objects {
			if o.Action != plan.Keep && rapid.Bool().Draw(t, "apply") {
				w.put(o)
			}
		}
	}
	for _, key := range flatten(p.Prune) {
		if rapid.Bool().Draw(t, "delete") {
			delete(w.observed.Children, key)
		}
	}
	spec, _ := w.instance["spec"].(map[string]any)
	switch rapid.SampledFrom([]string{"nothing", "status", "spec", "names", "enabled", "drift", "clash", "fault", "deny", "external"}).Draw(t, "edit") {
	case "status":
		w.setStatus(t)
	case "spec":
		w.setSpec(spec, "name", rapid.SampledFrom([]any{"one", "two"}).Draw(t, "name"))
	case "names":
		w.setSpec(spec, "names", rapid.SampledFrom([]any{[]any{"a"}, []any{"a", "b"}, []any{}, []any{"a", "a"}}).Draw(t, "names"))
	case "enabled":
		w.setSpec(spec, "enabled", rapid.Bool().Draw(t, "enabled"))
	case "clash":
		w.setSpec(spec, "motto", rapid.SampledFrom([]any{"soft", "extra", "base"}).Draw(t, "motto"))
	case "drift":
		for key, child := range w.observed.Children {
			w.observed.Children[key] = w.edited(child, "applied", "something else")
		}
	case "deny":
		w.observed.Denied = rapid.SampledFrom([]map[plan.Key]string{nil, {configMap("base"): "no"}, {configMap("extra"): "no"}}).Draw(t, "denied")
	case "external":
		tier := rapid.SampledFrom([]any{"gold", "silver"}).Draw(t, "tier")
		facts := map[string]any{"metadata": map[string]any{"name": "facts"}, "data": map[string]any{"tier": tier}}
		w.observed.Externals = map[plan.Want]Reading{}
		for _, want := range p.Wants {
			w.observed.Externals[want] = rapid.SampledFrom([]Reading{
				{}, {Synced: true}, {Denied: "no"}, {Synced: true, Objects: []map[string]any{facts}},
			}).Draw(t, "reading")
		}
	case "fault":
		w.observed.Faults = map[plan.Key]plan.Fault{configMap("base"): {Reason: plan.ReasonForbidden, Message: "no"}}
		return
	}
	w.observed.Faults = nil
}

func flatten(waves [][]plan.Key) []plan.Key {
	var out []plan.Key
	for _, wave := range waves {
		out = append(out, wave...)
	}
	return out
}

func (w *world) setSpec(spec map[string]any, field string, value any) {
	changed := maps.Clone(spec)
	changed[field] = value
	w.instance = w.edited(w.instance, "spec", changed)
}

func (w *world) setStatus(t *rapid.T) {
	for _, name := range []string{"base", "extra"} {
		if child, ok := w.observed.Children[configMap(name)]; ok {
			status := map[string]any{"count": int64(1), "phase": rapid.SampledFrom([]any{"up", "down"}).Draw(t, "phase")}
			w.observed.Children[configMap(name)] = w.edited(child, "status", status)
		}
	}
}

// edited gives a copy of an object with one field changed and a new version, as a write makes it.
func (w *world) edited(object map[string]any, field string, value any) map[string]any {
	w.version++
	out := maps.Clone(object)
	old, _ := object["metadata"].(map[string]any)
	metadata := maps.Clone(old)
	metadata["resourceVersion"] = fmt.Sprint(w.version)
	out["metadata"], out[field] = metadata, value
	return out
}

// apply carries out all writes of a plan.
func (w *world) apply(p plan.Plan) {
	for _, n := range p.Nodes {
		for _, o := range n.Objects {
			if o.Action != plan.Keep {
				w.put(o)
			}
		}
	}
}

func (w *world) put(o plan.Object) {
	live := w.edited(o.Rendered, "applied", hashOf(o.Rendered))
	metadata, _ := live["metadata"].(map[string]any)
	metadata["uid"] = "uid-" + o.Key.Name
	metadata["annotations"] = map[string]any{"plait.run/node": o.Node, "plait.run/needs": plan.FormatNeeds(o.Needs)}
	if before, ok := w.observed.Children[o.Key]; ok {
		if status, ok := before["status"]; ok {
			live["status"] = status
		}
	}
	w.observed.Children[o.Key] = live
}

// withoutKept drops what a plan may leave out of an object that stays as it is.
func withoutKept(p plan.Plan) plan.Plan {
	for i := range p.Nodes {
		objects := append([]plan.Object(nil), p.Nodes[i].Objects...)
		for j := range objects {
			if objects[j].Action == plan.Keep {
				objects[j].Rendered = nil
			}
		}
		if len(objects) == 0 {
			objects = nil
		}
		p.Nodes[i].Objects = objects
	}
	return p
}

func TestPlanIsTheSameWithAndWithoutMemo(t *testing.T) {
	made := newWorld(t)
	rapid.Check(t, func(t *rapid.T) {
		w := *made
		w.observed.Children = map[plan.Key]map[string]any{}
		var memo *Memo
		for range rapid.IntRange(2, 12).Draw(t, "rounds") {
			without, _ := Evaluate(context.Background(), w.input(nil))
			with, next := Evaluate(context.Background(), w.input(memo))
			if diff := cmp.Diff(withoutKept(without), withoutKept(with)); diff != "" {
				t.Fatalf("the memo changes the plan (-without +with):\n%s", diff)
			}
			memo = next
			if rapid.Bool().Draw(t, "the pass ends") {
				memo = memo.WithoutDrafts()
			}
			w.follow(t, without)
		}
	})
}

func TestSettledNodesAreNotEvaluatedAgain(t *testing.T) {
	w := newWorld(t)
	var memo *Memo
	evaluations := 0
	in := func() Input {
		input := w.input(memo)
		isCurrent := input.IsCurrent
		input.IsCurrent = func(o plan.Object, live map[string]any) bool {
			evaluations++
			return isCurrent(o, live)
		}
		return input
	}
	for range 6 {
		var p plan.Plan
		p, memo = Evaluate(t.Context(), in())
		w.apply(p)
		if child, ok := w.observed.Children[configMap("base")]; ok && child["status"] == nil {
			w.observed.Children[configMap("base")] = w.edited(child, "status", map[string]any{"count": int64(1), "phase": "up"})
		}
	}
	count := func() int {
		evaluations = 0
		var p plan.Plan
		p, memo = Evaluate(t.Context(), in())
		w.apply(p)
		return evaluations
	}
	if got := count(); got != 0 {
		t.Errorf("%d objects of a settled instance are compared again", got)
	}
	key := configMap("extra")
	w.observed.Children[key] = w.edited(w.observed.Children[key], "status", map[string]any{"phase": "up"})
	if got := count(); got != 2 {
		t.Errorf("a change of one object with one dependent: %d objects are compared, want 2", got)
	}
	if got := count(); got != 2 {
		t.Errorf("after the dependent was written %d objects are compared, want it and the one that waited for it", got)
	}
	if got := count(); got != 0 {
		t.Errorf("%d objects are compared again after the change", got)
	}
}

// BenchmarkOneChangeOfHundred measures one event on a child of an instance with 100 settled nodes.
func BenchmarkOneChangeOfHundred(b *testing.B) {
	for _, withMemo := range []bool{true, false} {
		b.Run(fmt.Sprintf("memo=%t", withMemo), func(b *testing.B) {
			t := &testing.T{}
			nodes := []fixture{{id: "n0", template: "metadata: {name: n0}\ndata: {x: '${schema.spec.name}'}"}}
			for i := 1; i < 100; i++ {
				nodes = append(nodes, fixture{id: fmt.Sprintf("n%d", i), template: fmt.Sprintf(
					"metadata: {name: n%d}\ndata: {x: '${n%d.data.x}', y: '${schema.spec.name}'}", i, i-i%10-10*btoi(i%10 == 0))})
			}
			w := &world{graph: newGraph(t, "", nodes...), instance: instance(t, "{name: one}"), observed: Observed{Children: map[plan.Key]map[string]any{}}}
			p, memo := Evaluate(b.Context(), w.input(nil))
			for range 20 {
				w.apply(p)
				p, memo = Evaluate(b.Context(), w.input(memo))
			}
			if state := plan.Summarise(p).State; state != plan.Active {
				b.Fatalf("state is %s", state)
			}
			b.ReportAllocs()
			for b.Loop() {
				w.observed.Children[configMap("n57")] = w.edited(w.observed.Children[configMap("n57")], "status", map[string]any{"phase": "up"})
				if !withMemo {
					memo = nil
				}
				_, memo = Evaluate(b.Context(), w.input(memo))
			}
		})
	}
}
