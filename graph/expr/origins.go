package expr

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
)

// origin is a place that a value comes from: a variable and a path in it. An exact origin is the value itself, so that
// a step further of the value is a step further of the path; else the value was computed from what stands there.
type origin struct {
	variable string
	path     []any
	exact    bool
}

// maxOrigins is how many origins of one value are told apart.
const maxOrigins = 8

// originWalk finds the origins of every expression of a checked tree.
type originWalk struct {
	tree  *ast.AST
	scope map[string][][]origin // innermost last; of names that the expression binds
	byID  map[int64][]origin
}

func originsOf(tree *ast.AST) map[int64][]origin {
	w := originWalk{tree: tree, scope: map[string][][]origin{}, byID: map[int64][]origin{}}
	w.of(tree.Expr())
	return w.byID
}

func (w *originWalk) of(e ast.Expr) []origin {
	found := w.compute(e)
	if len(found) > maxOrigins {
		found = found[:maxOrigins]
	}
	w.byID[e.ID()] = found
	return found
}

func (w *originWalk) compute(e ast.Expr) []origin {
	if operand, last := step(e); operand != nil {
		return w.ofStep(e, operand, last)
	}
	switch e.Kind() {
	case ast.IdentKind:
		return w.ofIdent(e.AsIdent())
	case ast.CallKind:
		return w.ofCall(e)
	case ast.ListKind:
		return w.computedFrom(e.AsList().Elements()...)
	case ast.MapKind:
		var found []origin
		for _, entry := range e.AsMap().Entries() {
			w.of(entry.AsMapEntry().Key())
			found = union(found, inexact(w.of(entry.AsMapEntry().Value())))
		}
		return found
	case ast.ComprehensionKind:
		return w.ofComprehension(e.AsComprehension())
	}
	return nil
}

func (w *originWalk) ofIdent(written string) []origin {
	if bound := w.scope[written]; len(bound) > 0 {
		return bound[len(bound)-1]
	}
	return []origin{{variable: strings.TrimPrefix(written, "."), exact: true}}
}

func (w *originWalk) ofStep(e, operand ast.Expr, last accessStep) []origin {
	base := w.of(operand)
	if last.dynamic != nil {
		w.of(last.dynamic)
		return extend(base, anyItem)
	}
	if e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly() {
		return inexact(base)
	}
	return extend(base, last.key)
}

func (w *originWalk) ofCall(e ast.Expr) []origin {
	call := e.AsCall()
	args := call.Args()
	switch {
	case isTernary(e):
		w.of(args[0])
		return union(w.of(args[1]), w.of(args[2]))
	case call.IsMemberFunction() && len(args) == 1 && (call.FunctionName() == "orValue" || call.FunctionName() == "or"):
		return union(w.of(call.Target()), w.of(args[0]))
	case call.IsMemberFunction() && len(args) == 0 && call.FunctionName() == "value":
		return w.of(call.Target())
	case len(args) == 1 && !call.IsMemberFunction() &&
		(call.FunctionName() == "dyn" || call.FunctionName() == "optional.of" || call.FunctionName() == inKeyOrder):
		return w.of(args[0])
	case call.IsMemberFunction():
		return w.computedFrom(append([]ast.Expr{call.Target()}, args...)...)
	}
	return w.computedFrom(args...)
}

func (w *originWalk) computedFrom(all ...ast.Expr) []origin {
	var found []origin
	for _, e := range all {
		found = union(found, inexact(w.of(e)))
	}
	return found
}

// ofComprehension follows the elements of the range, and cel.bind, which is a comprehension over nothing.
func (w *originWalk) ofComprehension(fold ast.ComprehensionExpr) []origin {
	ranged, start := w.of(fold.IterRange()), w.of(fold.AccuInit())
	isBind := fold.IterRange().Kind() == ast.ListKind && fold.IterRange().AsList().Size() == 0
	result := start
	if !isBind {
		result = union(inexact(ranged), inexact(start))
	}
	isMap := w.tree.GetType(fold.IterRange().ID()).Kind() == celtypes.MapKind
	first, second := extend(ranged, anyItem), []origin(nil)
	switch {
	case fold.HasIterVar2():
		first, second = inexact(ranged), first
	case isMap:
		first = inexact(ranged)
	}
	w.bind(fold.AccuVar(), result)
	w.bind(fold.IterVar(), first)
	w.bind(fold.IterVar2(), second)
	w.of(fold.LoopCondition())
	stepped := inexact(w.of(fold.LoopStep()))
	w.unbind(fold.IterVar2())
	w.unbind(fold.IterVar())
	w.unbind(fold.AccuVar())
	if !isBind {
		result = union(result, stepped)
	}
	w.bind(fold.AccuVar(), result)
	found := w.of(fold.Result())
	w.unbind(fold.AccuVar())
	return found
}

func (w *originWalk) bind(name string, found []origin) { w.scope[name] = append(w.scope[name], found) }

func (w *originWalk) unbind(name string) { w.scope[name] = w.scope[name][:len(w.scope[name])-1] }

func extend(all []origin, key any) []origin {
	extended := make([]origin, len(all))
	for i, o := range all {
		extended[i] = o
		if o.exact {
			extended[i].path = append(slices.Clone(o.path), key)
		}
	}
	return extended
}

func inexact(all []origin) []origin {
	computed := slices.Clone(all)
	for i := range computed {
		computed[i].exact = false
	}
	return computed
}

// union keeps what the first has; of what is computed from a variable, the first place in it says enough.
func union(a, b []origin) []origin {
	joined := slices.Clone(a)
	for _, o := range b {
		if !slices.ContainsFunc(joined, o.isCoveredBy) {
			joined = append(joined, o)
		}
	}
	return joined
}

func (o origin) isCoveredBy(other origin) bool {
	if o.variable != other.variable {
		return false
	}
	return !o.exact || other.exact && slices.Equal(o.path, other.path)
}
