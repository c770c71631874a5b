package expr

import (
	"fmt"
	"maps"
	"slices"
)

// Accepts tells whether a value of type from may be written to a field of type t; if not, why, and what to write
// instead (may be empty). What is dynamic is accepted, and seen when there is a value.
func (t *Type) Accepts(from *Type) (ok bool, why, suggestion string) {
	if from.omitted || from.kind == Null {
		return true, "", ""
	}
	if name := from.withoutJSON(); name != "" && t.kind == Dynamic {
		return false, fmt.Sprintf("the expression gives %s, which has no JSON form", name), "Call string(…) or another of its functions."
	}
	if t.kind == Dynamic {
		return true, "", ""
	}
	switch {
	case len(from.alternatives) > 0:
		return t.acceptsAll(from)
	case from.kind == Optional:
		return t.Accepts(from.Elem())
	case from.kind == Dynamic, from.structure == t.structure && from.entries == nil && from.items == nil:
		return true, "", ""
	case t.kind == List && from.kind == List:
		return t.acceptsList(from)
	case t.kind == Map && (from.kind == Map || from.kind == Object):
		return t.acceptsEntries(from)
	case t.kind == Object && (from.kind == Map || from.kind == Object):
		return t.acceptsFields(from)
	case t.acceptsScalar(from.kind):
		return true, "", ""
	}
	return false, t.expects(from), t.cure(from)
}

func (t *Type) acceptsAll(from *Type) (bool, string, string) {
	for _, alternative := range from.alternatives {
		if ok, _, suggestion := t.Accepts(alternative); !ok {
			return false, t.expects(from), suggestion
		}
	}
	return true, "", ""
}

// withoutJSON gives the type, of the value itself or of what it holds, that no field can hold: a quantity, a URL, a type.
func (t *Type) withoutJSON() string {
	for _, branch := range t.branches() {
		if branch.kind == Other {
			return withArticle(branch)
		}
		if held := branch.Elem(); held != nil {
			if name := held.withoutJSON(); name != "" {
				return name
			}
		}
	}
	return ""
}

func (t *Type) expects(from *Type) string {
	return fmt.Sprintf("expects %s, the expression gives %s", t, from)
}

// scalars that a field takes besides its own kind. A number field takes ints; text that a field's format is about is
// checked when there is a value.
var scalarsTaken = map[Kind][]Kind{
	Int: {Uint}, Uint: {Int}, Double: {Int, Uint}, String: {Timestamp, Duration}, Bytes: {String},
	Timestamp: {String}, Duration: {String}, IntOrString: {Int, Uint, String},
}

func (t *Type) acceptsScalar(from Kind) bool {
	if t.kind == from && from <= Null || slices.Contains(scalarsTaken[t.kind], from) {
		return true
	}
	return from == Double && t.kind == IntOrString && t.source != nil && t.source.Format == "quantity"
}

func (t *Type) acceptsList(from *Type) (bool, string, string) {
	elements := from.items
	if elements == nil {
		elements = []*Type{from.Elem()}
	}
	for i, element := range elements {
		if ok, why, suggestion := t.Elem().Accepts(element); !ok {
			if from.items == nil {
				return false, t.expects(from), suggestion
			}
			return false, fmt.Sprintf("element %d: %s", i, why), suggestion
		}
	}
	return true, "", ""
}

// acceptsEntries is for a map field: every value must fit.
func (t *Type) acceptsEntries(from *Type) (bool, string, string) {
	for _, name := range slices.Sorted(maps.Keys(from.known())) {
		if ok, why, suggestion := t.Elem().Accepts(from.known()[name]); !ok {
			return false, fmt.Sprintf("entry %q: %s", name, why), suggestion
		}
	}
	if from.kind == Object || len(from.entries) > 0 && !from.computed {
		return true, "", ""
	}
	if ok, _, suggestion := t.Elem().Accepts(from.Elem()); !ok {
		return false, t.expects(from), suggestion
	}
	return true, "", ""
}

// acceptsFields is for an object field: what is known by name must fit its field, and a closed object takes no other.
// The values of a computed map are seen when there is a value.
func (t *Type) acceptsFields(from *Type) (bool, string, string) {
	for _, name := range slices.Sorted(maps.Keys(from.known())) {
		field, declared := t.Field(name)
		if !declared {
			return false, fmt.Sprintf("there is no field %q", name), didYouMean(nearest(name, t.FieldNames()))
		}
		if ok, why, suggestion := field.Accepts(from.known()[name]); !ok {
			return false, fmt.Sprintf("field %q: %s", name, why), suggestion
		}
	}
	return true, "", ""
}

// known are the entries or fields whose names are known.
func (t *Type) known() map[string]*Type {
	if t.kind != Object {
		return t.entries
	}
	fields := make(map[string]*Type, len(t.fields))
	for name, field := range t.fields {
		fields[name] = &Type{structure: field}
	}
	return fields
}
