package simpleschema

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph/diag"
)

// column is a printer column that a printColumn marker asks for.
type column struct {
	name string   // heading; empty: the field's name
	path []string // from the type that carries it
	kind string
	text string // description
}

func (m *marking) printColumn(next marker) *fault {
	if next.form != quoted && next.value == "false" {
		m.typ.columns = nil
		return nil
	}
	c := column{kind: columnType(m.typ)}
	if next.form == quoted || next.value != "true" {
		name, f := text(next)
		if f != nil {
			return f
		}
		c.name = name
	}
	m.typ.columns = []column{c}
	return nil
}

func columnType(t *typ) string {
	switch {
	case t.shape == stringShape && t.schema.Format == "date-time":
		return "date"
	case t.shape&(numberShapes|booleanShape) != 0:
		return t.schema.Type
	default:
		return "string"
	}
}

// inField gives the columns of a type as seen from the struct that has it as a field.
func (t *typ) inField(name string) []column {
	out := make([]column, 0, len(t.columns))
	for _, c := range t.columns {
		if len(c.path) == 0 {
			c.text = t.schema.Description
			if c.name == "" {
				c.name = strings.ToUpper(name)
			}
		}
		c.path = append([]string{name}, c.path...)
		out = append(out, c)
	}
	return out
}

// definitions gives the columns of the whole spec.
func (t *typ) definitions() []apiextensionsv1.CustomResourceColumnDefinition {
	var out []apiextensionsv1.CustomResourceColumnDefinition
	for _, c := range t.columns {
		var path strings.Builder
		path.WriteString(".spec")
		for _, name := range c.path {
			if slices.ContainsFunc([]byte(name), func(b byte) bool { return !isNameByte(b) }) {
				path.WriteString("['" + strings.ReplaceAll(name, "'", `\'`) + "']")
				continue
			}
			path.WriteString("." + name)
		}
		out = append(out, apiextensionsv1.CustomResourceColumnDefinition{
			Name: c.name, Type: c.kind, Description: c.text, JSONPath: path.String(),
		})
	}
	return out
}

// warnOfColumns tells of columns with one heading, of which only the last is printed.
func (b *builder) warnOfColumns(spec *typ) {
	taken := map[string]string{}
	for _, c := range spec.columns {
		title, field := strings.ToUpper(c.name), "spec."+strings.Join(c.path, ".")
		at := spec.places["properties["+strings.Join(c.path, "].properties[")+"]"]
		if other := taken[title]; other != "" && at != nil {
			b.warning(at, diag.SchemaMarker, "the printer column "+title+" of "+field+" takes the place of that of "+other,
				"Name it: printColumn=\"…\".")
		}
		taken[title] = field
	}
}
