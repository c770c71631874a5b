package schema

import (
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Hole stands in a literal tree for a value that an expression gives. It fits everywhere, and is taken to be there.
type Hole struct{}

// Map stands in a literal tree for a map with keys that expressions give.
type Map struct {
	Fields   map[string]any // by literal key
	Computed map[string]any // by the text of the key as it was written
}

// FaultKind says what is wrong with a value.
type FaultKind int

// The kinds of faults.
const (
	UnknownField FaultKind = iota // a closed schema has no such field
	WrongType                     // another JSON type than the schema takes
	Enum                          // none of the allowed values
	Pattern                       // text that the pattern does not match
	Bounds                        // too small, large, short, long, few or many
	Required                      // a field that must be there is not; the path is that of the field itself
	Format                        // text that is no base64, quantity, date, …
	ItemsUnique                   // the same item twice in a list that is a set; the path is that of the second
	MergeKey                      // two items of a list with the same keys; the path is that of the second
	Form                          // none of the alternatives of a schema, or what it rules out
)

// Fault is one way in which a value does not fit its schema.
type Fault struct {
	Path       string // of the value, beginning with the path that Check was given
	Kind       FaultKind
	Message    string   // one line for people, without the path and without a full stop
	Suggestion string   // what to write instead; may be empty
	Nearest    []string // of an unknown field or a value that is not allowed: those that may have been meant
	Expected   string   // of a wrong type: int, string, list, …
}

// Check holds a tree of plain JSON values (nil, bool, int64, float64, string, []any, map[string]any), in which Hole and
// Map may stand, against a schema. It gives all faults, in the order of keys and items. A null counts as absent unless
// the schema takes null. A required field that has a default is never missing. What an expression might yet change
// is no fault. CEL rules are not looked at.
func Check(s *spec.Schema, value any, path string) []Fault {
	c := &checker{}
	c.value(s, value, path)
	return c.faults
}

// checker gathers the faults of one value.
type checker struct {
	faults  []Fault
	partial bool // the schema is part of an allOf, anyOf, oneOf or not, and declares no fields of its own
}

func (c *checker) add(f Fault) { c.faults = append(c.faults, f) }

func (c *checker) value(s *spec.Schema, v any, path string) {
	switch v.(type) {
	case Hole, nil:
		return
	}
	if !c.takesType(s, v, path) {
		return
	}
	c.enum(s, v, path)
	switch v := v.(type) {
	case string:
		c.text(s, v, path)
	case []any:
		c.list(s, v, path)
	case map[string]any:
		c.object(s, Map{Fields: v}, path)
	case Map:
		c.object(s, v, path)
	default:
		if n, ok := numberOf(v); ok {
			c.number(s, n, path)
		}
	}
	c.forms(s, v, path)
}

// hasHole tells whether an expression gives a part of v.
func hasHole(v any) bool {
	switch v := v.(type) {
	case Hole:
		return true
	case Map:
		return len(v.Computed) > 0 || hasHole(v.Fields)
	case []any:
		for _, item := range v {
			if hasHole(item) {
				return true
			}
		}
	case map[string]any:
		for _, field := range v {
			if hasHole(field) {
				return true
			}
		}
	}
	return false
}
