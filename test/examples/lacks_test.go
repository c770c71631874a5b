package examples

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/test/world"
)

// lacks tells where a value does not have what is wanted: maps may have more, lists may not.
func lacks(got, want any) error { return lacksAt("", got, want) }

func lacksAt(path string, got, want any) error {
	switch want := want.(type) {
	case map[string]any:
		have, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is %v, want a map", path, got)
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if err := lacksAt(path+"."+key, have[key], want[key]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		have, ok := got.([]any)
		if !ok || len(have) != len(want) {
			return fmt.Errorf("%s is %v, want %v", path, got, want)
		}
		for i := range want {
			if err := lacksAt(fmt.Sprintf("%s[%d]", path, i), have[i], want[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if !cmp.Equal(got, want) {
		return fmt.Errorf("%s is %v, want %v", path, got, want)
	}
	return nil
}

func TestLacks(t *testing.T) {
	got := parsed(t, `{a: 1, list: [{a: 1, b: 2}], map: {k: v}}`)
	tests := map[string]string{
		`{a: 1}`:                 "",
		`{list: [{b: 2}]}`:       "",
		`{map: {k: v}}`:          "",
		`{a: 2}`:                 ".a is 1, want 2",
		`{b: 1}`:                 ".b is <nil>, want 1",
		`{list: []}`:             ".list is [map[a:1 b:2]], want []",
		`{list: [{z: 1}]}`:       ".list[0].z is <nil>, want 1",
		`{list: [{a: 1, b: 3}]}`: ".list[0].b is 2, want 3",
		`{map: {k: {}}}`:         ".map.k is v, want a map",
		`{list: {}}`:             ".list is [map[a:1 b:2]], want a map",
	}
	for want, fault := range tests {
		said := ""
		if err := lacks(got, parsed(t, want)); err != nil {
			said = err.Error()
		}
		if diff := cmp.Diff(fault, said); diff != "" {
			t.Errorf("%s: %s", want, diff)
		}
	}
}

// parsed reads one document.
func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	objects, err := world.Read([]byte(text))
	if err != nil || len(objects) != 1 {
		t.Fatalf("%d documents, %v", len(objects), err)
	}
	return objects[0].Object
}
