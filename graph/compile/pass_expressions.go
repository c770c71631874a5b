package compile

import (
	"fmt"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
)

// compileExpressions checks every expression of every node in its scope. Defs are done already.
func compileExpressions(s *state) {
	for _, n := range s.nodes {
		if n.env == nil {
			s.compileNode(n)
		}
		if s.unknown != nil {
			return
		}
	}
}

// compileNode compiles the texts of a node: iterators first, since the rest may use them.
func (s *state) compileNode(n *node) {
	n.env = s.base
	for _, t := range n.texts {
		if t.use == useForEach {
			s.compileText(n.env, n, t)
			s.addIterator(n, t)
		}
	}
	for _, t := range n.texts {
		switch t.use {
		case useForEach:
		case useReady:
			s.compileText(s.readyScope(n), n, t)
		case useInclude, useName:
			s.compileText(s.base, n, t)
		default:
			s.compileText(n.env, n, t)
		}
	}
}

// addIterator makes the name of a forEach entry known to what follows.
func (s *state) addIterator(n *node, t *text) {
	elem := expr.DynamicType()
	if t.prog != nil {
		typ := t.prog.Type()
		switch typ.Kind() {
		case expr.List:
			elem = typ.Elem()
		case expr.Dynamic:
		default:
			s.reportAt(diag.ExprType, t.place(), fmt.Sprintf("forEach takes a list, and the expression gives %s", typ), "")
		}
	}
	for _, it := range n.src.ForEach {
		if it.Value == t.value && isReadable(it.Name) {
			n.env = s.with(n.env, expr.Variable{Name: it.Name, Type: elem, Root: expr.Local})
		}
	}
}

// isReadable tells whether an expression could read an iterator of this name. One that is reserved or taken is reported
// once, where it is named, and not again wherever it is read.
func isReadable(name string) bool {
	return name != "schema" && identifier.MatchString(name) && !celWords[name]
}

func (s *state) with(env *expr.Environment, vars ...expr.Variable) *expr.Environment {
	out, err := env.With(vars...)
	if err != nil {
		s.unknown = err
		return env
	}
	return out
}

// readyScope sees the node itself and the instance, nothing else.
func (s *state) readyScope(n *node) *expr.Environment {
	self := expr.Variable{Name: "self", Type: n.out.Type, Root: expr.Node}
	own := expr.Variable{Name: n.out.ID, Type: n.out.Type, Root: expr.Node}
	vars := []expr.Variable{{Name: "schema", Type: s.instance, Root: expr.Input}}
	switch {
	case n.out.IsCollection():
		self.Name = "each"
		own.Type = seen(n.out)
		vars = append(vars, self)
	default:
		vars = append(vars, self)
	}
	if s.byID[n.out.ID] == n && !n.out.IsCollection() {
		vars = append(vars, own)
	}
	env, err := expr.NewEnvironment(vars...)
	if err != nil {
		s.unknown = err
		return s.base
	}
	return env
}

func (t *text) place() place { return place{t.path, t.at} }

// compileText checks one text; what is wrong with it becomes diagnostics.
func (s *state) compileText(env *expr.Environment, n *node, t *text) {
	if len(t.text.Parts) == 0 || s.unknown != nil {
		return
	}
	if s.unknown = s.ended(); s.unknown != nil {
		return
	}
	prog, problems := env.Compile(t.text)
	for _, p := range problems {
		s.reportProblem(n, t, p)
	}
	if len(problems) > 0 {
		return
	}
	t.prog = prog
	t.set(prog)
}

// reportProblem tells of one fault of an expression, in the words of the place where it stands.
func (s *state) reportProblem(n *node, t *text, p expr.Problem) {
	summary, suggestion := p.Summary, p.Suggestion
	switch isNode := p.Kind == expr.UnknownName && t.use == useReady && s.byID[p.Name] != nil; {
	case isNode && p.Name == n.out.ID:
		summary = fmt.Sprintf("readyWhen looks at one item of %q at a time, not at the list", p.Name)
		suggestion = "The item is called each: ${each.…}."
	case isNode:
		summary = fmt.Sprintf("readyWhen sees only its own node, not %q", p.Name)
		suggestion = fmt.Sprintf("let %q wait for it with dependsOn, or use includeWhen", n.out.ID)
	}
	if suggestion == "" && len(p.Nearest) > 0 {
		suggestion = "Did you mean " + diag.OneOf(p.Nearest) + "?"
	}
	s.reportAt(problemCode(p.Kind), t.place(), summary, suggestion)
}

func problemCode(kind expr.ProblemKind) diag.Code {
	switch kind {
	case expr.UnknownName, expr.UnknownFunction:
		return diag.ExprName
	case expr.UnknownMember:
		return diag.ExprField
	case expr.TypeProblem:
		return diag.ExprType
	case expr.NotText:
		return diag.ExprText
	case expr.TooComplex:
		return diag.ExprCost
	case expr.AlwaysFails:
		return diag.ExprFails
	default:
		return diag.ExprSyntax
	}
}
