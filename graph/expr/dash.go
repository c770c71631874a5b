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
		e, rest := minuends(e)
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

// minuends takes a chain of subtractions apart: what it begins with, and the names that follow the dashes, the last one
// first. It gives none where anything else than a name follows one.
func minuends(e ast.Expr) (first ast.Expr, names []ast.Expr) {
	for e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Subtract && len(e.AsCall().Args()) == 2 {
		name := e.AsCall().Args()[1]
		for name.Kind() == ast.SelectKind {
			name = name.AsSelect().Operand()
		}
		if name.Kind() != ast.IdentKind {
			return e, nil
		}
		names = append(names, name)
		e = e.AsCall().Args()[0]
	}
	return e, names
}
