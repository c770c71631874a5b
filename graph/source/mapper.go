package source

import (
	"strconv"
	"strings"

	"github.com/plait-run/plait/graph/diag"
)

// mapper maps a document and gathers its problems.
type mapper struct {
	file     string
	problems diag.List
}

// known is a field that a map may have. A null counts as absent; a value of another kind is reported.
type known struct {
	name string
	kind Kind
	set  func(*Value) // nil: the form is checked and the value not needed
}

func (m *mapper) report(code diag.Code, path string, position diag.Position, summary, suggestion string) {
	m.problems.Add(diag.Diagnostic{
		File: m.file, Path: path, Position: position, Code: code, Summary: summary, Suggestion: suggestion,
	})
}

// fields hands each field of a map to its setter, and reports unknown ones and wrong kinds. owner is what the
// map is called: `a node`, `lifecycle`.
func (m *mapper) fields(v *Value, owner string, table []known) {
	if v == nil || v.Kind != Map {
		return
	}
	for _, f := range v.Fields {
		entry, ok := lookup(table, f.Key)
		if !ok {
			m.unknown(f, owner, table)
			continue
		}
		if f.Value.Kind == Null || !m.isKind(f.Value, entry.kind) || entry.set == nil {
			continue
		}
		entry.set(f.Value)
	}
}

func lookup(table []known, name string) (known, bool) {
	for _, entry := range table {
		if entry.name == name {
			return entry, true
		}
	}
	return known{}, false
}

func (m *mapper) unknown(f Field, owner string, table []known) {
	names := make([]string, len(table))
	for i, entry := range table {
		names[i] = entry.name
	}
	suggestion := diag.DidYouMean(f.Key, names)
	if suggestion == "" {
		suggestion = "It has the fields " + strings.Join(names, ", ") + "."
	}
	m.report(diag.UnknownField, f.Value.Path, f.KeyPosition, owner+" has no field \""+f.Key+"\"", suggestion)
}

// isKind reports a value of another kind.
func (m *mapper) isKind(v *Value, want Kind) bool {
	if v.Kind == want {
		return true
	}
	suggestion := ""
	if want == String && (v.Kind == Int || v.Kind == Float || v.Kind == Bool) {
		suggestion = "Put it in quotes."
	}
	m.report(diag.WrongFieldType, v.Path, v.Position, "this must be "+want.String()+", not "+v.Kind.String(), suggestion)
	return false
}

// require reports a missing field at its own path, with the position of its parent.
func (m *mapper) require(parent *Value, name, suggestion string) {
	if v := parent.Get(name); v != nil && v.Kind != Null {
		return
	}
	m.report(diag.MissingField, JoinKey(parent.Path, name), parent.Position, "the field \""+name+"\" is required", suggestion)
}

// oneOf reads a closed set into target, which holds the default.
func (m *mapper) oneOf(target *string, values ...string) func(*Value) {
	*target = values[0]
	return func(v *Value) {
		for _, allowed := range values {
			if v.Text() == allowed {
				*target = allowed
				return
			}
		}
		m.report(diag.InvalidValue, v.Path, v.Position, "\""+v.Text()+"\" is not possible here", "Use "+diag.OneOf(values)+".")
	}
}

// keep stores a value as it is.
func keep(target **Value) func(*Value) {
	return func(v *Value) { *target = v }
}

// strings reads a list of strings; items of other kinds are reported and left out.
func (m *mapper) strings(target *[]*Value) func(*Value) {
	return func(list *Value) {
		for _, item := range list.Items {
			if m.isKind(item, String) {
				*target = append(*target, item)
			}
		}
	}
}

// keepStrings stores a list whose items must be strings.
func (m *mapper) keepStrings(target **Value) func(*Value) {
	var items []*Value
	check := m.strings(&items)
	return func(v *Value) {
		check(v)
		*target = v
	}
}

// keepTexts stores a map whose values must be strings.
func (m *mapper) keepTexts(target **Value) func(*Value) {
	return func(v *Value) {
		for _, f := range v.Fields {
			m.isKind(f.Value, String)
		}
		*target = v
	}
}

// keepEach stores a list of maps with the fields of table, of which required ones must be there.
func (m *mapper) keepEach(target **Value, owner string, table []known, required ...string) func(*Value) {
	return func(list *Value) {
		for _, item := range list.Items {
			if !m.isKind(item, Map) {
				continue
			}
			m.fields(item, owner, table)
			for _, name := range required {
				m.require(item, name, "")
			}
		}
		*target = list
	}
}

// String names a kind as people do: a string, a list.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "true or false"
	case Int:
		return "an integer"
	case Float:
		return "a number"
	case String:
		return "a string"
	case List:
		return "a list"
	case Map:
		return "a map"
	default:
		return "kind " + strconv.Itoa(int(k))
	}
}
