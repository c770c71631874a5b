package main

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestSnapshotsCompareWhatCounts(t *testing.T) {
	object := func(token string) *unstructured.Unstructured {
		u := &unstructured.Unstructured{Object: map[string]any{
			"kind": "ConfigMap", "metadata": map[string]any{"name": token + "-a", "uid": "uid-" + token, "labels": map[string]any{"plait.run/bucket": token}},
			"data": map[string]any{"text": "first", "of": "uid-" + token},
		}}
		u.SetResourceVersion(token)
		u.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "a", FieldsV1: metav1.NewFieldsV1(`{"f:data":{"f:text":{}}}`)}})
		return u
	}
	take := func(token string, change func(*unstructured.Unstructured)) snapshot {
		u := object(token)
		change(u)
		content, err := compared(u, map[string]string{"uid-" + token: "uid"})
		if err != nil {
			t.Fatal(err)
		}
		out := snapshot{}
		flatten(out, "", content)
		return out
	}
	same := func(*unstructured.Unstructured) {}
	clean := take("x1q", same)
	if diff := clean.diff(take("x22q", same)); diff != "" {
		t.Errorf("copies differ:\n%s", diff)
	}
	for what, change := range map[string]func(*unstructured.Unstructured){
		"value":   func(u *unstructured.Unstructured) { u.Object["data"].(map[string]any)["text"] = "second" },
		"field":   func(u *unstructured.Unstructured) { u.Object["data"].(map[string]any)["more"] = "" },
		"manager": func(u *unstructured.Unstructured) { u.SetManagedFields(nil) },
		"label":   func(u *unstructured.Unstructured) { u.SetLabels(map[string]string{"plait.run/bucket": "other"}) },
	} {
		if diff := clean.diff(take("x22q", change)); (diff == "") != (what == "label") {
			t.Errorf("a changed %s gives %q", what, diff)
		}
	}
}
