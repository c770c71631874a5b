package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// anyItem stands in a path for the element that a comprehension is at. No CEL string equals it.
const anyItem = "\xff*"

// formatPath writes steps as people do: status.endpoint, data["a.b"], items[0], items[*].name.
func formatPath(steps []any) string {
	var b strings.Builder
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			writeKey(&b, step)
		default:
			fmt.Fprintf(&b, "[%v]", step)
		}
	}
	return b.String()
}

func writeKey(b *strings.Builder, key string) {
	switch {
	case key == anyItem:
		b.WriteString("[*]")
	case !isPlainKey(key):
		b.WriteString("[" + strconv.Quote(key) + "]")
	case b.Len() > 0:
		b.WriteString("." + key)
	default:
		b.WriteString(key)
	}
}

// isPlainKey tells whether a key may stand after a dot.
func isPlainKey(key string) bool {
	for i := range len(key) {
		if !isWord(key[i]) && key[i] != '-' {
			return false
		}
	}
	return key != ""
}

// joinPath puts a variable before a path.
func joinPath(name, path string) string {
	if path == "" || path[0] == '[' {
		return name + path
	}
	return name + "." + path
}
