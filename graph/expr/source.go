package expr

import (
	"strings"
	"unicode/utf8"
)

// source is an expression as written and as CEL's parser reads it, with the way back from positions of the latter.
type source struct {
	text     string
	offset   int // of the expression in the string that was scanned
	escaped  string
	inserted []int // places in escaped of the characters that are not in text, ascending
}

// keywords that CEL does not read as a field name after a dot, unless they stand in back quotes.
var unselectable = map[string]bool{"in": true, "true": true, "false": true, "null": true}

func newSource(part Part) source {
	s := source{text: part.Expression, offset: part.Offset, escaped: part.Expression}
	if !strings.Contains(part.Expression, ".") {
		return s
	}
	var b strings.Builder
	afterDot := false
	for lex := (lexer{text: part.Expression}); ; {
		token, ok := lex.next()
		if !ok {
			s.escaped = b.String()
			return s
		}
		text := token.text(part.Expression)
		if token.kind == word && afterDot && unselectable[text] {
			s.inserted = append(s.inserted, b.Len(), b.Len()+len(text)+1)
			text = "`" + text + "`"
		}
		b.WriteString(text)
		switch {
		case token.kind == symbol && text == ".":
			afterDot = true
		case token.kind == symbol && text == "?", token.kind == space, token.kind == comment:
		default:
			afterDot = false
		}
	}
}

// position turns a place in code points of escaped into bytes of the string that was scanned.
func (s source) position(runes int) int {
	at := runes
	if len(s.escaped) != utf8.RuneCountInString(s.escaped) {
		at = 0
		for ; runes > 0 && at < len(s.escaped); runes-- {
			_, size := utf8.DecodeRuneInString(s.escaped[at:])
			at += size
		}
	}
	added := 0
	for _, place := range s.inserted {
		if place < at {
			added++
		}
	}
	return s.offset + min(at-added, len(s.text))
}
