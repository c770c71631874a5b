package expr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
)

// findReferences collects the uses of the environment's variables, and gives the free names of the expression.
func (c *compilation) findReferences() []string {
	w := referenceWalk{c: c, bound: map[string]int{}}
	w.visit(c.tree.Expr())
	slices.SortStableFunc(w.found, func(a, b Reference) int { return cmp.Compare(a.Offset, b.Offset) })
	c.references = w.found
	return w.names
}

// distinct keeps the first of equal references.
func distinct(all []Reference) []Reference {
	seen := make(map[Reference]bool, len(all))
	return slices.DeleteFunc(all, func(r Reference) bool {
		key := Reference{Name: r.Name, Path: r.Path, Optional: r.Optional}
		known := seen[key]
		seen[key] = true
		return known
	})
}

// referenceWalk goes through a parsed tree and knows which names the expression binds itself.
type referenceWalk struct {
	c     *compilation
	bound map[string]int
	found []Reference
	names []string
}

func (w *referenceWalk) visit(e ast.Expr) {
	switch e.Kind() {
	case ast.IdentKind, ast.SelectKind:
		w.visitChain(e)
	case ast.CallKind:
		if operand, _ := step(e); operand != nil {
			w.visitChain(e)
			return
		}
		w.visitCall(e.AsCall())
	case ast.ListKind:
		w.visitAll(e.AsList().Elements())
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			w.visit(entry.AsMapEntry().Key())
			w.visit(entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			w.visit(field.AsStructField().Value())
		}
	case ast.ComprehensionKind:
		w.visitComprehension(e.AsComprehension())
	}
}

func (w *referenceWalk) visitAll(all []ast.Expr) {
	for _, e := range all {
		w.visit(e)
	}
}

// visitCall leaves the target out when it is the namespace of a function.
func (w *referenceWalk) visitCall(call ast.CallExpr) {
	if call.IsMemberFunction() {
		space, qualified := containers.ToQualifiedName(call.Target())
		if !qualified || w.c.env.library.functions[space+"."+call.FunctionName()] == nil {
			w.visit(call.Target())
		}
	}
	w.visitAll(call.Args())
}

func (w *referenceWalk) visitComprehension(fold ast.ComprehensionExpr) {
	w.visit(fold.IterRange())
	w.visit(fold.AccuInit())
	w.bound[fold.AccuVar()]++
	w.bound[fold.IterVar()]++
	w.bound[fold.IterVar2()]++
	w.visit(fold.LoopCondition())
	w.visit(fold.LoopStep())
	w.bound[fold.IterVar()]--
	w.bound[fold.IterVar2()]--
	w.visit(fold.Result())
	w.bound[fold.AccuVar()]--
}

// accessStep is one step of a.b, a[b], a.?b, a[?b].
type accessStep struct {
	key      any      // string, int64, uint64 or bool; nil if it is not constant
	dynamic  ast.Expr // the index, if it is not constant
	optional bool
}

// step takes the last step off an access; the operand is nil if e is none.
func step(e ast.Expr) (operand ast.Expr, last accessStep) {
	switch e.Kind() {
	case ast.SelectKind:
		return e.AsSelect().Operand(), accessStep{key: e.AsSelect().FieldName()}
	case ast.CallKind:
		call := e.AsCall()
		name := call.FunctionName()
		if len(call.Args()) != 2 || name != operators.Index && name != operators.OptIndex && name != operators.OptSelect {
			return nil, last
		}
		last.optional = name != operators.Index
		if last.key = constantKey(call.Args()[1]); last.key == nil {
			last.dynamic = call.Args()[1]
		}
		return call.Args()[0], last
	}
	return nil, last
}

func constantKey(e ast.Expr) any {
	if e.Kind() != ast.LiteralKind {
		return nil
	}
	switch key := e.AsLiteral().(type) {
	case celtypes.String:
		return string(key)
	case celtypes.Int:
		return int64(key)
	case celtypes.Uint:
		return uint64(key)
	case celtypes.Bool:
		return bool(key)
	}
	return nil
}

// visitChain reads an access from its end to its root; its indexes are expressions of their own.
func (w *referenceWalk) visitChain(e ast.Expr) {
	var steps []accessStep
	root := e
	for {
		operand, last := step(root)
		if operand == nil {
			break
		}
		steps = append(steps, last)
		root = operand
	}
	slices.Reverse(steps)
	if root.Kind() == ast.IdentKind {
		w.refer(root, steps)
	} else {
		w.visit(root)
	}
	for _, s := range steps {
		if s.dynamic != nil {
			w.visit(s.dynamic)
		}
	}
}

func (w *referenceWalk) refer(ident ast.Expr, steps []accessStep) {
	written := ident.AsIdent()
	name := strings.TrimPrefix(written, ".")
	if w.bound[written] > 0 {
		return
	}
	w.names = append(w.names, name)
	if _, ok := w.c.env.lookup(name); !ok {
		return
	}
	var keys []any
	for _, s := range steps {
		if s.dynamic != nil {
			break
		}
		keys = append(keys, s.key)
	}
	w.found = append(w.found, Reference{
		Name: name, Path: formatPath(keys), Offset: w.c.placeOf(ident), Optional: len(steps) > 0 && steps[0].optional,
	})
}

// placeOf is where an expression stands, in bytes of the string that was scanned.
func (c *compilation) placeOf(e ast.Expr) int {
	if place, ok := c.tree.SourceInfo().GetOffsetRange(e.ID()); ok {
		return c.source.position(int(place.Start))
	}
	return c.source.offset
}
