package mirror

// WithoutEmpty gives a body without its empty maps, at any depth; ok is false when it has none. An API server makes null of
// a map whose last key an apply takes away and leaves empty; leaving the map out takes it away well. The given body is not
// changed.
func WithoutEmpty(body map[string]any) (lean map[string]any, ok bool) {
	out, found := leaner(body)
	lean, _ = out.(map[string]any)
	return lean, found && lean != nil
}

// leaner gives nil for a map of which nothing is left.
func leaner(value any) (out any, found bool) {
	switch v := value.(type) {
	case map[string]any:
		return leanMap(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			one, isLeaner := leaner(item)
			if one == nil {
				one = item // an item keeps its place
			}
			list[i], found = one, found || isLeaner
		}
		return list, found
	default:
		return value, false
	}
}

func leanMap(m map[string]any) (any, bool) {
	out, found := make(map[string]any, len(m)), false
	for key, value := range m {
		one, isLeaner := leaner(value)
		found = found || isLeaner
		if one != nil || value == nil {
			out[key] = one
		}
	}
	if len(out) == 0 {
		return nil, true
	}
	return out, found
}
