// Package deepequal compares values as decoding JSON gives them: maps, lists, texts, numbers, booleans and null.
package deepequal

import "reflect"

// Values tells whether two values are alike, as reflect.DeepEqual does, several times as fast; at once where both are the
// same map, which is frequent among objects of one cache.
func Values(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && sameMaps(a, b)
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) || (a == nil) != (b == nil) {
			return false
		}
		for i := range a {
			if !Values(a[i], b[i]) {
				return false
			}
		}
		return true
	case nil, string, bool, int64, float64:
		return a == b
	default:
		return reflect.DeepEqual(a, b)
	}
}

func sameMaps(a, b map[string]any) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	if reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer() {
		return true
	}
	for key, value := range a {
		other, ok := b[key]
		if !ok || !Values(value, other) {
			return false
		}
	}
	return true
}
