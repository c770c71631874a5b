package expr

import "strings"

// Text is a scanned string: literal parts and expressions. Scan("$${x}") is the literal "${x}".
type Text struct {
	Parts      []Part
	Standalone bool // one expression and nothing but white space around it

	source string
}

// Part is a stretch of literal text or one expression.
type Part struct {
	Literal    string // when Expression is empty
	Expression string // CEL, without ${ }
	Offset     int    // bytes from the start of the string to the expression
}

// ScanError is text that cannot be cut into parts.
type ScanError struct {
	Offset  int // bytes from the start of the string
	Summary string
}

// Error is the summary.
func (e *ScanError) Error() string { return e.Summary }

// HasExpressions tells whether anything of the text is computed.
func (t Text) HasExpressions() bool {
	for _, part := range t.Parts {
		if part.Expression != "" {
			return true
		}
	}
	return false
}

// Source is the string that was scanned.
func (t Text) Source() string { return t.source }

// Scan cuts a string into its parts. White space around a standalone expression is no part of the text.
func Scan(text string) (Text, *ScanError) {
	result := Text{source: text}
	if text != "" && !strings.Contains(text, "${") {
		result.Parts = []Part{{Literal: text}}
		return result, nil
	}
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			result.Parts = append(result.Parts, Part{Literal: literal.String()})
			literal.Reset()
		}
	}
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], "$${"):
			literal.WriteString("${")
			i += len("$${")
		case strings.HasPrefix(text[i:], "${"):
			part, next, err := scanExpression(text, i)
			if err != nil {
				return Text{source: text}, err
			}
			flush()
			result.Parts = append(result.Parts, part)
			i = next
		default:
			literal.WriteByte(text[i])
			i++
		}
	}
	flush()
	return standalone(result), nil
}

// scanExpression reads the expression whose "${" stands at start, and gives the place after its "}".
func scanExpression(text string, start int) (Part, int, *ScanError) {
	begin := start + len("${")
	depth, blank := 0, true
	for lex := (lexer{text: text, pos: begin}); ; {
		token, ok := lex.next()
		if !ok {
			return Part{}, 0, unterminated(text, start)
		}
		switch {
		case token.kind == closing && token.text(text) == "}" && depth == 0:
			if blank {
				return Part{}, 0, &ScanError{Offset: start, Summary: "empty expression: ${ } must hold a CEL expression"}
			}
			return Part{Expression: text[begin:token.start], Offset: begin}, token.end, nil
		case token.kind == opening && token.text(text) == "{":
			depth++
		case token.kind == closing && token.text(text) == "}":
			depth--
		case token.kind == openString:
			return Part{}, 0, unterminated(text, start)
		}
		if token.kind != space && token.kind != comment {
			blank = false
		}
	}
}

func unterminated(text string, start int) *ScanError {
	return &ScanError{Offset: start, Summary: "unterminated expression: " + shorten(text[start:], 40) + " has no closing }"}
}

// standalone drops the white space around a single expression.
func standalone(t Text) Text {
	at := -1
	for i, part := range t.Parts {
		switch {
		case part.Expression == "" && strings.TrimSpace(part.Literal) == "":
		case part.Expression == "" || at >= 0:
			return t
		default:
			at = i
		}
	}
	if at < 0 {
		return t
	}
	t.Parts, t.Standalone = []Part{t.Parts[at]}, true
	return t
}

// shorten gives one line of at most limit runes.
func shorten(text string, limit int) string {
	line := strings.Join(strings.Fields(text), " ")
	runes := []rune(line)
	if len(runes) <= limit {
		return line
	}
	return string(runes[:limit-1]) + "…"
}
