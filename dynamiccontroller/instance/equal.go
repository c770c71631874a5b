package instance

// isEqual compares values as decoding JSON gives them, several times as fast as reflection.
func isEqual(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && isEqualMap(a, b)
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) || (a == nil) != (b == nil) {
			return false
		}
		for i := range a {
			if !isEqual(a[i], b[i]) {
				return false
			}
		}
		return true
	default:
		return isEqualLeaf(a, b)
	}
}

func isEqualMap(a, b map[string]any) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for key, value := range a {
		other, ok := b[key]
		if !ok || !isEqual(value, other) {
			return false
		}
	}
	return true
}

// isEqualLeaf is for text, numbers, booleans and null; what can hold others is never equal to them.
func isEqualLeaf(a, b any) bool {
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}
