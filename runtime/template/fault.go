package template

import (
	"errors"
	"strings"

	"github.com/plait-run/plait/graph/expr"
)

// FaultOf tells of an evaluation that failed at a place.
func FaultOf(path string, program *expr.Program, err error) Fault {
	var failed *expr.EvaluationError
	if errors.As(err, &failed) {
		return Fault{Path: path, Expression: failed.Source, Summary: failed.Summary, Limit: failed.Limit, Evaluation: true}
	}
	return Fault{Path: path, Expression: expressionOf(program), Summary: err.Error(), Evaluation: true}
}

// NewFault tells of an expression whose value cannot be used at its place.
func NewFault(path string, program *expr.Program, summary string) Fault {
	return Fault{Path: path, Expression: expressionOf(program), Summary: summary}
}

// expressionOf gives the expression of standalone text, else the text as it is written but for the outermost ${ }.
func expressionOf(p *expr.Program) string {
	source := strings.TrimSpace(p.Source())
	return strings.TrimSuffix(strings.TrimPrefix(source, "${"), "}")
}
