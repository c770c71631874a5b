package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
)

// explain turns the errors of CEL's checker into problems. What an error is about is read from the tree, by the kind
// of the expression at fault; CEL's text is used only where nothing better can be said.
func (c *compilation) explain(checked *ast.AST, errs []*common.Error) {
	c.tree = checked
	byID := map[int64]ast.Expr{}
	consequence := map[int64]bool{} // names that are unknown only because a function is
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		byID[e.ID()] = e
		if e.Kind() == ast.CallKind && c.functionOf(e) == "" {
			c.markConsequences(e.AsCall(), consequence)
		}
	}))
	meant := c.dashes(checked.Expr(), consequence)
	seen := map[string]bool{}
	for _, err := range errs {
		e := byID[err.ExprID]
		if e == nil {
			e = checked.Expr()
		}
		if consequence[err.ExprID] {
			continue
		}
		problem := c.explainOne(e, err.Message)
		if name := meant[err.ExprID]; name != "" {
			problem.Suggestion = fmt.Sprintf("write .`%s`; a dash without back quotes is a minus", name)
		}
		problem.Offset = c.problemPlace(e)
		key := fmt.Sprint(problem.Offset, problem.Summary)
		if !seen[key] {
			seen[key] = true
			c.problems = append(c.problems, problem)
		}
	}
}

// markConsequences marks what was meant to be the namespace of a function, and what a macro would have bound.
func (c *compilation) markConsequences(call ast.CallExpr, marked map[int64]bool) {
	if call.IsMemberFunction() && call.Target().Kind() == ast.IdentKind {
		marked[call.Target().ID()] = true
	}
	if macroUsage[call.FunctionName()] == "" {
		return
	}
	for _, arg := range call.Args() {
		ast.PreOrderVisit(arg, ast.NewExprVisitor(func(e ast.Expr) { marked[e.ID()] = true }))
	}
}

// problemPlace is where an expression at fault stands; a call stands at its name, which CEL does not tell.
func (c *compilation) problemPlace(e ast.Expr) int {
	place := c.placeOf(e)
	if e.Kind() != ast.CallKind {
		return place
	}
	name := e.AsCall().FunctionName()
	name = name[strings.LastIndexByte(name, '.')+1:]
	if before := c.source.text[:min(place-c.source.offset, len(c.source.text))]; strings.HasSuffix(before, name) {
		return place - len(name)
	}
	return place
}

// macroUsage is how the functions are written that bind names.
var macroUsage = map[string]string{
	"map": "list.map(x, …)", "filter": "list.filter(x, condition)", "all": "list.all(x, condition)",
	"exists": "list.exists(x, condition)", "exists_one": "list.exists_one(x, condition)",
	"existsOne": "list.existsOne(x, condition)", "bind": "cel.bind(name, value, …)", "sortBy": "list.sortBy(x, key)",
	"optMap": "optional.optMap(x, …)", "optFlatMap": "optional.optFlatMap(x, …)",
	"transformList": "list.transformList(i, x, …)", "transformMap": "map.transformMap(key, value, …)",
	"transformMapEntry": "map.transformMapEntry(key, value, {…})", "has": "has(value.field)",
	"greatest": "math.greatest(a, b)", "least": "math.least(a, b)",
}

func (c *compilation) explainOne(e ast.Expr, message string) Problem {
	switch e.Kind() {
	case ast.IdentKind:
		return c.unknownName(e.AsIdent())
	case ast.SelectKind:
		return c.unknownMember(e.AsSelect().Operand(), e.AsSelect().FieldName())
	case ast.CallKind:
		if operand, last := step(e); operand != nil && e.AsCall().FunctionName() == operators.OptSelect {
			return c.unknownMember(operand, fmt.Sprint(last.key))
		}
		if c.functionOf(e) == "" {
			return c.unknownFunction(e.AsCall())
		}
		return c.noOverload(e.AsCall())
	case ast.StructKind:
		name := e.AsStruct().TypeName()
		return Problem{
			Kind: TypeProblem, Name: name, Summary: fmt.Sprintf("%s{…} is no value, as there is no type %q", name, name),
			Suggestion: `Write a map: {"field": value}.`,
		}
	}
	return Problem{Kind: TypeProblem, Summary: oneLine(withoutObjectNames(message))}
}

