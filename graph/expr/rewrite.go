package expr

import (
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
)

// inKeyOrder is the function around the range of a comprehension over a map. It has no name that a user could write.
const inKeyOrder = "@plait_in_key_order"

// mixedTernaries finds the ternaries among failed calls whose branches only differ in type, by id.
func mixedTernaries(checked *ast.AST, errs []*common.Error) []int64 {
	failed := make(map[int64]bool, len(errs))
	for _, err := range errs {
		failed[err.ExprID] = true
	}
	var ids []int64
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if !failed[e.ID()] || !isTernary(e) {
			return
		}
		args := e.AsCall().Args()
		condition := checked.GetType(args[0].ID())
		if condition.IsAssignableType(celtypes.BoolType) || condition.Kind() == celtypes.DynKind {
			ids = append(ids, e.ID())
		}
	}))
	return ids
}

func isTernary(e ast.Expr) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Conditional && len(e.AsCall().Args()) == 3
}

// loosen makes the branches of mixed ternaries dynamic in a tree just parsed. Ids are the same for the same text.
func (c *compilation) loosen() {
	factory := ast.NewExprFactory()
	next := ast.MaxID(c.tree)
	ast.PostOrderVisit(c.tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if !c.mixed[e.ID()] || !isTernary(e) {
			return
		}
		args := e.AsCall().Args()
		branches := [2]ast.Expr{args[1], args[2]}
		for i, branch := range branches {
			next++
			c.copyPosition(branch.ID(), next)
			branches[i] = factory.NewCall(next, "dyn", branch)
		}
		e.SetKindCase(factory.NewCall(e.ID(), operators.Conditional, args[0], branches[0], branches[1]))
	}))
}

// orderKeys lets comprehensions over maps run in key order, and tells whether there are comprehensions at all. Lists
// stay as they are where CEL reads them right.
func (c *compilation) orderKeys() (loops bool) {
	factory := ast.NewExprFactory()
	next := ast.MaxID(c.tree)
	ast.PostOrderVisit(c.tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.ComprehensionKind {
			return
		}
		loops = true
		fold := e.AsComprehension()
		kind := c.tree.GetType(fold.IterRange().ID())
		if kind.Kind() == celtypes.ListKind && !fold.HasIterVar2() {
			return
		}
		next++
		c.copyPosition(fold.IterRange().ID(), next)
		c.tree.SetType(next, kind)
		c.tree.SetReference(next, ast.NewFunctionReference(inKeyOrder))
		e.SetKindCase(factory.NewComprehensionTwoVar(e.ID(), factory.NewCall(next, inKeyOrder, fold.IterRange()),
			fold.IterVar(), fold.IterVar2(), fold.AccuVar(), fold.AccuInit(), fold.LoopCondition(), fold.LoopStep(), fold.Result()))
	}))
	return loops
}

func (c *compilation) copyPosition(from, to int64) {
	if place, ok := c.tree.SourceInfo().GetOffsetRange(from); ok {
		c.tree.SourceInfo().SetOffsetRange(to, place)
	}
}
