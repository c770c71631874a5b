package expr

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/interpreter"
	k8slibrary "k8s.io/apiserver/pkg/cel/library"
)

// plan turns the checked tree into what is evaluated.
func (c *compilation) plan() (interpreter.InterpretableV2, error) {
	lib := c.env.library
	absence := newAbsence(c)
	return lib.interpreter.NewInterpretable(c.tree,
		interpreter.CustomDecoratorV2(absence.decorate),
		interpreter.CustomDecoratorV2(decorateOptional),
		interpreter.CustomDecoratorV2(decorateEquality),
		interpreter.InterruptableEval(),
		interpreter.Optimize(),
		interpreter.CompileRegexConstants(
			interpreter.MatchesRegexOptimization, k8slibrary.FindRegexOptimization, k8slibrary.FindAllRegexOptimization),
		interpreter.CostObserver(interpreter.CostTrackerFactory(lib.tracker.Clone)),
	)
}

// decorateOptional gives or() and orValue() their meaning: the second operand counts only if the first is none.
func decorateOptional(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	call, ok := i.(interpreter.InterpretableCall)
	if !ok || len(call.Args()) != 2 {
		return i, nil
	}
	switch call.Function() {
	case "or":
		return &alternative{id: call.ID(), first: call.Args()[0], second: call.Args()[1], keepOptional: true}, nil
	case "orValue":
		return &alternative{id: call.ID(), first: call.Args()[0], second: call.Args()[1]}, nil
	}
	return i, nil
}

// presenceTests are the ids of the selects inside has().
func presenceTests(tree *ast.AST) map[int64]bool {
	var tests map[int64]bool
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly() {
			if tests == nil {
				tests = map[int64]bool{}
			}
			tests[e.ID()] = true
		}
	}))
	return tests
}
