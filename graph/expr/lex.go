package expr

import "strings"

// tokenKind is as much of CEL's lexis as it takes to find where things end.
type tokenKind int

const (
	space tokenKind = iota
	comment
	word       // identifiers, keywords, numbers
	quoted     // a whole string, with its prefix
	openString // a string that does not end
	opening    // ( [ {
	closing    // ) ] }
	symbol     // one byte of anything else
)

type token struct {
	kind       tokenKind
	start, end int
}

func (t token) text(source string) string { return source[t.start:t.end] }

// lexer cuts CEL into tokens. It never fails: what CEL would refuse is cut somehow, and refused by the parser later.
type lexer struct {
	text string
	pos  int
}

// next gives the token at the position, and false at the end of the text.
func (l *lexer) next() (token, bool) {
	if l.pos >= len(l.text) {
		return token{}, false
	}
	start := l.pos
	kind := l.advance()
	return token{kind: kind, start: start, end: l.pos}, true
}

func (l *lexer) advance() tokenKind {
	c := l.text[l.pos]
	switch {
	case isSpace(c):
		l.skip(isSpace)
		return space
	case c == '"' || c == '\'':
		return l.quote(false)
	case c == '/' && strings.HasPrefix(l.text[l.pos:], "//"):
		l.skip(func(c byte) bool { return c != '\n' })
		return comment
	case isWord(c):
		return l.word()
	}
	l.pos++
	switch c {
	case '(', '[', '{':
		return opening
	case ')', ']', '}':
		return closing
	}
	return symbol
}

func (l *lexer) skip(in func(byte) bool) {
	for l.pos < len(l.text) && in(l.text[l.pos]) {
		l.pos++
	}
}

// word reads an identifier or number; a string prefix before a quote belongs to the string.
func (l *lexer) word() tokenKind {
	start := l.pos
	l.skip(isWord)
	if l.pos < len(l.text) && (l.text[l.pos] == '"' || l.text[l.pos] == '\'') {
		switch strings.ToLower(l.text[start:l.pos]) {
		case "r", "br", "rb":
			return l.quote(true)
		case "b":
			return l.quote(false)
		}
	}
	return word
}

// quote reads a string from its first quote. A string in single quotes of either kind ends with its line at the latest.
func (l *lexer) quote(raw bool) tokenKind {
	mark := l.text[l.pos : l.pos+1]
	if triple := strings.Repeat(mark, 3); strings.HasPrefix(l.text[l.pos:], triple) {
		mark = triple
	}
	l.pos += len(mark)
	for l.pos < len(l.text) {
		switch {
		case strings.HasPrefix(l.text[l.pos:], mark):
			l.pos += len(mark)
			return quoted
		case l.text[l.pos] == '\\' && !raw && l.pos+1 < len(l.text):
			l.pos += 2
		case l.text[l.pos] == '\n' && len(mark) == 1:
			return quoted
		default:
			l.pos++
		}
	}
	return openString
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// nestingDepth is the largest number of brackets open at once.
func nestingDepth(expression string) int {
	depth, deepest := 0, 0
	for lex := (lexer{text: expression}); ; {
		token, ok := lex.next()
		switch {
		case !ok:
			return deepest
		case token.kind == opening:
			depth++
			deepest = max(deepest, depth)
		case token.kind == closing:
			depth--
		}
	}
}
