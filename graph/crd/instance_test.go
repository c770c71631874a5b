package crd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph/source"
)

func object(t testing.TB, text string) map[string]any {
	t.Helper()
	docs, problems := source.Parse("", []byte("apiVersion: apps.plait.run/v1alpha1\nkind: Thing\n"+text))
	if problems.Len() > 0 {
		t.Fatal(problems.Sorted())
	}
	out, _ := docs[0].Root.Plain().(map[string]any)
	return out
}

const thing = `
types: {Port: {name: string | required, number: integer}}
validations: [{rule: "!has(self.step) || self.step != 10", message: "ten is too much"}]
spec:
  code: string | maxLength=3
  step: integer | multipleOf=5
  tags: '[]string(pattern="^[a-z]+$") | maxItems=3'
  ports: "[]Port | listType=map listMapKey=name"
  size: integer | default=3
  deep: {er: {level: integer | default=1}}
  q: quantity
`

func TestValidateInstance(t *testing.T) {
	crd, problems := build(t, thing, nil)
	if problems.Len() > 0 {
		t.Fatal(lines(problems))
	}
	given := object(t, "metadata: {name: a, namespace: b}\nspec: {code: x, extra: 1, deep: {other: {}}, tags: null, q: 2}\nstatus: {state: ACTIVE}\n")
	got, pruned, errs := ValidateInstance(t.Context(), crd, given)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if diff := cmp.Diff([]string{"spec.deep.other", "spec.extra"}, pruned); diff != "" {
		t.Error(diff)
	}
	want := map[string]any{
		"apiVersion": "apps.plait.run/v1alpha1", "kind": "Thing",
		"metadata": map[string]any{"name": "a", "namespace": "b"},
		"spec": map[string]any{
			"code": "x", "size": int64(3), "q": int64(2), "deep": map[string]any{"er": map[string]any{"level": int64(1)}},
		},
		"status": map[string]any{"observedGeneration": int64(-1)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, ok := given["status"]; !ok {
		t.Error("the given object was changed")
	}
}

func TestValidateInstanceFaults(t *testing.T) {
	crd, _ := build(t, thing, nil)
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"limits": {"spec: {code: abcd, step: 7, tags: [a, Big, a, b], ports: [{name: x}, {name: x, number: 2}]}", []string{
			"spec.code: Too long", "spec.ports[1]: Duplicate value", "spec.step: Invalid value", "spec.tags: Too many", "spec.tags[1]: Invalid value"}},
		"types":            {"spec: {size: big, q: true}", []string{"spec.q: Invalid value", "spec.size: Invalid value"}},
		"required":         {"spec: {ports: [{number: 1}]}", []string{"spec.ports[0].name: Required value"}},
		"rule":             {"spec: {step: 10}", []string{"spec: Invalid value: ten is too much"}},
		"quantity":         {"spec: {q: 12XB}", []string{"spec.q: Invalid value"}},
		"null is no value": {"spec: {step: null, deep: null}", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, errs := ValidateInstance(t.Context(), crd, object(t, "metadata: {name: a, namespace: b}\n"+tc.text+"\n"))
			if len(errs) != len(tc.want) {
				t.Fatalf("got %v", errs)
			}
			for i, want := range tc.want {
				if got := errs[i].Error(); !strings.HasPrefix(got, want) && !strings.Contains(got, strings.TrimPrefix(want, "spec: Invalid value: ")) {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
}

func TestValidateInstanceIdentity(t *testing.T) {
	crd, _ := build(t, "spec: {a: string | required}", nil)
	for name, tc := range map[string]struct {
		object map[string]any
		want   string
	}{
		"kind":         {map[string]any{"apiVersion": "apps.plait.run/v1alpha1", "kind": "Other"}, "kind: Invalid value"},
		"version":      {map[string]any{"apiVersion": "apps.plait.run/v9", "kind": "Thing"}, "apiVersion: Invalid value"},
		"no name":      {object(t, "metadata: {namespace: a}\nspec: {a: x}"), "metadata.name: Required value"},
		"no metadata":  {object(t, "spec: {a: x}"), "metadata: Required value"},
		"no namespace": {object(t, "metadata: {name: a}\nspec: {a: x}"), "metadata.namespace: Required value"},
		"bad metadata": {object(t, "metadata: {name: 1}\nspec: {a: x}"), "metadata: Invalid value"},
		"no spec":      {object(t, "metadata: {name: a, namespace: b}"), "spec: Required value"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, errs := ValidateInstance(t.Context(), crd, tc.object)
			if len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), tc.want) {
				t.Errorf("got %v, want %q", errs, tc.want)
			}
		})
	}
}
