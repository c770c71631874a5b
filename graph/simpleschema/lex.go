package simpleschema

import (
	"strings"

	"github.com/plait-run/plait/graph/diag"
)

// fault is what is wrong with a type string.
type fault struct {
	code       diag.Code
	summary    string
	suggestion string
}

func markerFault(summary, suggestion string) *fault {
	return &fault{code: diag.SchemaMarker, summary: summary, suggestion: suggestion}
}

func typeFault(summary, suggestion string) *fault {
	return &fault{code: diag.SchemaType, summary: summary, suggestion: suggestion}
}

// form is how a marker's value is written.
type form int

const (
	bare       form = iota // 3, a,b
	absent                 // no = at all
	quoted                 // "…", already unquoted
	structured             // JSON that starts with [ or {
)

// marker is one key=value.
type marker struct {
	name  string
	value string // "true" when it is absent
	form  form
}

// scanMarkers cuts a list of markers at white space and the other separators, outside quotes and brackets.
func scanMarkers(text, separators string) ([]marker, *fault) {
	s := &scanner{text: text, separators: separators + " \t\r\n"}
	var out []marker
	for s.skip(s.separators); s.at < len(text); s.skip(s.separators) {
		m, f := s.marker()
		if f != nil {
			return out, f
		}
		out = append(out, m)
	}
	return out, nil
}

type scanner struct {
	text       string
	at         int
	separators string
}

func (s *scanner) skip(set string) {
	for s.at < len(s.text) && strings.IndexByte(set, s.text[s.at]) >= 0 {
		s.at++
	}
}

func (s *scanner) marker() (marker, *fault) {
	start := s.at
	for s.at < len(s.text) && isNameByte(s.text[s.at]) {
		s.at++
	}
	name := s.text[start:s.at]
	if name == "" {
		return marker{}, markerFault("a marker is expected at `"+cut(s.text[start:])+"`", "Markers are written key=value; put quotes around values with spaces.")
	}
	end := s.at
	s.skip(" \t")
	if s.at == len(s.text) || s.text[s.at] != '=' {
		s.at = end
		return marker{name: name, value: "true", form: absent}, nil
	}
	s.at++
	s.skip(" \t")
	value, form, f := s.value(name)
	return marker{name: name, value: value, form: form}, f
}

// value reads up to the next separator outside quotes and brackets.
func (s *scanner) value(name string) (string, form, *fault) {
	start, depth := s.at, 0
	for ; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == '"':
			closing := closingQuote(s.text, s.at)
			if closing < 0 {
				return "", quoted, markerFault("the quote that starts the value of "+name+" is not closed", "Write \\\" for a quote inside of it.")
			}
			s.at = closing
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case depth > 0 && strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && strings.IndexByte(s.separators, c) >= 0:
			return classify(name, s.text[start:s.at])
		}
	}
	if depth > 0 {
		return "", bare, markerFault("a bracket in the value of "+name+" is not closed", "Put the value in double quotes.")
	}
	return classify(name, s.text[start:])
}

func classify(name, raw string) (string, form, *fault) {
	switch {
	case raw == "":
		return "", bare, markerFault("the marker "+name+" has no value after its =", "Write \"\" for empty text.")
	case raw[0] == '"' && closingQuote(raw, 0) == len(raw)-1:
		return unquote(raw[1 : len(raw)-1]), quoted, nil
	case raw[0] == '[' || raw[0] == '{':
		return raw, structured, nil
	default:
		return raw, bare, nil
	}
}

// closingQuote gives where the quote at start is closed, -1 when it is not.
func closingQuote(text string, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// unquote resolves \" and \\; any other backslash stays, so that patterns need not double theirs.
func unquote(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\') {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// cut shortens text for a message.
func cut(text string) string {
	const longest = 24
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}
