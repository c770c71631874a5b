package differ

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/plait-run/plait/graph/source"
)

// Limits of what is shown of one object.
const (
	maxFields = 20
	maxValue  = 64 // characters of a value
)

// masked stands for a value that may not be shown.
const masked = "(hidden)"

// passing are paths that say nothing of what an object is.
var passing = []string{
	"metadata.managedFields", "metadata.resourceVersion", "metadata.generation", "metadata.uid", "metadata.creationTimestamp",
	"metadata.ownerReferences", "status",
}

// compareFields gives the fields in which two states of an object differ, in the order of their paths, at most maxFields, and
// how many more there are. Marks of Plait's own are no difference. Of a secret object no value is shown.
func compareFields(before, after map[string]any, isSecret bool) (fields []Field, omitted int) {
	c := &comparison{isSecret: isSecret}
	c.values("", before, after)
	if len(c.fields) > maxFields {
		return c.fields[:maxFields], len(c.fields) - maxFields
	}
	return c.fields, 0
}

type comparison struct {
	isSecret bool
	fields   []Field
}

func (c *comparison) values(path string, before, after any) {
	if reflect.DeepEqual(before, after) || isPassing(path) {
		return
	}
	switch b := before.(type) {
	case map[string]any:
		if a, ok := after.(map[string]any); ok {
			c.objects(path, b, a)
			return
		}
	case []any:
		if a, ok := after.([]any); ok {
			c.lists(path, b, a)
			return
		}
	}
	c.fields = append(c.fields, Field{Path: path, Old: c.text(before), New: c.text(after)})
}

func (c *comparison) objects(path string, before, after map[string]any) {
	keys := map[string]bool{}
	for key := range before {
		keys[key] = true
	}
	for key := range after {
		keys[key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		c.values(source.JoinKey(path, key), before[key], after[key])
	}
}

func (c *comparison) lists(path string, before, after []any) {
	for i := range max(len(before), len(after)) {
		var b, a any
		if i < len(before) {
			b = before[i]
		}
		if i < len(after) {
			a = after[i]
		}
		c.values(fmt.Sprintf("%s[%d]", path, i), b, a)
	}
}

// isPassing tells of fields that are no part of what was asked for.
func isPassing(path string) bool {
	if slices.Contains(passing, path) {
		return true
	}
	for _, list := range []string{"metadata.labels", "metadata.annotations"} {
		if key, ok := strings.CutPrefix(path, list); ok && key != "" {
			prefix, _, _ := strings.Cut(strings.Trim(key, `.[]"`), "/")
			return isMark(prefix)
		}
	}
	return false
}

// text shows a value in one short line; "" stands for none.
func (c *comparison) text(value any) string {
	if value == nil {
		return ""
	}
	if c.isSecret {
		return masked
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	if runes := []rune(string(data)); len(runes) > maxValue {
		return string(runes[:maxValue-1]) + "…"
	}
	return string(data)
}
