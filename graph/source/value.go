package source

import "github.com/plait-run/plait/graph/diag"

// Kind is what a Value holds.
type Kind int

// The kinds of YAML and JSON values, as sigs.k8s.io/yaml tells them apart.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Map
)

// Value is one value of a document with its place. Immutable once parsed.
type Value struct {
	Kind     Kind
	Path     string        // from the document's root: spec.resources[0].template.data["app.conf"]
	Position diag.Position // of the value itself
	Scalar   any           // nil, bool, int64, float64 or string; nil for List and Map
	Items    []*Value      // of a List
	Fields   []Field       // of a Map, in the order of the document
}

// Field is one entry of a Map.
type Field struct {
	Key         string
	KeyPosition diag.Position
	Value       *Value
}

// Get gives the value of a map's key, nil when it is absent or v is nil or no map.
func (v *Value) Get(key string) *Value {
	if v == nil {
		return nil
	}
	for i := range v.Fields {
		if v.Fields[i].Key == key {
			return v.Fields[i].Value
		}
	}
	return nil
}

// Text gives the string of a String, else "".
func (v *Value) Text() string {
	if v == nil || v.Kind != String {
		return ""
	}
	text, _ := v.Scalar.(string)
	return text
}

// Plain gives the value as encoding/json would hold it, with int64 and float64 kept apart.
func (v *Value) Plain() any {
	switch {
	case v == nil:
		return nil
	case v.Kind == List:
		out := make([]any, len(v.Items))
		for i, item := range v.Items {
			out[i] = item.Plain()
		}
		return out
	case v.Kind == Map:
		out := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			out[f.Key] = f.Value.Plain()
		}
		return out
	default:
		return v.Scalar
	}
}
