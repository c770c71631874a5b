package simpleschema

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/plait-run/plait/graph/diag"
)

// enum reads the items: a JSON array, or text that is split at commas outside quotes.
func (m *marking) enum(next marker) *fault {
	items := splitItems(next.value)
	if next.form == absent {
		items = nil
	}
	if next.form == structured {
		var raw []json.RawMessage
		if err := json.Unmarshal([]byte(next.value), &raw); err != nil {
			return markerFault("the items of enum are no JSON list", "Write enum=\"a,b\".")
		}
		items = nil
		for _, r := range raw {
			items = append(items, string(r))
		}
	}
	if len(items) == 0 {
		return markerFault("enum has no items", "Write enum=\"a,b\".")
	}
	var values []apiextensionsv1.JSON
	for _, item := range items {
		value, ok := m.item(item)
		if !ok {
			return markerFault("the item "+cut(item)+" of enum does not fit the type of the field", "")
		}
		values = append(values, apiextensionsv1.JSON{Raw: value})
	}
	m.typ.schema.Enum = values
	return nil
}

// item gives an item of an enum as JSON of the field's type; quotes make it text.
func (m *marking) item(item string) ([]byte, bool) {
	inQuotes := len(item) > 1 && item[0] == '"' && closingQuote(item, 0) == len(item)-1
	plain := item
	if inQuotes {
		plain = unquote(item[1 : len(item)-1])
	}
	return scalarJSON(m.typ.shape, plain, inQuotes)
}

func splitItems(text string) []string {
	var out []string
	start := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			if closing := closingQuote(text, i); closing >= 0 {
				i = closing
			}
		case ',':
			out = append(out, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(text[start:]))
}

// scalarJSON writes text as JSON of a scalar type; false when it does not fit.
func scalarJSON(s shape, text string, inQuotes bool) ([]byte, bool) {
	switch s {
	case integerShape:
		n, err := strconv.ParseInt(text, 10, 64)
		return strconv.AppendInt(nil, n, 10), err == nil
	case floatShape:
		var n *float64
		err := json.Unmarshal([]byte(text), &n)
		return []byte(text), err == nil && n != nil
	case booleanShape:
		return []byte(text), text == "true" || text == "false"
	case intOrStringShape:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && !inQuotes {
			return strconv.AppendInt(nil, n, 10), true
		}
	default:
		// What is no number and no boolean is text.
	}
	raw, err := encode(text)
	return raw, err == nil
}

// defaultValue writes a default as JSON of the field's type.
func defaultValue(t *typ, m marker) (*apiextensionsv1.JSON, *fault) {
	if m.form == bare && m.value == "null" && (t.schema.Nullable || t.shape&scalarShapes == 0) {
		return nil, &fault{
			code: diag.SchemaDefault, summary: "null cannot be a default: the API server leaves such a default out",
			suggestion: "Remove it: the field is absent when nobody sets it.",
		}
	}
	if m.form == bare && strings.HasPrefix(m.value, `"`) {
		return nil, markerFault("more text follows the closing quote of default", "Write \\\" for a quote inside of the value.")
	}
	wrong := &fault{
		code: diag.SchemaDefault, summary: "the default " + quoteFor(m) + " is no value of the field's type",
		suggestion: defaultHint(t.shape),
	}
	if t.shape&scalarShapes != 0 {
		raw, ok := scalarJSON(t.shape, m.value, m.form == quoted)
		if !ok {
			return nil, wrong
		}
		return &apiextensionsv1.JSON{Raw: raw}, nil
	}
	var value any
	isText := t.shape == anyShape && m.form == quoted
	if isText || utiljson.Unmarshal([]byte(m.value), &value) != nil {
		if t.shape != anyShape {
			return nil, wrong
		}
		value = m.value
	}
	raw, err := encode(value)
	if err != nil {
		return nil, wrong
	}
	return &apiextensionsv1.JSON{Raw: raw}, nil
}

func quoteFor(m marker) string {
	if m.form == structured {
		return cut(m.value)
	}
	return "\"" + cut(m.value) + "\""
}

func defaultHint(s shape) string {
	switch {
	case s == booleanShape:
		return "Write true or false."
	case s == listShape:
		return "Write a JSON list: default=[\"a\", \"b\"]."
	case s&objectShapes != 0:
		return "Write a JSON object: default={\"key\": \"value\"}."
	default:
		return ""
	}
}

// encode gives compact JSON without HTML escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
