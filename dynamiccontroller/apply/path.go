package apply

import (
	"strconv"
	"strings"
)

// step is one part of a path: a key of a map, or an index of a list.
type step struct {
	key   string
	index int // -1 for a key
}

// parsePath reads spec.replicas, data["app.conf"] and spec.ports[0].port. The compiler has checked the paths against
// the schema; what cannot be read here names nothing.
func parsePath(path string) []step {
	var out []step
	for path != "" {
		switch path[0] {
		case '.':
			path = path[1:]
		case '[':
			end := strings.IndexByte(path, ']')
			if strings.HasPrefix(path, `["`) {
				end = strings.Index(path, `"]`) + 1
			}
			if end <= 0 {
				return nil
			}
			out = append(out, bracketStep(path[1:end]))
			path = path[end+1:]
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			out = append(out, step{key: path[:end], index: -1})
			path = path[end:]
		}
	}
	return out
}

func bracketStep(inside string) step {
	if n, err := strconv.Atoi(inside); err == nil {
		return step{index: n}
	}
	return step{key: strings.Trim(inside, `"'`), index: -1}
}

// lookup gives the value at a path.
func lookup(value any, path []step) (any, bool) {
	for _, s := range path {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[s.key]
			if s.index >= 0 || !ok {
				return nil, false
			}
			value = next
		case []any:
			if s.index < 0 || s.index >= len(v) {
				return nil, false
			}
			value = v[s.index]
		default:
			return nil, false
		}
	}
	return value, true
}

// replaced gives a copy of value with another value at the path, or without it when keep is false. What is not
// on the way to the path is shared. A path that is not there changes nothing: templates set what they ignore.
func replaced(value any, path []step, with any, keep bool) any {
	if len(path) == 0 {
		return with
	}
	s, last := path[0], len(path) == 1
	switch v := value.(type) {
	case map[string]any:
		old, ok := v[s.key]
		if s.index >= 0 || !ok {
			return value
		}
		out := copyMap(v)
		if last && !keep {
			delete(out, s.key)
			return out
		}
		out[s.key] = replaced(old, path[1:], with, keep)
		return out
	case []any:
		if s.index < 0 || s.index >= len(v) || (last && !keep) {
			return value
		}
		out := append([]any(nil), v...)
		out[s.index] = replaced(v[s.index], path[1:], with, keep)
		return out
	default:
		return value
	}
}

// without gives the object without the values at these paths.
func without(object map[string]any, paths []string) map[string]any {
	var out any = object
	for _, p := range paths {
		out = replaced(out, parsePath(p), nil, false)
	}
	result, _ := out.(map[string]any)
	return result
}
