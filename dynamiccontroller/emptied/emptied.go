package emptied

import "slices"

// Lean gives a body without its empty maps, at any depth; ok is false when the live object has no key in any of them, so
// that one write is enough. Items of lists are not paired: any item of the live list may be the one. Neither is changed.
func Lean(body, live map[string]any) (lean map[string]any, ok bool) {
	out, found := leaner(body)
	if !found || !empties(body, live) {
		return nil, false
	}
	lean, _ = out.(map[string]any)
	return lean, lean != nil
}

// empties tells whether a map that is empty in the body has keys in the live object.
func empties(body, live any) bool {
	switch b := body.(type) {
	case map[string]any:
		l, _ := live.(map[string]any)
		if len(b) == 0 {
			return len(l) > 0
		}
		for key, value := range b {
			if there, ok := l[key]; ok && empties(value, there) {
				return true
			}
		}
	case []any:
		l, _ := live.([]any)
		return slices.ContainsFunc(b, func(item any) bool {
			return slices.ContainsFunc(l, func(there any) bool { return empties(item, there) })
		})
	}
	return false
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
