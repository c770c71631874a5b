package template

import (
	"errors"
	"strings"

	"github.com/plait-run/plait/graph/expr"
)

// DeniedError says that the identity may not read what an expression reads.
type DeniedError string

func (e DeniedError) Error() string { return string(e) }

// FaultOf tells of an evaluation that failed at a place.
func FaultOf(path string, program *expr.Program, err error) Fault {
	var failed *expr.EvaluationError
	if errors.As(err, &failed) {
		return Fault{Path: path, Expression: failed.Source, Summary: failed.Summary, Limit: failed.Limit, Evaluation: true}
	}
	fault := NewFault(path, program, err.Error())
	_, fault.Denied = errors.AsType[DeniedError](err)
	fault.Evaluation = true
	return fault
}

// NewFault tells of an expression whose value cannot be used at its place.
func NewFault(path string, program *expr.Program, summary string) Fault {
	return Fault{Path: path, Expression: expressionOf(program), IsText: !program.IsStandalone(), Summary: summary}
}

// expressionOf gives the expression of standalone text, else the text as it is written.
func expressionOf(p *expr.Program) string {
	source := strings.TrimSpace(p.Source())
	if !p.IsStandalone() {
		return source
	}
	return strings.TrimSuffix(strings.TrimPrefix(source, "${"), "}")
}

// Shown is an expression as messages show it: ${…} on one line, and no more of it than a reader takes in.
func Shown(p *expr.Program) string { return "${" + shorten(expressionOf(p)) + "}" }

func shorten(expression string) string {
	shown := strings.Join(strings.Fields(expression), " ")
	if runes := []rune(shown); len(runes) > maxExpression {
		shown = string(runes[:maxExpression]) + "…"
	}
	return shown
}
