package simpleschema

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/plait-run/plait/graph/diag"
)

// markerRule says where a marker may stand and what it does.
type markerRule struct {
	on        shape
	isOfField bool // it says something about a field, so it cannot stand on the elements of a list
	repeats   bool
	apply     func(*marking, marker) *fault
}

// rules are all markers by name. A function, since what they do refers back to it.
func rules() map[string]markerRule {
	return map[string]markerRule{
		"required":         {on: allShapes, isOfField: true, apply: (*marking).required},
		"default":          {on: allShapes, isOfField: true, apply: (*marking).defaultLater},
		"immutable":        {on: allShapes, isOfField: true, apply: (*marking).immutable},
		"printColumn":      {on: scalarShapes, isOfField: true, apply: (*marking).printColumn},
		"description":      {on: allShapes, apply: (*marking).description},
		"nullable":         {on: allShapes, apply: (*marking).nullable},
		"validation":       {on: allShapes, repeats: true, apply: (*marking).validation},
		"message":          {on: allShapes, repeats: true, apply: (*marking).message},
		"enum":             {on: scalarShapes, apply: (*marking).enum},
		"minimum":          {on: numberShapes, apply: (*marking).bound},
		"maximum":          {on: numberShapes, apply: (*marking).bound},
		"exclusiveMinimum": {on: numberShapes, apply: (*marking).exclusiveBound},
		"exclusiveMaximum": {on: numberShapes, apply: (*marking).exclusiveBound},
		"multipleOf":       {on: numberShapes, apply: (*marking).multipleOf},
		"pattern":          {on: stringShape, apply: (*marking).pattern},
		"format":           {on: stringShape | numberShapes, apply: (*marking).format},
		"minLength":        {on: stringShape, apply: (*marking).count},
		"maxLength":        {on: stringShape, apply: (*marking).count},
		"minItems":         {on: listShape, apply: (*marking).count},
		"maxItems":         {on: listShape, apply: (*marking).count},
		"minProperties":    {on: objectShapes, apply: (*marking).count},
		"maxProperties":    {on: objectShapes, apply: (*marking).count},
		"uniqueItems":      {on: listShape, apply: (*marking).uniqueItems},
		"listType":         {on: listShape, apply: (*marking).listType},
		"listMapKey":       {on: listShape, repeats: true, apply: (*marking).listMapKey},
	}
}

var markerRules = rules()

// marking is the application of a list of markers to a type.
type marking struct {
	typ       *typ
	isElement bool
	seen      sets.Set[string]
	def       *marker  // default, applied last
	keys      []string // listMapKey
	messages  int      // validations that have their message
}

// mark applies markers in their order, and gives the first fault; what comes after it is left out, but for
// `required`.
func mark(t *typ, markers []marker, isElement bool) *fault {
	m := &marking{typ: t, isElement: isElement, seen: sets.New[string](), messages: len(t.schema.XValidations)}
	for _, next := range markers {
		if f := m.one(next); f != nil {
			return f
		}
	}
	return m.finish()
}

func (m *marking) one(next marker) *fault {
	rule, ok := markerRules[next.name]
	if !ok {
		return unknownMarker(next.name)
	}
	switch {
	case m.typ.shape&rule.on == 0:
		return markerFault("the marker "+next.name+" is for "+rule.on.String()+", and this is no such field", m.elementHint(rule))
	case m.isElement && rule.isOfField:
		return markerFault("the marker "+next.name+" is about a field, and cannot stand on elements", "Put it behind the | of the field.")
	case m.seen.Has(next.name) && !rule.repeats:
		return markerFault("the marker "+next.name+" stands twice", "Remove one of the two.")
	}
	m.seen.Insert(next.name)
	return rule.apply(m, next)
}

// elementHint suggests the place of a marker that is meant for the elements of a list or map.
func (m *marking) elementHint(rule markerRule) string {
	if m.typ.shape&(listShape|mapShape) != 0 && rule.on&scalarShapes != 0 {
		return "For the elements put it in parentheses behind their type: []string(minLength=1)."
	}
	return ""
}

func unknownMarker(name string) *fault {
	known := slices.Sorted(maps.Keys(markerRules))
	suggestion := diag.DidYouMean(name, known)
	if suggestion == "" {
		suggestion = "Put quotes around values with spaces or commas. The markers are " + diag.OneOf(known) + "."
	}
	return markerFault("there is no marker \""+name+"\"", suggestion)
}

// finish checks what depends on several markers, and the default against all of them.
func (m *marking) finish() *fault {
	s := m.typ.schema
	if s.ExclusiveMinimum && s.Minimum == nil || s.ExclusiveMaximum && s.Maximum == nil {
		return markerFault("an exclusive bound of true needs a minimum or maximum beside it", "Or write the number itself: exclusiveMinimum=0.")
	}
	if f := checkBounds(s); f != nil {
		return f
	}
	if f := m.finishList(); f != nil {
		return f
	}
	if m.def == nil {
		return nil
	}
	value, f := defaultValue(m.typ, *m.def)
	if f != nil {
		return f
	}
	s.Default, m.typ.cascades = value, false
	if f := checkDefault(s); f != nil {
		s.Default = nil
		return f
	}
	return nil
}
