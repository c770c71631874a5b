package runtime

import (
	"strconv"
	"strings"
)

// At gives what stands at a path as expressions are said to read it; a path that cannot be followed to its end gives what
// holds that end.
func At(value any, path string) (any, bool) { return at(value, path) }

// at gives what stands at a path such as status.endpoint, data["a.b"] or items[0].name; false when nothing does. A
// step that it cannot read ends the path, so that what it gives then holds what was meant.
func at(value any, path string) (any, bool) {
	for path != "" {
		key, index, rest, ok := step(path)
		if !ok {
			return value, true
		}
		switch container := value.(type) {
		case map[string]any:
			if value, ok = container[key]; !ok || index >= 0 {
				return nil, false
			}
		case []any:
			if index < 0 || index >= len(container) {
				return nil, false
			}
			value = container[index]
		default:
			return nil, false
		}
		path = rest
	}
	return value, true
}

// step cuts the first step off a path: a key, or an index that is not negative.
func step(path string) (key string, index int, rest string, ok bool) {
	path = strings.TrimPrefix(strings.TrimPrefix(path, "."), "?")
	if !strings.HasPrefix(path, "[") {
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		return path[:end], -1, path[end:], end > 0
	}
	path = strings.TrimPrefix(path[1:], "?")
	if quoted, err := strconv.QuotedPrefix(path); err == nil {
		key, err := strconv.Unquote(quoted)
		rest, closed := strings.CutPrefix(path[len(quoted):], "]")
		return key, -1, rest, err == nil && closed
	}
	number, rest, closed := strings.Cut(path, "]")
	index, err := strconv.Atoi(number)
	return "", index, rest, err == nil && closed && index >= 0
}
