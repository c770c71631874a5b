package runtime

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/runtime/plan"
)

func TestStatesOfPreview(t *testing.T) {
	named := func(id, data string) fixture {
		return fixture{id: id, template: "metadata: {name: " + id + "}\ndata: " + data}
	}
	tests := []struct {
		name    string
		nodes   []fixture
		spec    string
		objects []string
		want    []string
		message []string // texts of the summary
	}{
		{
			name:  "a value of the spec",
			nodes: []fixture{named("a", "{x: '${schema.spec.name}'}")}, spec: "{name: north}",
			want: []string{"a Ready"}, message: []string{"everything is ready"},
		}, {
			name:  "an input that is not set fails and others go on",
			nodes: []fixture{named("a", "{x: '${schema.spec.motto}'}"), named("b", "{}")}, spec: "{}",
			want:    []string{"a Failed", "b Ready"},
			message: []string{"a: spec.resources[0].template.data.x: schema.spec.motto is not set", "schema.spec.?motto", "default"},
		}, {
			name:  "a declared field of a child is waited for",
			nodes: []fixture{named("db", "{}"), named("app", "{url: '${db.status.endpoint}'}")}, spec: "{}",
			want: []string{"db Ready", "app Waiting db.status.endpoint"}, message: []string{"waiting for db: status.endpoint"},
		}, {
			name: "an undeclared key is waited for and says so", spec: "{}",
			nodes: []fixture{named("db", "{}"), named("app", "{url: '${db.data.url} ${db.data.user}'}")},
			want:  []string{"db Ready", "app Waiting db.data.url, db.data.user"},
		}, {
			name: "a dependent waits for readiness by id", spec: "{}",
			nodes: []fixture{
				{id: "job", template: "metadata: {name: job}", readyWhen: []string{"${self.status.count > 0}"}},
				named("app", "{x: '${job.metadata.name}'}"),
			},
			want: []string{"job Applied", "app Waiting job"}, message: []string{"waiting for job to be ready"},
		}, {
			name: "dependsOn waits, and an excluded target does not hold up", spec: "{enabled: false}",
			nodes: []fixture{
				{id: "late", dependsOn: []string{"slow"}, template: "metadata: {name: late}"},
				{id: "slow", template: "metadata: {name: slow}", readyWhen: []string{"${self.status.count == 1}"}},
				{id: "off", template: "metadata: {name: off}", includeWhen: []string{"${schema.spec.enabled}"}},
				{id: "free", dependsOn: []string{"off"}, template: "metadata: {name: free}"},
			},
			want: []string{"late Waiting slow", "slow Applied", "off Excluded", "free Ready"},
		}, {
			name: "exclusion spreads over hard needs and is no failure", spec: "{enabled: false}",
			nodes: []fixture{
				{id: "disk", template: "metadata: {name: '${schema.spec.motto}'}", includeWhen: []string{"${schema.spec.enabled}"}},
				named("app", "{x: '${disk.metadata.name}'}"), named("door", "{x: '${app.metadata.name}'}"),
				named("soft", "{x: '${disk.?metadata.?name.orValue(\"none\")}'}"),
			},
			want: []string{"disk Excluded", "app Excluded", "door Excluded", "soft Ready"},
		}, {
			name: "includeWhen over a value that is not there waits", spec: "{}",
			nodes: []fixture{
				{id: "facts", external: "platform/facts"},
				{id: "gold", template: "metadata: {name: gold}", includeWhen: []string{"${facts.data.tier == 'gold'}"}},
				named("badge", "{x: '${gold.metadata.name}'}"),
			},
			objects: []string{"metadata: {name: facts, namespace: platform}\ndata: {region: n}"},
			want:    []string{"facts Ready", "gold Waiting facts.data.tier", "badge Waiting gold"},
			message: []string{"waiting for facts: data.tier"},
		}, {
			name: "a condition that is false decides while another waits", spec: "{enabled: false}",
			nodes: []fixture{
				{id: "facts", external: "platform/facts"},
				{id: "gold", template: "metadata: {name: gold}", includeWhen: []string{"${facts.data.tier == 'gold'}", "${schema.spec.enabled}"}},
			},
			want: []string{"facts Waiting ConfigMap platform/facts", "gold Excluded"},
		}, {
			name: "an external of the instance's namespace by default", spec: "{}",
			nodes:   []fixture{{id: "facts", external: "facts"}, named("app", "{x: '${facts.data.region}'}")},
			objects: []string{"metadata: {name: facts, namespace: platform}\ndata: {region: n}"},
			want:    []string{"facts Waiting ConfigMap shop/facts", "app Waiting facts"}, message: []string{"waiting for ConfigMap shop/facts"},
		}, {
			name: "externals by selector", spec: "{name: edge}",
			nodes: []fixture{
				{id: "parts", selector: "${schema.spec.name}"},
				{id: "out", template: "metadata: {name: '${parts.map(p, p.metadata.name).join(\"-\")}'}"},
			},
			objects: []string{
				"metadata: {name: z, namespace: shop, labels: {role: edge}}", "metadata: {name: b, namespace: shop, labels: {role: core}}",
				"metadata: {name: a, namespace: shop, labels: {role: edge}}", "metadata: {name: c, namespace: other, labels: {role: edge}}",
			},
			want: []string{"parts Ready", "out Ready"},
		}, {
			name: "division by zero names expression and place", spec: "{count: 0}",
			nodes:   []fixture{named("a", "{x: 'each ${100 / schema.spec.count}'}"), named("b", "{}")},
			want:    []string{"a Failed", "b Ready"},
			message: []string{"spec.resources[0].template.data.x", "100 / schema.spec.count"},
		}, {
			name: "a def is ready when it has a value, and what it left out is a failure", spec: "{name: north}",
			nodes: []fixture{
				{id: "names", def: "base: '${schema.spec.name}'\nmotto: '${schema.spec.?motto}'"},
				named("a", "{x: '${names.base}'}"), named("b", "{x: '${names.motto}'}"),
			},
			want: []string{"names Ready", "a Ready", "b Failed"}, message: []string{"names.motto"},
		}, {
			name: "a kind that is not installed", spec: "{}",
			nodes: []fixture{{id: "db", kind: "Database", absent: true, template: "metadata: {name: x}"}, named("b", "{}"), named("c", "{x: '${db.metadata.name}'}")},
			want:  []string{"db Waiting kind Database", "b Ready", "c Waiting db"}, message: []string{"waiting for kind Database"},
		}, {
			name: "items must be ready one by one", spec: "{names: [a, b]}",
			nodes: []fixture{
				{id: "jobs", forEach: [][2]string{{"n", "${schema.spec.names}"}}, readyWhen: []string{"${each.status.count == 1}"}, template: "metadata: {name: '${n}'}"},
				named("c", "{x: '${string(jobs.size())}'}"),
			},
			objects: []string{"metadata: {name: a, namespace: shop}\nstatus: {count: 1}"},
			want:    []string{"jobs Applied", "c Waiting jobs"},
		}, {
			name: "two items with one name", spec: "{names: [ada, bob, ada]}",
			nodes:   []fixture{{id: "desks", forEach: [][2]string{{"n", "${schema.spec.names}"}}, template: "metadata: {name: 'desk-${n}'}"}},
			want:    []string{"desks Failed"},
			message: []string{"the items 1 and 3", "desk-ada"},
		}, {
			name: "two nodes with one object", spec: "{name: same}",
			nodes:   []fixture{{id: "a", template: "metadata: {name: same}"}, {id: "b", template: "metadata: {name: '${schema.spec.name}'}"}},
			want:    []string{"a Ready", "b Failed"},
			message: []string{"ConfigMap shop/same", `"a"`},
		}, {
			name: "an empty collection is ready", spec: "{names: []}",
			nodes: []fixture{
				{id: "jobs", forEach: [][2]string{{"n", "${schema.spec.names}"}}, readyWhen: []string{"${each.status.count == 1}"}, template: "metadata: {name: '${n}'}"},
				named("c", "{x: '${string(jobs.size())}'}"),
			},
			want: []string{"jobs Ready", "c Ready"},
		}, {
			name: "an object that is being deleted", spec: "{}",
			nodes:   []fixture{named("a", "{}"), named("b", "{x: '${a.metadata.name}'}")},
			objects: []string{"metadata: {name: a, namespace: shop, deletionTimestamp: '2030-01-01T00:00:00Z'}"},
			want:    []string{"a Waiting deleting ConfigMap a", "b Waiting a"}, message: []string{"waiting for deleting ConfigMap a"},
		}, {
			name: "names that no object can have", spec: "{name: ''}",
			nodes: []fixture{
				{id: "a", template: "metadata: {name: '${schema.spec.name}'}"}, {id: "b", template: "metadata: {name: 'No_${schema.spec.name}'}"},
				{id: "c", template: "metadata: {name: '${omit()}'}"}, {id: "d", template: "metadata: {name: d, namespace: '-${schema.spec.name}'}"},
				{id: "e", template: "metadata: {name: e, labels: '${ {\"plait.run/owned\": \"x\"} }'}"},
			},
			want:    []string{"a Failed", "b Failed", "c Failed", "d Failed", "e Failed"},
			message: []string{"it comes out empty", `"No_"`, "it is left out", "and 2 more"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var objects []map[string]any
			for _, text := range tt.objects {
				objects = append(objects, object(t, text))
			}
			p := Preview(t.Context(), Input{Graph: newGraph(t, "", tt.nodes...), Instance: instance(t, tt.spec)}, objects)
			if diff := cmp.Diff(tt.want, states(p)); diff != "" {
				t.Errorf("states (-want +got):\n%s", diff)
			}
			message := plan.Summarise(p).Message
			for _, text := range tt.message {
				if !strings.Contains(message, text) {
					t.Errorf("%q is not in the message %q", text, message)
				}
			}
		})
	}
}

func TestPreviewOfObjects(t *testing.T) {
	g := newGraph(t, "",
		fixture{id: "parts", selector: "edge"},
		fixture{id: "own", template: "metadata: {name: own, labels: {role: edge}}"},
		fixture{id: "going", template: "metadata: {name: going}"},
		fixture{id: "count", template: "metadata: {name: count}\ndata: {x: '${string(parts.size())} ${own.data.live}'}"},
	)
	p := Preview(t.Context(), Input{Graph: g, Instance: instance(t, "{}")}, []map[string]any{
		object(t, "metadata: {name: own, namespace: shop, labels: {role: edge}}\ndata: {live: observed}"),
		object(t, "metadata: {name: other, namespace: shop, labels: {role: edge}}"),
		object(t, "metadata: {name: going, namespace: shop, deletionTimestamp: '2030-01-01T00:00:00Z'}"),
	})
	if diff := cmp.Diff([]string{"Keep own", "Keep count"}, actions(p)); diff != "" {
		t.Fatalf("objects (-want +got):\n%s", diff)
	}
	want := map[string]any{"x": "1 observed"} // an external is only what no node renders
	if diff := cmp.Diff(want, p.Nodes[3].Objects[0].Rendered["data"]); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
}
