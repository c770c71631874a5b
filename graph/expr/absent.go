package expr

import (
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// absence makes a field, key or index that is not there an unknown of CEL instead of an error, for values that come
// from a variable. CEL carries unknowns to the result past everything that does not need them: has(), optional
// access, ||, &&, ternaries, comprehensions. One absence serves one plan.
type absence struct {
	origins map[int64][]origin
	tests   map[int64]bool
	vars    map[string]Variable
	known   map[interpreter.Attribute]bool // wrapped already
}

func newAbsence(c *compilation) *absence {
	return &absence{
		origins: originsOf(c.tree), tests: presenceTests(c.tree), vars: c.vars, known: map[interpreter.Attribute]bool{},
	}
}

// decorate wraps an access once, when its root is planned and before its steps are added. Planned accesses come here
// again after every step; their attribute stays the same.
func (a *absence) decorate(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	attribute, ok := i.(interpreter.InterpretableAttribute)
	if !ok || a.known[attribute.Attr()] {
		return i, nil
	}
	a.known[attribute.Attr()] = true
	return &access{InterpretableAttribute: attribute, absence: a, origins: a.origins[attribute.ID()]}, nil
}

// access is a root with the steps taken from it: a variable, a bound name, or the result of a call.
type access struct {
	interpreter.InterpretableAttribute
	absence *absence
	origins []origin
	steps   []interpreter.Qualifier
}

// AddQualifier takes one more step.
func (a *access) AddQualifier(q interpreter.Qualifier) (interpreter.Attribute, error) {
	a.steps = append(a.steps, q)
	return a.InterpretableAttribute.AddQualifier(&accessQualifier{Qualifier: q, access: a, index: len(a.steps) - 1})
}

// accessQualifier is a step that may find nothing.
type accessQualifier struct {
	interpreter.Qualifier
	access *access
	index  int
}

// Qualify gives an unknown if the step finds nothing where there could be something.
func (q *accessQualifier) Qualify(vars interpreter.Activation, obj any) (any, error) {
	if root, ok := obj.(*celtypes.Unknown); ok && q.index == 0 {
		return q.access.missingRoot(vars, root), nil
	}
	value, err := q.Qualifier.Qualify(vars, obj)
	if err == nil || !isContainer(obj) {
		return value, err
	}
	if _, present, failed := q.Qualifier.QualifyIfPresent(vars, obj, true); failed != nil || present {
		return value, err
	}
	if key, ok := stepKey(vars, q.Qualifier).(int64); ok && key < 0 {
		return value, err
	}
	if missing := q.access.missing(vars, q.index); missing != nil {
		return missing, nil
	}
	return value, err
}

// isContainer tells whether something could be found in a value. Null is a container that holds nothing yet.
func isContainer(obj any) bool {
	switch obj.(type) {
	case nil, map[string]any, []any, traits.Mapper, traits.Lister, celtypes.Null:
		return true
	}
	return false
}

// missing is the unknown for the step at index: all that the expression asks for from there on. It is nil if what is
// missing belongs to no variable.
func (a *access) missing(vars interpreter.Activation, index int) ref.Val {
	keys := a.keysFrom(vars, index)
	var found *celtypes.Unknown
	for _, exact := range []bool{false, true} { // children first, whatever is known of their path; then own input
		for _, o := range a.origins {
			root, ok := a.absence.vars[o.variable]
			if ok && (root.Root == Node) == !exact && (!exact || o.exact) {
				found = celtypes.MergeUnknowns(found, unknown(a.ID(), o, keys))
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// missingRoot names the full path if a variable, or what a name is bound to, is not there at all.
func (a *access) missingRoot(vars interpreter.Activation, root *celtypes.Unknown) ref.Val {
	if len(a.origins) != 1 || !a.origins[0].exact {
		return root
	}
	return unknown(a.ID(), a.origins[0], a.keysFrom(vars, 0))
}

// keysFrom are the keys of all steps up to the first that may find nothing, but at least those up to index.
func (a *access) keysFrom(vars interpreter.Activation, index int) []any {
	var keys []any
	for i, s := range a.steps {
		if (i > index || index == 0) && (s.IsOptional() || a.absence.tests[s.ID()]) {
			break
		}
		keys = append(keys, stepKey(vars, s))
	}
	return keys
}

// stepKey is the key of a step, computed if it is not constant; any item if it cannot be told.
func stepKey(vars interpreter.Activation, q interpreter.Qualifier) any {
	var value any
	switch q := q.(type) {
	case interpreter.ConstantQualifier:
		value = q.Value()
	case interpreter.Attribute:
		resolved, err := q.Resolve(vars)
		if err != nil {
			return anyItem
		}
		value = resolved
	}
	if v, ok := value.(ref.Val); ok {
		value = v.Value()
	}
	switch value.(type) {
	case string, int64, uint64, bool:
		return value
	}
	return anyItem
}

func unknown(id int64, o origin, keys []any) *celtypes.Unknown {
	trail := celtypes.NewAttributeTrail(o.variable)
	path := o.path
	if o.exact {
		path = append(path[:len(path):len(path)], keys...)
	}
	for _, key := range path {
		switch key := key.(type) {
		case string:
			trail = celtypes.QualifyAttribute(trail, key)
		case int64:
			trail = celtypes.QualifyAttribute(trail, key)
		case uint64:
			trail = celtypes.QualifyAttribute(trail, key)
		case bool:
			trail = celtypes.QualifyAttribute(trail, key)
		}
	}
	return celtypes.NewUnknown(id, trail)
}
