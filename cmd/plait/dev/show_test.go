package dev

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func stateOf(generation, observed int64, kind, status string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{
		"observedGeneration": observed, "state": "ACTIVE",
		"conditions": []any{map[string]any{"type": kind, "status": status}},
	}}}
	o.SetGeneration(generation)
	return o
}

func TestStates(t *testing.T) {
	for _, row := range []struct {
		o                      *unstructured.Unstructured
		active, ready, refused bool
	}{
		{stateOf(2, 2, "Ready", "True"), true, true, false},
		{stateOf(2, 1, "Ready", "True"), false, false, false},
		{stateOf(2, 2, "Ready", "False"), false, false, false},
		{stateOf(2, 2, "GraphAccepted", "False"), false, false, true},
		{stateOf(2, 1, "GraphAccepted", "False"), false, false, false},
		{&unstructured.Unstructured{Object: map[string]any{}}, false, false, false},
	} {
		if got := [3]bool{instanceActive(row.o), groupReady(row.o), isRefused(row.o)}; got != [3]bool{row.active, row.ready, row.refused} {
			t.Errorf("%v: active, ready, refused are %v", row.o.Object, got)
		}
	}
}
