package convert

import "strings"

// token is a piece of an expression: an identifier, a number, a string, one sign, or white space with comments.
type token struct {
	kind tokenKind
	text string
}

type tokenKind int

const (
	identifier tokenKind = iota
	literal              // a number or a string
	sign
	blank // white space and comments
)

// tokens cuts CEL into pieces that make up the text again.
func tokens(text string) []token {
	var out []token
	for at := 0; at < len(text); {
		kind, size := tokenAt(text[at:])
		out = append(out, token{kind, text[at : at+size]})
		at += size
	}
	return out
}

func tokenAt(text string) (tokenKind, int) {
	c := text[0]
	switch {
	case strings.IndexByte(" \t\r\n", c) >= 0:
		return blank, 1
	case strings.HasPrefix(text, "//"):
		if end := strings.IndexByte(text, '\n'); end >= 0 {
			return blank, end + 1
		}
		return blank, len(text)
	case isDigit(c):
		return literal, span(text, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' })
	case isLetter(c):
		size := span(text, func(c byte) bool { return isLetter(c) || isDigit(c) })
		if size < len(text) && isQuote(text[size]) && size <= 2 && strings.Trim(text[:size], "rRbB") == "" {
			raw := strings.ContainsAny(text[:size], "rR")
			return literal, size + quotedSize(text[size:], raw)
		}
		return identifier, size
	case isQuote(c):
		return literal, quotedSize(text, false)
	default:
		return sign, 1
	}
}

// quotedSize is the length of the string at the start of text, up to the end when it is not closed.
func quotedSize(text string, raw bool) int {
	quote := text[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text, triple) {
		quote = triple
	}
	for at := len(quote); at < len(text); at++ {
		if text[at] == '\\' && !raw {
			at++
			continue
		}
		if strings.HasPrefix(text[at:], quote) {
			return at + len(quote)
		}
	}
	return len(text)
}

func span(text string, in func(byte) bool) int {
	for i := range len(text) {
		if !in(text[i]) {
			return i
		}
	}
	return len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// next gives the index of the first token after i that is not blank, len(all) when there is none.
func next(all []token, i int) int {
	for i++; i < len(all) && all[i].kind == blank; i++ {
	}
	return i
}

// is tells whether the token at i is this sign or word.
func is(all []token, i int, text string) bool { return i < len(all) && all[i].text == text }

func joined(all []token) string {
	var b strings.Builder
	for _, t := range all {
		b.WriteString(t.text)
	}
	return b.String()
}
