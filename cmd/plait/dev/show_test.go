package dev

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
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

// TestMistakesAreToldBeforeAClusterStarts has a document with a mistake end the command at once, with the line of the mistake.
func TestMistakesAreToldBeforeAClusterStarts(t *testing.T) {
	file, dir := filepath.Join(t.TempDir(), "group.yaml"), filepath.Join(t.TempDir(), "data")
	document := "apiVersion: plait.run/v1alpha1\nkind: ResourceGroup\nmetadata: {name: shops}\nspec:\n" +
		"  schema: {apiVersion: v1alpha1, kind: Shop, spec: {size: integr}}\n"
	if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	err := Run(t.Context(), Options{Files: []string{file}, Dir: dir, Out: io.Discard})
	if !errors.As(err, new(NotReadyError)) || !strings.Contains(err.Error(), "group.yaml:5:") || !strings.Contains(err.Error(), "Did you mean integer?") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was started: %v", err)
	}
}
