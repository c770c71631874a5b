package schema

import (
	"fmt"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/plait-run/plait/graph/source"
)

// list checks the items of a list.
func (c *checker) list(s *spec.Schema, items []any, path string) {
	if s.Items != nil && s.Items.Schema != nil {
		for i, item := range items {
			c.value(s.Items.Schema, item, source.JoinIndex(path, i))
		}
	}
	c.length(s, items, path)
	if s.UniqueItems || s.Extensions[extListType] == "set" {
		c.unique(items, path)
	}
	if s.Extensions[extListType] == "map" {
		c.mergeKeys(s, items, path)
	}
}

// length checks how many items there are. Those that an expression gives may be left out in the end.
func (c *checker) length(s *spec.Schema, items []any, path string) {
	var sure, possible int64
	for _, item := range items {
		if item == nil {
			continue
		}
		possible++
		if _, isHole := item.(Hole); !isHole {
			sure++
		}
	}
	c.atLeast(s.MinItems, possible, path, "item")
	c.atMost(s.MaxItems, sure, path, "item")
}

// unique reports an item that stands twice.
func (c *checker) unique(items []any, path string) {
	first := map[string]int{}
	for i, item := range items {
		if item == nil || hasHole(item) {
			continue
		}
		key := canonical(item)
		at, twice := first[key]
		if !twice {
			first[key] = i
			continue
		}
		c.add(Fault{
			Path: source.JoinIndex(path, i), Kind: ItemsUnique,
			Message: fmt.Sprintf("the same item as %s, in a list that holds each item once", source.JoinIndex(path, at)),
		})
	}
}

// mergeKeys reports two items that the API server takes for the same one.
func (c *checker) mergeKeys(s *spec.Schema, items []any, path string) {
	names := stringsOf(s.Extensions[extListMapKeys])
	if len(names) == 0 || s.Items == nil || s.Items.Schema == nil {
		return
	}
	first := map[string]int{}
	for i, item := range items {
		key, ok := mergeKey(s.Items.Schema, names, item)
		if !ok {
			continue
		}
		at, twice := first[key]
		if !twice {
			first[key] = i
			continue
		}
		c.add(Fault{
			Path: source.JoinIndex(path, i), Kind: MergeKey,
			Message: fmt.Sprintf("has the same %s as %s, so that only one of the two may remain",
				strings.Join(names, " and "), source.JoinIndex(path, at)),
		})
	}
}

// mergeKey gives the keys of an item as one text; ok is false while one of them is not known.
func mergeKey(s *spec.Schema, names []string, item any) (key string, ok bool) {
	var m Map
	switch item := item.(type) {
	case map[string]any:
		m.Fields = item
	case Map:
		m = item
	default:
		return "", false
	}
	values := make([]any, len(names))
	for i, name := range names {
		values[i] = m.Fields[name]
		if values[i] == nil && len(m.Computed) == 0 {
			values[i] = s.Properties[name].Default
		}
		if values[i] == nil || hasHole(values[i]) {
			return "", false
		}
	}
	return canonical(values), true
}

func stringsOf(v any) []string {
	var out []string
	switch v := v.(type) {
	case []string:
		return v
	case []any:
		for _, item := range v {
			if text, ok := item.(string); ok {
				out = append(out, text)
			}
		}
	}
	return out
}
