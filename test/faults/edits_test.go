package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

// TestEditsWhileTheEngineIsDown edits ten children of forty-four, quantities among them: each is repaired by one write, and
// nothing else is written.
func TestEditsWhileTheEngineIsDown(t *testing.T) {
	y := newYard(t)
	y.serve(configMap("a", "${schema.spec.text}", "") + `  - id: texts
    forEach: [{letter: "${schema.spec.items}"}]
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-t-${letter}"}, data: {text: "${a.data.text}"}}
  - id: limits
    forEach: [{letter: "${schema.spec.items}"}]
    template:
      apiVersion: v1
      kind: LimitRange
      metadata: {name: "${schema.metadata.name}-l-${letter}"}
      spec: {limits: [{type: Container, default: {cpu: 1000m, memory: 1024Mi}}]}
`)
	for _, name := range []string{"one", "two", "three", "four"} {
		y.instance(name, "text: first, items: ['0', '1', '2', '3', '4']")
		y.waitReady(y.kinds, y.token, y.token+"-"+name)
	}
	y.must(shared.settle(t.Context()))
	y.must(shared.engine.Kill())
	var want []string
	for i := range 5 {
		for gvr, patch := range map[schema.GroupVersionResource]string{
			configMaps: `{"data":{"text":"edited"}}`,
			limits:     `{"spec":{"limits":[{"type":"Container","default":{"cpu":"2","memory":"1Gi"}}]}}`,
		} {
			kind := map[schema.GroupVersionResource]string{configMaps: "t", limits: "l"}[gvr]
			name := fmt.Sprintf("%s-two-%s-%d", y.token, kind, i)
			_, err := shared.at(gvr, y.token).Patch(t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: world.Manager})
			y.must(err)
			want = append(want, withoutToken("patch "+gvr.Resource+"/"+name))
		}
	}
	_, from := shared.proxy.since(0)
	y.must(shared.engine.Start())
	mustWait(t, "the repair", func() error {
		if log, _ := shared.proxy.since(from); len(writesOf(log, y.token)) < len(want) {
			return fmt.Errorf("there are %d writes", len(writesOf(log, y.token)))
		}
		return nil
	})
	y.must(shared.settle(t.Context()))
	log, _ := shared.proxy.since(from)
	var got []string
	for _, w := range writesOf(log, y.token) {
		if w.kind() != "patch resourcegroups:status" { // counts instances, when it is time
			got = append(got, w.String())
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
	u, err := shared.at(limits, y.token).Get(t.Context(), y.token+"-two-l-0", metav1.GetOptions{})
	y.must(err)
	if cpu := cpuOf(u); cpu != "1" {
		t.Errorf("the limit of cpu is %s, want 1", cpu)
	}
}

func cpuOf(u *unstructured.Unstructured) string {
	list, _, _ := unstructured.NestedSlice(u.Object, "spec", "limits")
	if len(list) == 0 {
		return "none"
	}
	limit, _ := list[0].(map[string]any)
	cpu, _, _ := unstructured.NestedString(limit, "default", "cpu")
	return cpu
}
