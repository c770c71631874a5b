package watch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// versioned is an object as `name uid version`.
func versioned(text string) *unstructured.Unstructured {
	parts := strings.Fields(text)
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{
		"name": parts[0], "namespace": "shop", "uid": parts[1], "resourceVersion": parts[2],
	}}}
}

func (c Change) describe() string {
	show := func(u *unstructured.Unstructured) string {
		if u == nil {
			return "-"
		}
		return strings.Join([]string{u.GetName(), string(u.GetUID()), u.GetResourceVersion()}, " ")
	}
	out := show(c.Old) + " > " + show(c.New)
	for word, is := range map[string]bool{" initial": c.Initial, " resync": c.Resync} { // never both
		if is {
			out += word
		}
	}
	return out
}

// TestStoreTellsWhatChanges takes what a reflector brings, step by step, and compares what is told and what is held then.
func TestStoreTellsWhatChanges(t *testing.T) {
	var told []string
	var s *store
	s = newStore(trimmer{pool: newPool()}, func(c Change) {
		if c.New != nil && s.get("shop/"+c.New.GetName()).GetResourceVersion() != c.New.GetResourceVersion() {
			t.Errorf("%s is told before it is held", c.describe())
		}
		told = append(told, c.describe())
	})
	list := func(texts ...string) func() error {
		return func() error {
			items := make([]any, len(texts))
			for i, text := range texts {
				items[i] = versioned(text)
			}
			return s.Replace(items, "")
		}
	}
	for _, step := range []struct {
		name string
		do   func() error
		told []string
	}{
		{"the first list", list("a 1 1", "b 2 2"), []string{"- > a 1 1 initial", "- > b 2 2 initial"}},
		{"a new object", func() error { return s.Add(versioned("c 3 3")) }, []string{"- > c 3 3"}},
		{"a change", func() error { return s.Update(versioned("a 1 4")) }, []string{"a 1 1 > a 1 4"}},
		{"another object of that name", func() error { return s.Update(versioned("a 5 5")) }, []string{"a 1 4 > -", "- > a 5 5"}},
		{"an object that goes, in its last state", func() error { return s.Delete(versioned("b 2 6")) }, []string{"b 2 6 > -"}},
		{"one that was never there", func() error { return s.Delete(versioned("x 7 7")) }, nil},
		{"a reminder", s.Resync, []string{"a 5 5 > a 5 5 resync", "c 3 3 > c 3 3 resync"}},
		{"a later list", list("a 5 5", "d 8 8"), []string{"a 5 5 > a 5 5 resync", "- > d 8 8", "c 3 3 > -"}},
		{"a list of a server put back", list("a 5 3"), []string{"a 5 5 > a 5 3", "d 8 8 > -"}},
	} {
		told = nil
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if step.name == "a reminder" { // in no order
			step.told, told = slices.Sorted(slices.Values(step.told)), slices.Sorted(slices.Values(told))
		}
		if diff := cmp.Diff(step.told, told); diff != "" {
			t.Errorf("%s is told as (-want +got):\n%s", step.name, diff)
		}
		if !s.isSynced() {
			t.Errorf("after %s the first list is not said to be there", step.name)
		}
	}
	if got := fmt.Sprint(s.indexer.ListKeys()); got != "[shop/a]" {
		t.Errorf("%s are held", got)
	}
}
