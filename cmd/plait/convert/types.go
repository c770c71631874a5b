package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// knownMarkers are those of Plait.
var knownMarkers = strings.Fields(`required default description enum minimum maximum exclusiveMinimum exclusiveMaximum
	multipleOf pattern format minLength maxLength minItems maxItems uniqueItems minProperties maxProperties listType
	listMapKey validation message immutable nullable printColumn`)

// types converts the type strings of a tree.
func (c *conversion) types(path string, n *yaml.Node) {
	n = resolved(n)
	for _, f := range fields(n) {
		c.types(join(path, f.key.Value), f.value)
	}
	if !isText(n) {
		return
	}
	typ, rest, ok := strings.Cut(n.Value, "|")
	if !ok {
		return
	}
	typ = strings.TrimSpace(typ)
	all := markers(rest)
	if slices.ContainsFunc(all, isLoose) {
		return
	}
	var kept []string
	changed := false
	for _, marker := range all {
		out := c.marker(path, n, typ, marker)
		changed = changed || out != marker
		if out != "" {
			kept = append(kept, out)
		}
	}
	switch {
	case !changed:
	case len(kept) == 0:
		n.Value = typ
	default:
		n.Value = typ + " | " + strings.Join(kept, " ")
	}
}

// isLoose tells of markers with white space around their =, which are left as they are.
func isLoose(marker string) bool {
	return strings.HasPrefix(marker, "=") || strings.HasSuffix(marker, "=")
}

// marker gives a marker as Plait writes it, empty when there is none.
func (c *conversion) marker(path string, at *yaml.Node, typ, text string) string {
	name, value, hasValue := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !slices.Contains(knownMarkers, name) {
		c.note(TopicSchema, path, at, fmt.Sprintf("Plait has no marker %q: it was left out.", name))
		return ""
	}
	if !hasValue {
		return text
	}
	if len(value) > 1 && value[0] == '\'' && value[len(value)-1] == '\'' {
		value = strconv.Quote(value[1 : len(value)-1])
		text = name + "=" + value
	}
	if name == "default" && typ != "string" && len(value) > 1 && value[0] == '"' {
		if plain, err := strconv.Unquote(value); err == nil && isPlain(typ) {
			return name + "=" + plain
		}
	}
	return text
}

// isPlain tells whether a default of the type is written without quotes.
func isPlain(typ string) bool {
	return slices.Contains([]string{"integer", "boolean", "float", "object"}, typ) || strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "map[")
}

// markers cuts the markers behind a type at white space and |, outside of quotes and brackets.
func markers(text string) []string {
	var out []string
	start, depth := -1, 0
	var quote byte
	for i := 0; i <= len(text); i++ {
		separates := i == len(text) || quote == 0 && depth == 0 && strings.IndexByte(" \t\r\n|", text[i]) >= 0
		switch {
		case separates && start >= 0:
			out = append(out, text[start:i])
			start = -1
		case separates:
		case quote != 0 && text[i] == '\\':
			i++
		case quote != 0:
			if text[i] == quote {
				quote = 0
			}
		default:
			if start < 0 {
				start = i
			}
			quote = quoteAt(text, i)
			depth = max(0, depth+bracket(text[i]))
		}
	}
	return out
}

// quoteAt gives the quote that opens at i, 0 when there is none. Single quotes open directly behind = only.
func quoteAt(text string, i int) byte {
	if text[i] == '"' || text[i] == '\'' && i > 0 && text[i-1] == '=' {
		return text[i]
	}
	return 0
}

// bracket gives 1 for an opening bracket, -1 for a closing one.
func bracket(c byte) int {
	switch {
	case strings.IndexByte("([{", c) >= 0:
		return 1
	case strings.IndexByte(")]}", c) >= 0:
		return -1
	default:
		return 0
	}
}
