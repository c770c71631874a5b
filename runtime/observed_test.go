package runtime

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/runtime/plan"
)

// child is an observed ConfigMap of a node.
func child(name, node, rest string) string {
	return "metadata: {name: " + name + ", namespace: shop, uid: u-" + name + ", resourceVersion: '1', annotations: {plait.run/node: " + node + "}}\n" + rest
}

func needing(name, node, needs string) string {
	return "metadata: {name: " + name + ", namespace: shop, annotations: {plait.run/node: " + node + ", plait.run/needs: '" + needs + "'}}"
}

func TestActions(t *testing.T) {
	chain := []fixture{
		{id: "a", template: "metadata: {name: a}\ndata: {x: '1'}"},
		{id: "b", template: "metadata: {name: b}\ndata: {x: '${a.data.x}'}"},
	}
	tests := []struct {
		name     string
		observed Observed
		stale    string // name of the object that is not current
		actions  []string
		states   []string
	}{
		{
			name: "nothing is there", actions: []string{"Create a"}, states: []string{"a Applied", "b Waiting a"},
		}, {
			name: "the first is there", observed: Observed{Children: children(t, child("a", "a", "data: {x: '1'}"))},
			actions: []string{"Keep a", "Create b"}, states: []string{"a Ready", "b Applied"},
		}, {
			name: "the first has drifted", stale: "a",
			observed: Observed{Children: children(t, child("a", "a", "data: {x: '2'}"), child("b", "b", "data: {x: '1'}"))},
			actions:  []string{"Apply a"}, states: []string{"a Applied", "b Waiting a"},
		}, {
			name: "a write failed in passing",
			observed: Observed{Faults: map[plan.Key]plan.Fault{
				configMap("a"): {Reason: plan.ReasonApplyError, Message: "timed out", Passing: true},
			}},
			actions: []string{"Create a"}, states: []string{"a Failed", "b Waiting a"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := evaluate(t, Input{
				Graph: newGraph(t, "", chain...), Instance: instance(t, "{}"), Observed: tt.observed,
				IsCurrent: func(o plan.Object, _ map[string]any) bool { return o.Key.Name != tt.stale },
			})
			if diff := cmp.Diff(tt.actions, actions(p)); diff != "" {
				t.Errorf("actions (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.states, states(p)); diff != "" {
				t.Errorf("states (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFaultOfAWriteIsTold(t *testing.T) {
	p := evaluate(t, Input{
		Graph: newGraph(t, "", fixture{id: "a", template: "metadata: {name: a}"}), Instance: instance(t, "{}"),
		Observed: Observed{Faults: map[plan.Key]plan.Fault{configMap("a"): {Reason: plan.ReasonForbidden, Message: "cannot create configmaps"}}},
	})
	want := plan.Summary{
		State: plan.StateFailed, Ready: "False", Reason: plan.ReasonForbidden, Message: "a: ConfigMap shop/a: cannot create configmaps",
	}
	if diff := cmp.Diff(want, plan.Summarise(p)); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestObjectsAreComplete(t *testing.T) {
	p := evaluate(t, Input{
		Graph: newGraph(t, "",
			fixture{id: "base", template: "metadata: {name: base}"},
			fixture{id: "name", def: "text: '${base.metadata.name}'"},
			fixture{id: "cells", forEach: [][2]string{{"z", "${schema.spec.names}"}, {"n", "${[1, 2]}"}}, template: "metadata: {name: '${z}-${n}'}\ndata: {x: '${name.text}'}"},
		),
		Instance: instance(t, "{names: [b, a]}"), Observed: Observed{Children: children(t, child("base", "base", ""))},
	})
	if len(p.Nodes[2].Objects) != 4 {
		t.Fatalf("objects: %v", p.Nodes[2].Objects)
	}
	want := plan.Object{
		Node: "cells", Item: `["b",2]`, Key: configMap("b-2"), GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"},
		Resource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Needs: []string{"base"}, Action: plan.Create,
		Rendered: object(t, "metadata: {name: b-2, namespace: shop}\ndata: {x: base}"),
	}
	if diff := cmp.Diff(want, p.Nodes[2].Objects[1]); diff != "" {
		t.Errorf("second object (-want +got):\n%s", diff)
	}
}

func TestPrune(t *testing.T) {
	named := func(id, name string) fixture { return fixture{id: id, template: "metadata: {name: " + name + "}"} }
	collection := fixture{id: "jobs", forEach: [][2]string{{"n", "${schema.spec.names}"}}, template: "metadata: {name: '${n}'}"}
	tests := []struct {
		name     string
		nodes    []fixture
		spec     string
		children []string
		want     [][]plan.Key
		states   []string
	}{
		{
			name: "nodes that are gone, dependents first", nodes: []fixture{named("a", "a")}, spec: "{}",
			children: []string{needing("a", "a", ""), needing("p", "p", "a"), needing("q", "q", "p,a"), needing("r", "r", "a")},
			want:     [][]plan.Key{{configMap("q"), configMap("r")}, {configMap("p")}}, states: []string{"a Ready"},
		}, {
			name: "an excluded node", spec: "{enabled: false}",
			nodes:    []fixture{{id: "a", template: "metadata: {name: a}", includeWhen: []string{"${schema.spec.enabled}"}}},
			children: []string{needing("a", "a", "")}, want: [][]plan.Key{{configMap("a")}}, states: []string{"a Deleting"},
		}, {
			name: "a collection that shrank", nodes: []fixture{collection}, spec: "{names: [a]}",
			children: []string{needing("a", "jobs", ""), needing("b", "jobs", "")},
			want:     [][]plan.Key{{configMap("b")}}, states: []string{"jobs Ready"},
		}, {
			name: "a collection that cannot be told keeps all", spec: "{}", nodes: []fixture{collection},
			children: []string{needing("a", "jobs", ""), needing("b", "jobs", "")}, states: []string{"jobs Failed"},
		}, {
			name: "a node that waits keeps its own", spec: "{}",
			nodes:    []fixture{named("db", "db"), {id: "app", template: "metadata: {name: app}\ndata: {x: '${db.status.endpoint}'}"}},
			children: []string{needing("db", "db", ""), needing("app", "app", "db"), needing("former", "app", "db")},
			states:   []string{"db Ready", "app Waiting db.status.endpoint"},
		}, {
			name: "an object that moved to another node", nodes: []fixture{named("renamed", "a")}, spec: "{}",
			children: []string{needing("a", "former", "")}, states: []string{"renamed Ready"},
		}, {
			name: "an object that a waiting node may come to want", spec: "{}",
			nodes:    []fixture{named("db", "db"), {id: "app", template: "metadata: {name: a}\ndata: {x: '${db.status.endpoint}'}"}},
			children: []string{needing("db", "db", ""), needing("a", "former", ""), needing("b", "former", "")},
			want:     [][]plan.Key{{configMap("b")}}, states: []string{"db Ready", "app Waiting db.status.endpoint"},
		}, {
			name: "a waiting node whose name is not known holds all of its kind", spec: "{}",
			nodes:    []fixture{named("db", "db"), {id: "app", template: "metadata: {name: '${db.status.endpoint}'}"}},
			children: []string{needing("db", "db", ""), needing("b", "former", "")},
			states:   []string{"db Ready", "app Waiting db.status.endpoint"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := evaluate(t, Input{
				Graph: newGraph(t, "", tt.nodes...), Instance: instance(t, tt.spec), Observed: Observed{Children: children(t, tt.children...)},
			})
			if diff := cmp.Diff(tt.want, p.Prune); diff != "" {
				t.Errorf("prune (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.states, states(p)); diff != "" {
				t.Errorf("states (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadingsOfExternals(t *testing.T) {
	want := plan.Want{Resource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Kind: "ConfigMap", Namespace: "shop", Name: "facts"}
	facts := object(t, "metadata: {name: facts, namespace: shop}\ndata: {tier: gold}")
	nodes := []fixture{
		{id: "facts", external: "${schema.spec.name}"},
		{id: "hard", template: "metadata: {name: hard}\ndata: {x: '${facts.data.tier}'}"},
		{id: "soft", template: "metadata: {name: soft}\ndata: {x: '${facts.?data.?tier.orValue(\"none\")}'}"},
	}
	tests := []struct {
		name     string
		readings map[plan.Want]Reading
		states   []string
		status   map[string]any
		unknown  []string
		faults   int
	}{
		{
			name: "not read yet", states: []string{"facts Waiting ConfigMap shop/facts", "hard Waiting facts", "soft Waiting facts"},
			unknown: []string{"status.optional", "status.tier"},
		}, {
			name: "not synced", readings: map[plan.Want]Reading{want: {}},
			states: []string{"facts Waiting ConfigMap shop/facts", "hard Waiting facts", "soft Waiting facts"}, unknown: []string{"status.optional", "status.tier"},
		}, {
			name: "absent", readings: map[plan.Want]Reading{want: {Synced: true}},
			states: []string{"facts Waiting ConfigMap shop/facts", "hard Waiting facts", "soft Applied"}, status: map[string]any{"optional": "none"},
		}, {
			name: "there", readings: map[plan.Want]Reading{want: {Synced: true, Objects: []map[string]any{facts}}},
			states: []string{"facts Ready", "hard Applied", "soft Applied"}, status: map[string]any{"tier": "gold", "optional": "gold"},
		}, {
			name: "forbidden", readings: map[plan.Want]Reading{want: {Denied: "cannot get configmaps"}},
			states: []string{"facts Failed", "hard Waiting facts", "soft Waiting facts"}, faults: 2,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := evaluate(t, Input{
				Graph:    newGraph(t, "tier: '${facts.data.tier}'\noptional: '${facts.?data.?tier.orValue(\"none\")}'", nodes...),
				Instance: instance(t, "{name: facts}"), Observed: Observed{Externals: tt.readings},
			})
			if diff := cmp.Diff(tt.states, states(p)); diff != "" {
				t.Errorf("states (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]plan.Want{want}, p.Wants); diff != "" {
				t.Errorf("wants (-want +got):\n%s", diff)
			}
			if tt.status == nil {
				tt.status = map[string]any{}
			}
			if diff := cmp.Diff(tt.status, p.Status); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.unknown, p.Unknown); diff != "" || p.Passing != (len(tt.unknown) > 0) || len(p.Faults) != tt.faults {
				t.Errorf("passing %t, faults %v, unknown (-want +got):\n%s", p.Passing, p.Faults, diff)
			}
		})
	}
}

func TestReadingBeyondWhatWeRendered(t *testing.T) {
	secret := plan.Key{Kind: "Secret", Namespace: "shop", Name: "s"}
	nodes := []fixture{
		{id: "s", kind: "Secret", template: "metadata: {name: s}\ndata: {own: x}"},
		{id: "own", template: "metadata: {name: own}\ndata: {x: '${s.data.own} ${s.metadata.name}'}"},
		{id: "live", template: "metadata: {name: live}\ndata: {x: '${s.data.generated}'}"},
	}
	observed := Observed{Children: children(t, "kind: Secret\nmetadata: {name: s, namespace: shop}\ndata: {own: x, generated: made}")}
	in := Input{Graph: newGraph(t, "own: '${s.data.own}'\nlive: '${s.data.generated}'\ntext: 'it is ${s.data.generated}'", nodes...), Instance: instance(t, "{}"), Observed: observed}
	p := evaluate(t, in)
	if diff := cmp.Diff([]plan.Key{secret}, p.Reads); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"own": "x", "live": "made", "text": "it is made"}, p.Status); diff != "" {
		t.Errorf("status while allowed (-want +got):\n%s", diff)
	}

	in.Observed.Denied = map[plan.Key]string{secret: "cannot get secrets"}
	p = evaluate(t, in)
	if diff := cmp.Diff([]string{"s Ready", "own Applied", "live Failed"}, states(p)); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"own": "x"}, p.Status); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	why := ": reading Secret shop/s: cannot get secrets"
	faults := []plan.StatusFault{
		{Path: "status.live", Message: "spec.schema.status.live: ${s.data.generated}" + why, Denied: true},
		{Path: "status.text", Message: "spec.schema.status.text: it is ${s.data.generated}" + why, Denied: true},
	}
	if diff := cmp.Diff(faults, p.Faults); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func TestExistingChildStandsForAWaitingNode(t *testing.T) {
	g := newGraph(t, "phase: '${app.status.phase}'",
		fixture{id: "db", template: "metadata: {name: db}", readyWhen: []string{"${self.status.count == 1}"}},
		fixture{id: "app", template: "metadata: {name: app}\ndata: {x: '${db.metadata.name}'}"},
		fixture{id: "hard", template: "metadata: {name: hard}\ndata: {x: '${app.metadata.name}'}"},
		fixture{id: "soft", template: "metadata: {name: soft}\ndata: {x: '${app.?status.?phase.orValue(\"none\")}'}"},
	)
	observed := Observed{Children: children(t, child("db", "db", ""), child("app", "app", "status: {phase: up}"))}
	p := evaluate(t, Input{Graph: g, Instance: instance(t, "{}"), Observed: observed})
	if diff := cmp.Diff([]string{"db Applied", "app Waiting db", "hard Waiting app", "soft Applied"}, states(p)); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"phase": "up"}, p.Status); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	if got := p.Nodes[3].Objects[0].Rendered["data"]; !cmp.Equal(got, map[string]any{"x": "up"}) {
		t.Errorf("the optional reference gives %v", got)
	}
	if diff := cmp.Diff([]plan.Key{configMap("app"), configMap("db")}, p.Reads); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
}
