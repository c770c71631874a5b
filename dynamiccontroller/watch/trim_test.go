package watch

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

const untrimmed = `{
  "apiVersion": "v1", "kind": "ConfigMap",
  "metadata": {
    "name": "x", "labels": {"a": "b"}, "generation": 3,
    "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}", "keep": "me"},
    "managedFields": [
      {"manager": "kubectl", "operation": "Update", "fieldsV1": {"f:data": {}}},
      {"manager": "plait.run", "operation": "Apply", "fieldsV1": {"f:data": {"f:x": {}}}},
      {"manager": "hpa", "subresource": "scale", "fieldsV1": {"f:spec": {"f:replicas": {}}}}
    ]
  },
  "data": {"x": "y"}, "list": [1, "two", {"three": null}]
}`

func parse(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return u
}

func TestTrim(t *testing.T) {
	tests := map[string]struct {
		trimmer trimmer
		fields  string // of metadata
		without bool   // of what is neither metadata nor status
	}{
		"children": {trimmer{keepOwnFields: true, manager: v1alpha1.FieldManager, pool: newPool()}, `,"managedFields": [
      {"manager": "plait.run", "operation": "Apply", "fieldsV1": {"f:data": {"f:x": {}}}},
      {"manager": "hpa", "subresource": "scale", "fieldsV1": {"f:spec": {"f:replicas": {}}}}]`, false},
		"externals": {trimmer{pool: newPool()}, "", false},
		"mounts":    {trimmer{statusOnly: true, pool: newPool()}, "", true},
	}
	for name, tt := range tests {
		u := parse(t, untrimmed)
		got := tt.trimmer.cut(u)
		want := parse(t, `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "labels": {"a": "b"},
			"generation": 3, "annotations": {"keep": "me"}`+tt.fields+`}, "data": {"x": "y"}, "list": [1, "two", {"three": null}]}`)
		if tt.without {
			delete(want.Object, "data")
			delete(want.Object, "list")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(parse(t, untrimmed), u); diff != "" {
			t.Errorf("%s: what was given is changed (-want +got):\n%s", name, diff)
		}
		kept, err := tt.trimmer.trim(u)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, kept); diff != "" {
			t.Errorf("%s: kept (-want +got):\n%s", name, diff)
		}
	}
}

// TestTrimShares makes two objects of one template share their texts and field sets.
func TestTrimShares(t *testing.T) {
	trimmer := trimmer{keepOwnFields: true, manager: v1alpha1.FieldManager, pool: newPool()}
	kept := func() *unstructured.Unstructured {
		obj, err := trimmer.trim(parse(t, untrimmed))
		if err != nil {
			t.Fatal(err)
		}
		u, _ := obj.(*unstructured.Unstructured)
		return u
	}
	one, two := kept(), kept()
	fields := func(u *unstructured.Unstructured) map[string]any {
		entries, _, _ := unstructured.NestedSlice(u.Object, "metadata", "managedFields")
		if len(entries) == 0 {
			t.Fatal("no managedFields")
		}
		metadata, _ := u.Object["metadata"].(map[string]any)
		raw, _ := metadata["managedFields"].([]any)
		entry, _ := raw[0].(map[string]any)
		set, _ := entry["fieldsV1"].(map[string]any)
		return set
	}
	fields(one)["probe"] = true
	if fields(two)["probe"] != true {
		t.Error("field sets are not shared")
	}
	if unsafe.StringData(one.GetKind()) != unsafe.StringData(two.GetKind()) {
		t.Error("texts are not shared")
	}
	if keyOfMap(t, one.Object, "kind") != keyOfMap(t, two.Object, "kind") {
		t.Error("keys are not shared")
	}
}

func keyOfMap(t *testing.T, m map[string]any, want string) *byte {
	t.Helper()
	for key := range m {
		if key == want {
			return unsafe.StringData(key)
		}
	}
	t.Fatalf("no key %q", want)
	return nil
}

func TestPoolIsBounded(t *testing.T) {
	p := newPool()
	for i := range 2 * maxPooled {
		p.share(map[string]any{fmt.Sprint(i): map[string]any{"fieldsV1": map[string]any{fmt.Sprint(i): nil}}})
	}
	if len(p.texts) > maxPooled || len(p.trees) > maxPooled {
		t.Errorf("%d texts and %d trees are pooled, want at most %d", len(p.texts), len(p.trees), maxPooled)
	}
}

func TestUniqueTextsAreNotPooled(t *testing.T) {
	p := newPool()
	p.share(map[string]any{"metadata": map[string]any{
		"name": "one", "uid": "1-2", "resourceVersion": "77", "annotations": map[string]any{v1alpha1.AnnotationAppliedHash: "abc"},
	}, "spec": map[string]any{"name": "port"}})
	for _, text := range []string{"one", "1-2", "77", "abc"} {
		if _, pooled := p.texts[text]; pooled {
			t.Errorf("%q is pooled", text)
		}
	}
	if _, pooled := p.texts["port"]; !pooled {
		t.Error("a name that many may have is not pooled")
	}
}

func BenchmarkTrim(b *testing.B) {
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON([]byte(untrimmed)); err != nil {
		b.Fatal(err)
	}
	trimmer := trimmer{keepOwnFields: true, manager: v1alpha1.FieldManager, pool: newPool()}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := trimmer.trim(u); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		u := &unstructured.Unstructured{}
		if err := u.UnmarshalJSON([]byte(untrimmed)); err != nil {
			b.Fatal(err)
		}
	}
}
