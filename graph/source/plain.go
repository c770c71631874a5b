package source

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// FromPlain gives the value of a decoded JSON object, as an object of the cluster is. Keys come sorted and
// there are no positions. What JSON cannot hold becomes its printed text.
func FromPlain(v any) *Value { return fromPlain("", v) }

func fromPlain(path string, v any) *Value {
	switch typed := v.(type) {
	case map[string]any:
		out := &Value{Kind: Map, Path: path, Fields: make([]Field, 0, len(typed))}
		for _, key := range slices.Sorted(maps.Keys(typed)) {
			out.Fields = append(out.Fields, Field{Key: key, Value: fromPlain(JoinKey(path, key), typed[key])})
		}
		return out
	case []any:
		out := &Value{Kind: List, Path: path, Items: make([]*Value, 0, len(typed))}
		for i, item := range typed {
			out.Items = append(out.Items, fromPlain(JoinIndex(path, i), item))
		}
		return out
	default:
		kind, scalar := plainScalar(v)
		return &Value{Kind: kind, Path: path, Scalar: scalar}
	}
}

func plainScalar(v any) (Kind, any) {
	switch typed := v.(type) {
	case nil:
		return Null, nil
	case bool:
		return Bool, typed
	case string:
		return String, typed
	case int:
		return Int, int64(typed)
	case int32:
		return Int, int64(typed)
	case int64:
		return Int, typed
	case float64:
		return Float, typed
	case json.Number:
		return jsonNumber(typed.String())
	default:
		return String, fmt.Sprint(typed)
	}
}
