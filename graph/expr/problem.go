package expr

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/ast"
)

// ProblemKind tells what is wrong with an expression.
type ProblemKind int

// The kinds of problems.
const (
	SyntaxProblem   ProblemKind = iota
	UnknownName                 // Name is the identifier, Nearest similar names in scope
	UnknownMember               // Name is the field, Nearest similar fields of the type
	UnknownFunction             // Name is the function
	TypeProblem                 // no such overload, mixed types …
	NotText                     // a part of text whose value has no text form (list, map, bytes, null, optional)
	TooComplex
	AlwaysFails // a part without variables that cannot be evaluated
)

// Problem is one fault of an expression, found before it runs.
type Problem struct {
	Kind       ProblemKind
	Offset     int // bytes from the start of the string that was scanned
	Name       string
	Nearest    []string
	Summary    string // one line for people; never cel-go's own caret drawing
	Suggestion string // what to do about it, one line; may be empty
}

// String is the summary with the suggestion.
func (p Problem) String() string {
	if p.Suggestion == "" {
		return p.Summary
	}
	return p.Summary + "; " + p.Suggestion
}

// report adds a problem of an expression.
func (c *compilation) report(e ast.Expr, problem Problem) {
	problem.Offset = c.placeOf(e)
	c.problems = append(c.problems, problem)
}

// hasTextForm reports a problem if a value of the type cannot be a part of text.
func (c *compilation) hasTextForm(t *Type) bool {
	if t.omitted && t.kind != Optional {
		c.problems = append(c.problems, Problem{
			Kind: NotText, Offset: c.source.offset,
			Summary:    shorten(c.source.text, 60) + " leaves the value out, which text cannot: it stands among other text",
			Suggestion: "Write \"\", or make the whole string one expression.",
		})
		return false
	}
	for _, branch := range t.branches() {
		switch branch.kind {
		case List, Map, Object, Bytes, Null, Optional, Other:
			c.problems = append(c.problems, Problem{
				Kind: NotText, Offset: c.source.offset,
				Summary:    fmt.Sprintf("%s gives %s, which has no text form", shorten(c.source.text, 60), withArticle(branch)),
				Suggestion: "Write " + textCure(branch.kind) + ".",
			})
			return false
		default: // has one
		}
	}
	return true
}

// withArticle is a type in a sentence: a list(string), bytes, an optional(int).
func withArticle(t *Type) string {
	text := t.String()
	switch {
	case t.kind == Null || t.kind == Bytes:
		return text
	case strings.ContainsRune("aeio", rune(text[0])):
		return "an " + text
	}
	return "a " + text
}

// oneLine takes the line breaks out of a text of somebody else.
func oneLine(text string) string {
	return celNames.Replace(strings.Join(strings.Fields(text), " "))
}

// celNames are types of CEL as users know them.
var celNames = strings.NewReplacer("google.protobuf.Duration", "duration", "google.protobuf.Timestamp", "timestamp", "google.protobuf.BoolValue", "bool")
