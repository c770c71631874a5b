package instance

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/compile"
	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// reading reads availableReplicas in readyWhen, replicas in another node and readyReplicas in the status; of the
// collection it reads succeeded.
const reading = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: things}
spec:
  schema: {apiVersion: v1, kind: Thing, status: {ready: "${web.status.readyReplicas}"}}
  resources:
  - id: web
    readyWhen: ["${self.status.availableReplicas > 0}"]
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: config}, data: {a: "${string(web.status.replicas)}"}}
  - id: jobs
    forEach: [{number: "${[1, 2]}"}]
    readyWhen: ["${each.status.succeeded > 0}"]
    template:
      apiVersion: batch/v1
      kind: Job
      metadata: {name: "job-${number}"}
      spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}
`

func TestIsRelevant(t *testing.T) {
	docs, _ := source.Parse("group.yaml", []byte(reading))
	group, _ := source.MapGroup(docs[0])
	g, problems, err := compile.Compile(context.Background(), group, schema.Embedded())
	if g == nil || err != nil {
		t.Fatalf("the group does not compile: %v %v", problems.Sorted(), err)
	}
	child := func(node string, edit func(object map[string]any)) *unstructured.Unstructured {
		object := map[string]any{
			"metadata": map[string]any{
				"name": "x", "resourceVersion": "1", "generation": int64(1), "annotations": map[string]any{"plait.run/node": node},
				"managedFields": []any{map[string]any{"manager": "plait.run", "time": "12:00", "fieldsV1": map[string]any{"f:spec": map[string]any{}}}},
			},
			"spec":   map[string]any{"replicas": int64(1)},
			"status": map[string]any{"observedGeneration": int64(1)},
		}
		edit(object)
		return &unstructured.Unstructured{Object: object}
	}
	status := func(key string, value any) func(map[string]any) {
		return func(o map[string]any) { o["status"].(map[string]any)[key] = value }
	}
	metadata := func(key string, value any) func(map[string]any) {
		return func(o map[string]any) { o["metadata"].(map[string]any)[key] = value }
	}
	for name, c := range map[string]struct {
		graph *graph.Graph
		node  string
		edit  func(map[string]any)
		want  bool
	}{
		"another version":           {g, "web", metadata("resourceVersion", "2"), false},
		"a heartbeat":               {g, "web", status("observedGeneration", int64(2)), false},
		"before the first pass":     {nil, "web", status("observedGeneration", int64(2)), true},
		"of a node that has gone":   {g, "old", status("observedGeneration", int64(2)), true},
		"read by readyWhen":         {g, "web", status("availableReplicas", int64(1)), true},
		"read by another node":      {g, "web", status("replicas", int64(1)), true},
		"read by the status":        {g, "web", status("readyReplicas", int64(1)), true},
		"read of each":              {g, "jobs", status("succeeded", int64(1)), true},
		"not read of each":          {g, "jobs", status("active", int64(1)), false},
		"read by nobody":            {g, "config", status("replicas", int64(1)), false},
		"spec beside ours":          {g, "web", func(o map[string]any) { o["spec"] = map[string]any{"paused": true} }, false},
		"labels of others":          {g, "web", metadata("labels", map[string]any{"a": "b"}), false},
		"another object":            {g, "web", metadata("uid", "2"), true},
		"going":                     {g, "web", metadata("deletionTimestamp", "12:00"), true},
		"a field taken from us":     {g, "web", metadata("managedFields", []any{map[string]any{"manager": "plait.run", "fieldsV1": map[string]any{}}}), true},
		"our entry at another time": {g, "web", metadata("managedFields", []any{map[string]any{"manager": "plait.run", "time": "12:01", "fieldsV1": map[string]any{"f:spec": map[string]any{}}}}), false},
	} {
		old, now := child(c.node, func(map[string]any) {}), child(c.node, c.edit)
		if got := isRelevant(c.graph, old, now); got != c.want {
			t.Errorf("%s: relevant %t, want %t", name, got, c.want)
		}
	}
}
