package simpleschema

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// flag reads true or false.
func flag(m marker) (bool, *fault) {
	if m.value != "true" && m.value != "false" {
		return false, markerFault("the marker "+m.name+" is true or false, not \""+cut(m.value)+"\"", "")
	}
	return m.value == "true", nil
}

// text refuses a marker without a value.
func text(m marker) (string, *fault) {
	if m.form == absent {
		return "", markerFault("the marker "+m.name+" needs a value", "Write "+m.name+"=\"…\".")
	}
	if m.form == bare && strings.HasPrefix(m.value, `"`) {
		return "", markerFault("more text follows the closing quote of "+m.name, "Write \\\" for a quote inside of the value.")
	}
	return m.value, nil
}

func (m *marking) required(next marker) (f *fault) {
	m.typ.required, f = flag(next)
	return f
}

func (m *marking) immutable(next marker) (f *fault) {
	m.typ.immutable, f = flag(next)
	return f
}

func (m *marking) nullable(next marker) (f *fault) {
	m.typ.schema.Nullable, f = flag(next)
	return f
}

func (m *marking) description(next marker) (f *fault) {
	m.typ.schema.Description, f = text(next)
	return f
}

func (m *marking) defaultLater(next marker) *fault {
	if next.form == absent {
		return markerFault("the marker default needs a value", "Write default=VALUE.")
	}
	m.def = &next
	return nil
}

func (m *marking) validation(next marker) *fault {
	rule, f := text(next)
	if f != nil {
		return f
	}
	if strings.TrimSpace(rule) == "" {
		return markerFault("the validation is empty", "Write a CEL expression over self.")
	}
	m.typ.schema.XValidations = append(m.typ.schema.XValidations, apiextensionsv1.ValidationRule{Rule: rule})
	return nil
}

func (m *marking) message(next marker) *fault {
	message, f := text(next)
	if f != nil {
		return f
	}
	validations := m.typ.schema.XValidations
	if m.messages == len(validations) {
		return markerFault("the marker message has no validation before it", "Put it behind the validation that it belongs to.")
	}
	m.messages = len(validations)
	validations[len(validations)-1].Message = message
	return nil
}

func (m *marking) number(next marker) (float64, *fault) {
	value, f := text(next)
	if f != nil {
		return 0, f
	}
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil || math.IsInf(n, 0) || math.IsNaN(n):
		return 0, markerFault("the value of "+next.name+" must be a number, not \""+cut(value)+"\"", "")
	case m.typ.shape == integerShape && n != math.Trunc(n):
		return 0, markerFault("the value of "+next.name+" must be an integer here, not "+value, "")
	}
	return n, nil
}

func (m *marking) bound(next marker) *fault {
	n, f := m.number(next)
	if f != nil {
		return f
	}
	if next.name == "minimum" {
		m.typ.schema.Minimum = &n
	} else {
		m.typ.schema.Maximum = &n
	}
	if m.seen.Has(byNumber(next.name)) {
		return bothBounds(next.name)
	}
	return nil
}

// byNumber is remembered in place of a marker when the exclusive form gave a bound its number.
func byNumber(name string) string { return name + " by number" }

func bothBounds(name string) *fault {
	return markerFault("both "+name+" and its exclusive form give a number", "Keep one of them.")
}

func (m *marking) exclusiveBound(next marker) *fault {
	s, name := m.typ.schema, "minimum"
	limit, exclusive := &s.Minimum, &s.ExclusiveMinimum
	if next.name == "exclusiveMaximum" {
		name, limit, exclusive = "maximum", &s.Maximum, &s.ExclusiveMaximum
	}
	if is, f := flag(next); f == nil {
		*exclusive = is
		return nil
	}
	n, f := m.number(next)
	if f != nil {
		return f
	}
	if m.seen.Has(name) {
		return bothBounds(name)
	}
	m.seen.Insert(byNumber(name))
	*limit, *exclusive = &n, true
	return nil
}

func (m *marking) multipleOf(next marker) *fault {
	n, f := m.number(next)
	if f != nil {
		return f
	}
	if n <= 0 {
		return markerFault("the value of multipleOf must be above zero", "")
	}
	m.typ.schema.MultipleOf = &n
	return nil
}

func (m *marking) count(next marker) *fault {
	value, f := text(next)
	if f != nil {
		return f
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return markerFault("the value of "+next.name+" must be a whole number of at least 0, not \""+cut(value)+"\"", "")
	}
	s := m.typ.schema
	switch next.name {
	case "minLength":
		s.MinLength = &n
	case "maxLength":
		s.MaxLength = &n
	case "minItems":
		s.MinItems = &n
	case "maxItems":
		s.MaxItems = &n
	case "minProperties":
		s.MinProperties = &n
	case "maxProperties":
		s.MaxProperties = &n
	}
	return nil
}

func (m *marking) pattern(next marker) *fault {
	value, f := text(next)
	if f != nil {
		return f
	}
	if _, err := regexp.Compile(value); err != nil {
		return markerFault("the pattern cannot be read: "+err.Error(), "Patterns are written in the RE2 syntax of Go.")
	}
	m.typ.schema.Pattern = value
	return nil
}
