package convert

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// field is one entry of a map.
type field struct {
	key, value *yaml.Node
}

// fields gives the entries of a map, none for any other node.
func fields(n *yaml.Node) []field {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var out []field
	for i := 0; i+1 < len(n.Content); i += 2 {
		out = append(out, field{n.Content[i], n.Content[i+1]})
	}
	return out
}

// setFields makes these the entries of a map.
func setFields(n *yaml.Node, all []field) {
	n.Content = n.Content[:0]
	for _, f := range all {
		n.Content = append(n.Content, f.key, f.value)
	}
}

// get gives the value at a path of keys, nil when it is not there. Aliases are followed.
func get(n *yaml.Node, keys ...string) *yaml.Node {
	n = resolved(n)
	for _, key := range keys {
		var found *yaml.Node
		for _, f := range fields(n) {
			if f.key.Value == key {
				found = resolved(f.value)
			}
		}
		if found == nil {
			return nil
		}
		n = found
	}
	return n
}

func resolved(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// items gives the elements of a list, none for any other node.
func items(n *yaml.Node) []*yaml.Node {
	if n = resolved(n); n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// text is the value of a scalar, empty for any other node.
func text(n *yaml.Node) string {
	if n = resolved(n); n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// isText tells whether a node is a string: only in strings are there expressions.
func isText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" }

func newText(value string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(value)
	return n
}

// remove takes an entry out of a map and gives it; ok is false when there is none.
func remove(n *yaml.Node, key string) (removed field, ok bool) {
	all := fields(n)
	for i, f := range all {
		if f.key.Value == key {
			setFields(n, append(all[:i:i], all[i+1:]...))
			return f, true
		}
	}
	return field{}, false
}

// join gives the path of an entry of a map.
func join(path, key string) string {
	switch {
	case strings.ContainsAny(key, ".[]\"/ $"):
		return path + "[" + strconv.Quote(key) + "]"
	case path == "":
		return key
	default:
		return path + "." + key
	}
}

// element gives the path of an element of a list.
func element(path string, index int) string { return path + "[" + strconv.Itoa(index) + "]" }