func (c *compilation) unknownName(written string) Problem {
	name := strings.TrimPrefix(written, ".")
	scope := c.env.names()
	p := Problem{Kind: UnknownName, Name: name, Nearest: nearest(name, scope), Summary: fmt.Sprintf("unknown name %q", name)}
	switch {
	case len(p.Nearest) > 0:
		p.Suggestion = didYouMean(p.Nearest)
	case name == strings.ToUpper(name) && strings.ContainsAny(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
		p.Suggestion = fmt.Sprintf("for the literal text ${%s} write $${%s}", name, name)
	case len(scope) == 0:
		p.Suggestion = "no names are in scope here"
	default:
		p.Suggestion = "in scope here: " + strings.Join(capped(scope, 10), ", ")
	}
	return p
}

func capped(names []string, limit int) []string {
	if len(names) <= limit {
		return names
	}
	return append(slices.Clone(names[:limit]), "…")
}

func (c *compilation) unknownMember(operand ast.Expr, field string) Problem {
	t := &Type{structure: fromCEL(c.tree.GetType(operand.ID()))}
	if t.kind == Optional {
		t = t.Elem()
	}
	if t.kind != Object {
		return Problem{
			Kind: TypeProblem, Name: field,
			Summary: fmt.Sprintf("%s is %s, which has no fields, so there is no %q", c.written(operand), withArticle(t), field),
		}
	}
	p := Problem{Kind: UnknownMember, Name: field, Nearest: nearest(field, t.FieldNames())}
	p.Summary = fmt.Sprintf("%s has no field %q", c.written(operand), field)
	if p.Suggestion = didYouMean(p.Nearest); p.Suggestion == "" {
		p.Suggestion = "its fields are " + strings.Join(capped(t.FieldNames(), 12), ", ")
	}
	return p
}

// written is an access as people wrote it; anything longer is "the value".
func (c *compilation) written(e ast.Expr) string {
	var keys []any
	for {
		operand, last := step(e)
		if operand == nil {
			break
		}
		if last.dynamic != nil {
			last.key = anyItem
		}
		keys = append(keys, last.key)
		e = operand
	}
	slices.Reverse(keys)
	if e.Kind() != ast.IdentKind || strings.ContainsAny(e.AsIdent(), "@#") {
		return "the value"
	}
	return joinPath(strings.TrimPrefix(e.AsIdent(), "."), formatPath(keys))
}

// functionOf is the name that the called function is declared by; empty if there is no such function.
func (c *compilation) functionOf(e ast.Expr) string {
	call := e.AsCall()
	functions := c.env.library.functions
	if call.IsMemberFunction() {
		if space, ok := containers.ToQualifiedName(call.Target()); ok {
			if name := space + "." + call.FunctionName(); functions[name] != nil {
				return name
			}
		}
	}
	if functions[call.FunctionName()] != nil {
		return call.FunctionName()
	}
	return ""
}

func (c *compilation) unknownFunction(call ast.CallExpr) Problem {
	name := call.FunctionName()
	if usage := macroUsage[name]; usage != "" {
		return Problem{
			Kind: TypeProblem, Name: name, Summary: name + "() does not take these arguments", Suggestion: "Write " + usage + ".",
		}
	}
	if call.IsMemberFunction() && call.Target().Kind() == ast.IdentKind {
		if c.tree.GetType(call.Target().ID()).Kind() == celtypes.ErrorKind {
			name = call.Target().AsIdent() + "." + name
		}
	}
	known := c.env.library.functionNames()
	p := Problem{Kind: UnknownFunction, Name: name, Nearest: nearest(name, known), Summary: fmt.Sprintf("unknown function %q", name)}
	p.Suggestion = didYouMean(p.Nearest)
	return p
}
