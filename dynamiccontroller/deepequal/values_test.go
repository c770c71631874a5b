package deepequal

import (
	"math"
	"reflect"
	"testing"
)

// TestValues compares each of some values with each, as reflection does.
func TestValues(t *testing.T) {
	values := []any{
		nil, "", "a", int64(1), 1.0, math.Inf(1), true, false, int32(1), []byte("a"), []byte("b"),
		map[string]any{}, map[string]any(nil), map[string]any{"a": nil}, map[string]any{"b": nil}, map[string]any{"a": int64(1)},
		map[string]any{"a": map[string]any{"b": []any{"c"}}}, map[string]any{"a": map[string]any{"b": []any{"d"}}},
		[]any{}, []any(nil), []any{nil}, []any{"a"}, []any{"a", "b"}, []any{"b", "a"}, []any{map[string]any{}},
	}
	shared := map[string]any{"a": []any{"b"}}
	values = append(values, shared, map[string]any{"c": shared}, map[string]any{"c": shared})
	for i, a := range values {
		for j, b := range values {
			if got, want := Values(a, b), reflect.DeepEqual(a, b); got != want {
				t.Errorf("%d and %d, %#v and %#v: equal %t, want %t", i, j, a, b, got, want)
			}
		}
	}
}
