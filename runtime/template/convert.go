package template

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/plait-run/plait/graph/expr"
)

// converter writes the value of an expression into a field of some type. The first fault ends it.
type converter struct {
	mode  Mode
	fault *Fault
}

// convert gives a copy of value as the field takes it, and false when it is to be left out. A nil type takes
// anything.
func (c *converter) convert(value any, t *expr.Type, path string) (any, bool) {
	for t != nil && t.Kind() == expr.Optional {
		t = t.Elem()
	}
	switch v := value.(type) {
	case nil:
		return nil, saysNullable(t)
	case map[string]any:
		return c.object(v, t, path)
	case []any:
		return c.list(v, t, path)
	}
	if c.mode == Value {
		return value, true
	}
	return c.scalar(value, t, path)
}

func (c *converter) object(v map[string]any, t *expr.Type, path string) (any, bool) {
	if !c.takes(t, path, v, expr.Map, expr.Object) {
		return nil, false
	}
	out := make(map[string]any, len(v))
	for _, key := range slices.Sorted(maps.Keys(v)) {
		field := fieldOf(t, key)
		if isOpen(field) {
			out[key] = c.anything(v[key], join(path, key))
			continue
		}
		if value, ok := c.convert(v[key], field, join(path, key)); ok {
			out[key] = value
		}
	}
	return out, true
}

func (c *converter) list(v []any, t *expr.Type, path string) (any, bool) {
	if !c.takes(t, path, v, expr.List) {
		return nil, false
	}
	out := make([]any, 0, len(v))
	for i, item := range v {
		at := path + "[" + strconv.Itoa(i) + "]"
		if isOpen(elemOf(t)) {
			out = append(out, c.anything(item, at))
			continue
		}
		if value, ok := c.convert(item, elemOf(t), at); ok {
			out = append(out, value)
		}
	}
	return out, true
}

// anything copies what stands in a part that no schema describes: all of it, null included.
func (c *converter) anything(value any, path string) any {
	if value == nil {
		return nil
	}
	out, _ := c.convert(value, nil, path)
	return out
}

// saysNullable tells whether a schema names null as a value; a part without schema does not.
func saysNullable(t *expr.Type) bool { return !isOpen(t) && t.IsNullable() }

func isOpen(t *expr.Type) bool { return t == nil || t.Kind() == expr.Dynamic }

// takes tells whether a field of type t takes a value of one of these kinds, and notes a fault if not.
func (c *converter) takes(t *expr.Type, path string, value any, kinds ...expr.Kind) bool {
	if isOpen(t) || c.mode != Object || slices.Contains(kinds, t.Kind()) {
		return true
	}
	c.refuse(path, fmt.Sprintf("the field takes %s, and the value is %s", t, nameOf(value)))
	return false
}

func (c *converter) refuse(path, summary string) {
	if c.fault == nil {
		c.fault = &Fault{Path: path, Summary: summary}
	}
}

func (c *converter) scalar(value any, t *expr.Type, path string) (any, bool) {
	switch v := value.(type) {
	case bool:
		return v, c.takes(t, path, v, expr.Bool)
	case int:
		return c.scalar(int64(v), t, path)
	case int64:
		return v, c.takes(t, path, v, expr.Int, expr.Uint, expr.Double, expr.IntOrString)
	case uint64:
		if v > math.MaxInt64 {
			c.refuse(path, fmt.Sprintf("%d is too large for a whole number of JSON; the largest is %d", v, int64(math.MaxInt64)))
			return nil, false
		}
		return c.scalar(int64(v), t, path)
	case float64:
		return c.double(v, t, path)
	case string:
		return c.text(v, t, path)
	case []byte:
		return c.bytes(v, t, path)
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano), c.takes(t, path, v, expr.String, expr.Timestamp)
	case time.Duration:
		return v.String(), c.takes(t, path, v, expr.String, expr.Duration)
	}
	c.refuse(path, fmt.Sprintf("a value of type %T cannot be written", value))
	return nil, false
}

func (c *converter) double(v float64, t *expr.Type, path string) (any, bool) {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		c.refuse(path, fmt.Sprintf("%v is no number of JSON", v))
		return nil, false
	case !isOpen(t) && t.Kind() == expr.Int:
		c.refuse(path, "the field takes a whole number, and the value is a double; write int(…)")
		return nil, false
	}
	return v, c.takes(t, path, v, expr.Double, expr.IntOrString)
}

func (c *converter) text(v string, t *expr.Type, path string) (any, bool) {
	if isOpen(t) || t.Kind() != expr.Bytes {
		return v, c.takes(t, path, v, expr.String, expr.IntOrString, expr.Timestamp, expr.Duration, expr.Other)
	}
	if _, err := base64.StdEncoding.DecodeString(v); err != nil && c.mode == Object {
		c.refuse(path, "the field takes bytes, and the text is no base64; write bytes(…) to have it encoded")
		return nil, false
	}
	return v, true
}

func (c *converter) bytes(v []byte, t *expr.Type, path string) (any, bool) {
	if c.mode == Object && (isOpen(t) || t.Kind() != expr.Bytes) {
		c.refuse(path, "the field takes no bytes; write string(…) for text, or base64.encode(…)")
		return nil, false
	}
	return base64.StdEncoding.EncodeToString(v), true
}

// literal copies a value that was written as it is, without the nulls of fields that are not nullable.
func literal(value any, t *expr.Type) (any, bool) {
	switch v := value.(type) {
	case nil:
		return nil, saysNullable(t)
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			if copied, ok := literal(item, fieldOf(t, key)); ok {
				out[key] = copied
			}
		}
		return out, true
	case []any:
		out := make([]any, 0, len(v))
		for _, item := range v {
			if copied, ok := literal(item, elemOf(t)); ok {
				out = append(out, copied)
			}
		}
		return out, true
	}
	return value, true
}

func fieldOf(t *expr.Type, key string) *expr.Type {
	if t == nil || t.Kind() != expr.Object && t.Kind() != expr.Map {
		return nil
	}
	field, _ := t.Field(key)
	return field
}

func elemOf(t *expr.Type) *expr.Type {
	if t == nil || t.Kind() != expr.List {
		return nil
	}
	return t.Elem()
}

func join(path, key string) string {
	for _, c := range key {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return fmt.Sprintf("%s[%q]", path, key)
		}
	}
	return path + "." + key
}

func nameOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "a bool"
	case int, int64, uint64:
		return "a whole number"
	case float64:
		return "a double"
	case string:
		return "text"
	case []byte:
		return "bytes"
	case time.Time:
		return "a timestamp"
	case time.Duration:
		return "a duration"
	case []any:
		return "a list"
	case map[string]any:
		return "a map"
	}
	return fmt.Sprintf("a %T", value)
}
