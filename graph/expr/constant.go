package expr

import (
	"context"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"
)

// constantLimits are far beyond what a constant needs; what asks for more is left to the evaluation.
var constantLimits = Limits{Cost: 100_000, Time: DefaultTime}

// checkConstants runs what reads nothing and is needed every time: where that fails, the expression fails for every
// instance. It gives false if it has reported something.
func (c *compilation) checkConstants(whole *expression, asText bool) bool {
	w := constantWalk{c: c, reads: map[int64]bool{}}
	if w.visit(c.tree.Expr()) {
		return w.check(c.tree.Expr())
	}
	value, missing, err := whole.evaluate(context.Background(), nil, constantLimits)
	if err == nil && missing == nil && asText {
		err = whole.writeText(&strings.Builder{}, value)
	}
	return c.isSound(c.tree.Expr(), err)
}

// isSound reports an evaluation that failed; one that was stopped tells nothing.
func (c *compilation) isSound(e ast.Expr, err *EvaluationError) bool {
	if err == nil || err.Limit {
		return true
	}
	c.report(e, Problem{Kind: AlwaysFails, Summary: shorten(err.Source, 60) + " fails whatever the inputs are: " + err.Summary})
	return false
}

// constantWalk goes through a checked tree.
type constantWalk struct {
	c     *compilation
	reads map[int64]bool // ids of the parts that depend on a variable, or are not worth a trial
}

// visit tells whether a part reads something, and remembers it for all parts below.
func (w *constantWalk) visit(e ast.Expr) bool {
	reads := e.Kind() == ast.IdentKind || e.Kind() == ast.ComprehensionKind || isDear(e)
	for _, part := range partsOf(e) {
		reads = w.visit(part) || reads
	}
	w.reads[e.ID()] = reads
	return reads
}

// isDear finds the function that makes much of a short text.
func isDear(e ast.Expr) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == "lists.range"
}

// partsOf are the expressions directly below one; of a loop only what it goes through.
func partsOf(e ast.Expr) []ast.Expr {
	switch e.Kind() {
	case ast.SelectKind:
		return []ast.Expr{e.AsSelect().Operand()}
	case ast.CallKind:
		if e.AsCall().IsMemberFunction() {
			return append([]ast.Expr{e.AsCall().Target()}, e.AsCall().Args()...)
		}
		return e.AsCall().Args()
	case ast.ListKind:
		return e.AsList().Elements()
	case ast.MapKind:
		var parts []ast.Expr
		for _, entry := range e.AsMap().Entries() {
			parts = append(parts, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
		return parts
	case ast.ComprehensionKind:
		return []ast.Expr{e.AsComprehension().IterRange()}
	default:
		return nil
	}
}

// check tries the largest parts that read nothing, as far as they are needed every time.
func (w *constantWalk) check(e ast.Expr) bool {
	if !w.reads[e.ID()] {
		return w.try(e)
	}
	sound := true
	for _, part := range neededParts(e) {
		sound = w.check(part) && sound
	}
	return sound
}

// neededParts leaves out a side of && and ||, the branches of ?:, and what stands in for an absent value.
func neededParts(e ast.Expr) []ast.Expr {
	parts := partsOf(e)
	if e.Kind() != ast.CallKind {
		return parts
	}
	switch e.AsCall().FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr:
		return nil
	case operators.Conditional, "or", "orValue":
		return parts[:1]
	}
	return parts
}

func (w *constantWalk) try(e ast.Expr) bool {
	if e.Kind() == ast.LiteralKind || len(partsOf(e)) == 0 {
		return true
	}
	c := w.c
	text, err := parser.Unparse(e, c.tree.SourceInfo())
	if err != nil {
		return true
	}
	part := &compilation{
		env: c.env, source: c.source,
		tree: ast.NewCheckedAST(ast.NewAST(e, c.tree.SourceInfo()), c.tree.TypeMap(), c.tree.ReferenceMap()),
	}
	plan, err := part.plan()
	if err != nil {
		return c.isSound(e, &EvaluationError{Source: text, Summary: oneLine(err.Error())})
	}
	_, _, failed := (&expression{text: text, plan: plan}).evaluate(context.Background(), nil, constantLimits)
	return c.isSound(e, failed)
}
