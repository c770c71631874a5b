package managedfields

import (
	"maps"
	"slices"
)

// Fields is a node of fieldsV1 as it is stored: what is below, by serialized path element (`f:spec`, `k:{"name":"a"}`), and
// "." where the node itself is owned and has something below. It is never changed.
type Fields map[string]any

// below gives the node of an element; nil: there is none.
func (f Fields) below(element string) Fields {
	node, _ := f[element].(map[string]any)
	return node
}

// isMember tells whether the node itself is owned.
func (f Fields) isMember() bool {
	_, marked := f["."]
	return f != nil && (marked || len(f) == 0)
}

// isDeeper tells whether anything below the node is owned.
func (f Fields) isDeeper() bool {
	_, marked := f["."]
	return len(f) > 1 || len(f) == 1 && !marked
}

// elements gives what is below the node, sorted.
func (f Fields) elements() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f)), func(element string) bool { return element == "." })
}
