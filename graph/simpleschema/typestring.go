package simpleschema

import (
	"strings"
)

// container is what a type expression wraps around its element.
type container int

const (
	leaf   container = iota
	listOf           // []T
	mapOf            // map[string]T
)

// typeExpr is a parsed type: `[]map[string]Name(minLength=1)`.
type typeExpr struct {
	container container
	elem      *typeExpr // of listOf and mapOf
	name      string    // of a leaf
	markers   []marker  // of a leaf, in parentheses
}

// leafName is the name at the bottom.
func (e *typeExpr) leafName() string {
	for e.container != leaf {
		e = e.elem
	}
	return e.name
}

// maxNesting bounds how many lists and maps one type string may wrap around each other.
const maxNesting = 20

// parseTypeString reads `TYPE | markers`. Markers that were read before a fault are given too.
func parseTypeString(text string) (*typeExpr, []marker, *fault) {
	p := &scanner{text: text}
	p.skip(" \t\r\n")
	expr, f := p.typeExpr(0)
	if f != nil {
		return nil, nil, f
	}
	p.skip(" \t\r\n")
	rest := text[p.at:]
	if rest == "" {
		return expr, nil, nil
	}
	if rest[0] != '|' {
		return nil, nil, typeFault("`"+cut(rest)+"` follows the type `"+strings.TrimSpace(text[:p.at])+"`", "Put a | between the type and its markers.")
	}
	markers, f := scanMarkers(rest[1:], "|")
	return expr, markers, f
}

func (s *scanner) typeExpr(depth int) (*typeExpr, *fault) {
	if depth > maxNesting {
		return nil, typeFault("lists and maps are nested too deeply", "Use named types.")
	}
	rest := s.text[s.at:]
	switch {
	case strings.HasPrefix(rest, "[]"):
		s.at += len("[]")
		return s.wrapped(listOf, depth)
	case strings.HasPrefix(rest, "map["):
		end := strings.IndexByte(rest, ']')
		if end < 0 || strings.TrimSpace(rest[len("map["):end]) != "string" {
			return nil, typeFault("`"+cut(rest)+"` is no type: the keys of a map are strings", "Write map[string] and the type of the values.")
		}
		s.at += end + 1
		return s.wrapped(mapOf, depth)
	default:
		return s.leaf()
	}
}

func (s *scanner) wrapped(c container, depth int) (*typeExpr, *fault) {
	s.skip(" \t")
	elem, f := s.typeExpr(depth + 1)
	if f != nil {
		return nil, f
	}
	return &typeExpr{container: c, elem: elem}, nil
}

func (s *scanner) leaf() (*typeExpr, *fault) {
	start := s.at
	for s.at < len(s.text) && isNameByte(s.text[s.at]) {
		s.at++
	}
	name := s.text[start:s.at]
	if name == "" {
		if start == len(s.text) {
			return nil, typeFault("the type is missing", "Write one, such as string or []integer.")
		}
		return nil, typeFault("`"+cut(s.text[start:])+"` is no type", "Write one such as string, []integer or map[string]string.")
	}
	if s.at == len(s.text) || s.text[s.at] != '(' {
		return &typeExpr{name: name}, nil
	}
	closing := closingParenthesis(s.text, s.at)
	if closing < 0 {
		return nil, typeFault("the parenthesis after "+name+" is not closed", "")
	}
	markers, f := scanMarkers(s.text[s.at+1:closing], ",|")
	s.at = closing + 1
	return &typeExpr{name: name, markers: markers}, f
}

// closingParenthesis gives the end of a parenthesis, outside quotes; -1 when it is not closed.
func closingParenthesis(text string, start int) int {
	depth := 0
	for i := start; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = closingQuote(text, i); i < 0 {
				return -1
			}
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
