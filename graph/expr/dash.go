package expr

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// dashes finds what CEL reads as a subtraction and was meant as a field with dashes: schema.spec.node-pool. It gives
// the names by the selection that they begin with, and marks the rest of each name as a consequence.
func (c *compilation) dashes(root ast.Expr, consequences map[int64]bool) map[int64]string {
	meant := map[int64]string{}
	ast.PreOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		var rest []ast.Expr // the names between the dashes, the last one first
		for e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Subtract && len(e.AsCall().Args()) == 2 {
			name := e.AsCall().Args()[1]
			for name.Kind() == ast.SelectKind {
				name = name.AsSelect().Operand()
			}
			if name.Kind() != ast.IdentKind {
				return
			}
			rest = append(rest, name)
			e = e.AsCall().Args()[0]
		}
		if len(rest) == 0 || e.Kind() != ast.SelectKind || meant[e.ID()] != "" {
			return
		}
		t := &Type{structure: fromCEL(c.tree.GetType(e.AsSelect().Operand().ID()))}
		name := e.AsSelect().FieldName()
		if t.Declares(name) {
			return
		}
		for i := len(rest) - 1; i >= 0; i-- {
			if name += "-" + rest[i].AsIdent(); t.Declares(name) {
				meant[e.ID()] = name
				for _, part := range rest[i:] {
					consequences[part.ID()] = true
				}
			}
		}
	}))
	return meant
}
