package instance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

const bags = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: bags.bags.example.com}
spec:
  group: bags.example.com
  names: {plural: bags, kind: Bag}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              typed: &map {type: object, additionalProperties: {type: string}}
              open: {type: object, x-kubernetes-preserve-unknown-fields: true}
              nested: {type: object, properties: {inner: *map}}
              items:
                type: array
                items: {type: object, required: [name], properties: {name: {type: string}, map: *map}}
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
`

// TestMapsThatBecomeEmpty takes all keys from maps of children: an API server makes null of them in custom resources.
func TestMapsThatBecomeEmpty(t *testing.T) {
	w := newWorld(t)
	w.Apply(bags)
	shared.RunEngine(t)
	kind := w.serve("Emptied", `m: "map[string]string"`, `  - id: map
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}", labels: "${schema.spec.m}", annotations: "${schema.spec.m}"}, data: "${schema.spec.m}"}
  - id: web
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: "${schema.metadata.name}"}
      spec:
        replicas: 0
        selector: {matchLabels: {app: x}}
        template:
          metadata: {labels: {app: x}, annotations: "${schema.spec.m}"}
          spec: {nodeSelector: "${schema.spec.m}", containers: [{name: main, image: "example.com/a:1"}]}
  - id: bag
    template:
      apiVersion: bags.example.com/v1
      kind: Bag
      metadata: {name: "${schema.metadata.name}"}
      spec: {typed: "${schema.spec.m}", nested: {inner: "${schema.spec.m}"}, open: {m: "${schema.spec.m}"}, items: [{name: a, map: "${schema.spec.m}"}]}
`)
	w.Apply(instanceOf("Emptied", "a", "m: {k: v, l: w}"))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	requests := shared.NewLedger(t)
	w.Patch(kind, "a", `{"spec":{"m":{"k":null,"l":null}}}`)
	w.WaitFor("Bag", "a", func(u *unstructured.Unstructured) error {
		empty := map[string]any{}
		want := map[string]any{
			"typed": empty, "nested": map[string]any{"inner": empty}, "open": map[string]any{"m": empty},
			"items": []any{map[string]any{"name": "a", "map": empty}},
		}
		if diff := cmp.Diff(want, u.Object["spec"]); diff != "" {
			return fmt.Errorf("spec (-want +got):\n%s", diff)
		}
		return nil
	})
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	for kind, path := range map[string][]string{"ConfigMap": {}, "Deployment": {"spec", "template", "spec", "nodeSelector"}} {
		u, err := w.Get(kind, "a")
		if err != nil {
			t.Fatal(err)
		}
		left, _, _ := unstructured.NestedFieldNoCopy(u.Object, path...)
		if kind == "ConfigMap" {
			left = u.Object["data"]
		}
		if left != nil || u.GetLabels()["k"] != "" || u.GetAnnotations()["k"] != "" {
			t.Errorf("%s has still %v, labels %v, annotations %v", kind, left, u.GetLabels(), u.GetAnnotations())
		}
	}
	spend(t, requests, "emptying maps", 5) // two of them for the custom resource, and the status
	w.Remove(kind, "a")
}

// TestListsWithoutTheirKeys has a list whose items lack what tells them apart. An API server cannot merge that and answers
// with 500 and no reason; it is the object's fault all the same.
func TestListsWithoutTheirKeys(t *testing.T) {
	w := newWorld(t)
	w.Apply(bags)
	shared.RunEngine(t)
	kind := w.serve("Keyless", `names: "[]string"`, `  - id: bag
    template:
      apiVersion: bags.example.com/v1
      kind: Bag
      metadata: {name: "${schema.metadata.name}"}
      spec: {items: "${schema.spec.names.map(n, {?'name': n == 'none' ? optional.none() : optional.of(n)})}"}
`)
	for names, says := range map[string]string{
		"[a, none]": `.spec.items: element 1: associative list with keys has an element that omits all key fields`,
		"[a, a]":    `.spec.items: duplicate entries for key [name="a"]`,
	} {
		w.Apply(instanceOf("Keyless", "a", "names: "+names))
		u := w.WaitStatus(kind, "a", "state", "FAILED")
		if got := world.Condition(u, "Ready"); !strings.HasPrefix(got, "False/InvalidObject") || !strings.Contains(got, says) {
			t.Errorf("names %s: Ready is %s, want %s", names, got, says)
		}
		w.Apply(instanceOf("Keyless", "a", "names: [a, b]"))
		w.WaitStatus(kind, "a", "state", "ACTIVE")
	}
	w.Remove(kind, "a")
}
