package rbac

import (
	"strings"

	"github.com/plait-run/plait/graph"
)

// value is what a template says at a path: nothing, a literal, or something that is computed.
type value struct {
	present bool
	literal string // empty when it is computed or no text
	source  string // of a computed text: the string with its expressions
}

// lookup finds a field of a template.
func lookup(b *graph.Body, keys ...string) value {
	for b != nil && b.Fields != nil && len(keys) > 0 {
		b, keys = fieldOf(b, keys[0]), keys[1:]
	}
	switch {
	case b == nil:
		return value{}
	case b.Program != nil:
		return value{present: true, source: strings.TrimSpace(b.Program.Source())}
	case b.Fields != nil || b.Items != nil:
		return value{present: true}
	default:
		return literalAt(b.Literal, keys)
	}
}

func fieldOf(b *graph.Body, key string) *graph.Body {
	for _, f := range b.Fields {
		if f.KeyProgram == nil && f.Key == key {
			return f.Value
		}
	}
	return nil
}

func literalAt(v any, keys []string) value {
	for _, key := range keys {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	text, _ := v.(string)
	return value{present: v != nil, literal: text}
}
