package expr

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/plait-run/plait/graph/ready"
)

// IsReadyFunction is the member function that tells the readiness of an object by its kind.
const IsReadyFunction = "isReady"

// readyFunctions is x.isReady(), for whole objects of the API server.
func readyFunctions() []cel.EnvOption {
	return []cel.EnvOption{cel.Function(IsReadyFunction,
		cel.MemberOverload("plait_is_ready", []*cel.Type{cel.DynType}, cel.BoolType, cel.UnaryBinding(isReady)))}
}

func isReady(value ref.Val) ref.Val {
	plain, _, err := (&plainer{}).plain(value)
	object, ok := plain.(map[string]any)
	if err != nil || !ok {
		return celtypes.NewErr("isReady() takes a whole object, such as self.isReady()")
	}
	isReady, _ := ready.IsReady(object)
	return celtypes.Bool(isReady)
}

// callsOf names the functions that an expression calls.
func callsOf(tree *ast.AST) map[string]bool {
	calls := map[string]bool{}
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.CallKind {
			calls[e.AsCall().FunctionName()] = true
		}
	}))
	return calls
}

// Calls tells whether a program calls a function.
func (p *Program) Calls(function string) bool {
	for _, part := range p.parts {
		if part.expression != nil && part.expression.calls[function] {
			return true
		}
	}
	return false
}

// LiteralItems is the number of items of a list that is written out in a standalone program; ok is false for any other.
func (p *Program) LiteralItems() (items int, ok bool) {
	if !p.standalone || p.parts[0].expression == nil || p.parts[0].expression.items < 0 {
		return 0, false
	}
	return p.parts[0].expression.items, true
}

func literalItems(tree *ast.AST) int {
	if tree.Expr().Kind() != ast.ListKind {
		return -1
	}
	return tree.Expr().AsList().Size()
}
