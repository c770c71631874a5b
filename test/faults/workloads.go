package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// workload is what a copy goes through. In documents * stands for the copy's token.
type workload struct {
	name       string
	prepare    func(context.Context, *rig) error // makes what all copies share; nil: there is nothing
	there      string                            // documents that the provider has for each copy; empty: it knows of none
	resource   schema.GroupVersionResource       // of the object that the stages are about
	namespaced bool                              // it lives in the copy's namespace
	stages     []stage
	inOrder    bool          // deletions have only one right order
	pause      time.Duration // that the engine may make between two writes; zero: less than quiet
}

// stage is one change by a person, and what the engine makes of it.
type stage struct {
	name     string
	document string                      // is applied; empty: the object is deleted
	resource schema.GroupVersionResource // of the object that is deleted; zero: that of the workload
	goals    []goal                      // empty: the workload's object is ready, or gone
}

// workloads are all of them, the smallest first.
func workloads() []workload {
	line := instances("chain", chain, []stage{
		{name: "create", document: "text: first, extra: true"}, {name: "update", document: "text: second, extra: true"},
		{name: "exclude", document: "text: second, extra: false"}, {name: "include", document: "text: third, extra: true"}, {name: "delete"},
	})
	line.inOrder = true
	return []workload{
		line,
		instances("diamond", diamond, []stage{
			{name: "create", document: "text: first, extra: true"}, {name: "update", document: "text: second, extra: true"},
			{name: "exclude", document: "text: second, extra: false"}, {name: "delete"},
		}),
		instances("collection", collection, []stage{
			{name: "create", document: "text: first, extra: true, items: [a, b]"}, {name: "update", document: "text: second, extra: true, items: [a, b]"},
			{name: "scale up", document: "text: second, extra: true, items: [a, b, c, d]"}, {name: "scale down", document: "text: second, extra: true, items: [b]"},
			{name: "exclude", document: "text: second, extra: false, items: [b]"}, {name: "delete"},
		}),
		{name: "group", resource: groups, stages: []stage{
			{name: "create", document: groupOf("*", "K*", configMap("a", "${schema.spec.text}", ""))},
			{name: "update", document: groupOf("*", "K*", configMap("a", "${schema.spec.text}", "")+configMap("b", "${a.data.text}", ""))},
			{name: "delete"},
		}},
		connections(), referenced(), removed(), bound(), mounts(),
	}
}

// instances is a workload of instances of one group; the stages give their specs.
func instances(name, resources string, stages []stage) workload {
	kind := strings.ToUpper(name[:1]) + name[1:]
	for i, s := range stages {
		if s.document != "" {
			stages[i].document = fmt.Sprintf("{apiVersion: faults.plait.run/v1, kind: %s, metadata: {name: '*'}, spec: {%s}}", kind, s.document)
		}
	}
	return workload{
		name: name, stages: stages, namespaced: true,
		prepare:  func(ctx context.Context, w *rig) error { return w.serve(ctx, name, groupOf(name, kind, resources)) },
		resource: schema.GroupVersionResource{Group: "faults.plait.run", Version: "v1", Resource: name + "s"},
	}
}

func groupOf(name, kind, resources string) string {
	return fmt.Sprintf(`
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: '%s'}
spec:
  crdDeletion: Delete
  schema:
    apiVersion: v1
    kind: '%s'
    group: faults.plait.run
    spec: {text: string | default=none, extra: boolean | default=true, items: "[]string"}
    status: {text: "${a.data.text}"}
  resources:
%s`, name, kind, resources)
}

// chain is four objects of which each reads the one before, and a last one that may be left out. One has quantities
// that the API server spells in its own way.
var chain = configMap("a", "${schema.spec.text}", "") + `
  - id: b
    template:
      apiVersion: v1
      kind: LimitRange
      metadata: {name: "${schema.metadata.name}-b", annotations: {text: "${a.data.text}"}}
      spec: {limits: [{type: Container, default: {cpu: 1000m, memory: 1024Mi}}]}
` + configMap("c", "${b.metadata.annotations.text}", "") + configMap("d", "${c.data.text}", "${schema.spec.extra}")

// diamond has a middle that is written at once, and an end that reads one side softly.
var diamond = configMap("a", "${schema.spec.text}", "") +
	configMap("b", "${a.data.text}", "") + configMap("c", "${a.data.text}", "${schema.spec.extra}") +
	configMap("d", `${b.data.text}-${c.?data.?text.orValue("none")}`, "")

// collection is a list of objects between two that are none.
var collection = configMap("a", "${schema.spec.text}", "") + `
  - id: list
    forEach: [{letter: "${schema.spec.items}"}]
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}-list-${letter}"}
      data: {text: "${a.data.text}"}
` + configMap("z", `${list.map(o, o.metadata.name).join(",")}`, "${schema.spec.extra}")

func configMap(id, text, includeWhen string) string {
	condition := ""
	if includeWhen != "" {
		condition = fmt.Sprintf("    includeWhen: [\"%s\"]\n", includeWhen)
	}
	return fmt.Sprintf(`  - id: %s
%s    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}-%s"}
      data: {text: '%s'}
`, id, condition, id, text)
}
