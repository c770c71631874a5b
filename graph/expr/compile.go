package expr

import (
	"cmp"
	"slices"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
)

// Compile checks a scanned string. Standalone text gives a program of the expression's own type, other text one of
// type string. All problems come at once, in order of position; the program is nil then. The same string gives the
// same program.
func (e *Environment) Compile(text Text) (*Program, []Problem) {
	if known, ok := e.compiled.Load(text.source); ok {
		program, _ := known.(*Program)
		return program, nil
	}
	program, problems := e.compile(text)
	if program != nil {
		e.compiled.Store(text.source, program)
	}
	return program, problems
}

// Names gives the variables of the environment that a scanned string reads, each once, in order of appearance.
func (e *Environment) Names(text Text) []string {
	var names []string
	for _, ref := range e.References(text) {
		if !slices.Contains(names, ref.Name) {
			names = append(names, ref.Name)
		}
	}
	return names
}

// References gives what a scanned string reads without checking its types; nothing of an expression that cannot be parsed.
func (e *Environment) References(text Text) []Reference {
	var found []Reference
	for _, scanned := range text.Parts {
		c := &compilation{env: e, source: newSource(scanned)}
		if scanned.Expression == "" || !c.isSimpleEnough() || !c.parse() {
			continue
		}
		c.findReferences()
		found = append(found, c.references...)
	}
	return found
}

func (e *Environment) compile(text Text) (*Program, []Problem) {
	program := &Program{source: text.source, standalone: text.Standalone, typ: Primitive(String)}
	var problems []Problem
	for _, scanned := range text.Parts {
		if scanned.Expression == "" {
			program.parts = append(program.parts, part{literal: scanned.Literal})
			continue
		}
		c := &compilation{env: e, source: newSource(scanned)}
		compiled := c.run(!text.Standalone)
		problems = append(problems, c.problems...)
		program.references = append(program.references, c.references...)
		program.parts = append(program.parts, part{expression: compiled})
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b Problem) int { return cmp.Compare(a.Offset, b.Offset) })
		return nil, problems
	}
	program.references = distinct(program.references)
	if text.Standalone {
		program.typ = program.parts[0].expression.typ
	}
	return program, nil
}

// compilation is the way of one expression from text to plan.
type compilation struct {
	env    *Environment
	source source

	tree       *ast.AST
	mixed      map[int64]bool // ternaries whose branches are of different types, by id
	vars       map[string]Variable
	references []Reference
	problems   []Problem
}

// run gives nil if there are problems.
func (c *compilation) run(asText bool) *expression {
	if !c.isSimpleEnough() {
		return nil
	}
	if !c.parse() {
		return nil
	}
	names := c.findReferences()
	if !c.check(names) {
		return nil
	}
	compiled := &expression{text: c.source.text, offset: c.source.offset, vars: c.vars, typ: c.typeOf(c.tree.Expr())}
	if asText && !c.hasTextForm(compiled.typ) {
		return nil
	}
	compiled.loops = c.orderKeys()
	plan, err := c.plan()
	if err != nil {
		c.isSound(c.tree.Expr(), &EvaluationError{Source: c.source.text, Summary: oneLine(err.Error())})
		return nil
	}
	compiled.plan = plan
	compiled.calls, compiled.items = callsOf(c.tree), literalItems(c.tree)
	if !c.checkConstants(compiled, asText) {
		return nil
	}
	return compiled
}

func (c *compilation) isSimpleEnough() bool {
	switch {
	case len(c.source.text) > maxExpressionRunes:
		c.problems = []Problem{{
			Kind: TooComplex, Offset: c.source.offset, Summary: "the expression is longer than 64 KiB",
			Suggestion: "Move parts of it into def nodes.",
		}}
	case nestingDepth(c.source.text) > maxNesting:
		c.problems = []Problem{{
			Kind: TooComplex, Offset: c.source.offset, Summary: "the expression is nested more than 100 levels deep",
			Suggestion: "Move parts of it into def nodes.",
		}}
	}
	return len(c.problems) == 0
}

func (c *compilation) parse() bool {
	parsed, issues := c.env.library.parser.Parse(c.source.escaped)
	if issues.Err() != nil {
		c.problems = append(c.problems, c.syntaxProblem(issues.Errors()))
		return false
	}
	c.tree = parsed.NativeRep()
	return true
}

// maxMixed bounds how often an expression is checked again for ternaries of unlike branches, from inside out.
const maxMixed = 10

// check types the tree. CEL wants both branches of a ternary to be of one type; where they are not, it is told that
// they are dynamic, and typeOf knows better afterwards.
func (c *compilation) check(names []string) bool {
	c.vars = c.env.variables(names)
	for range maxMixed {
		checked, errs, err := c.env.check(c.tree, common.NewTextSource(c.source.escaped), names)
		if err != nil {
			c.report(c.tree.Expr(), Problem{Kind: TypeProblem, Summary: oneLine(err.Error())})
			return false
		}
		if len(errs.GetErrors()) == 0 {
			c.tree = checked
			return true
		}
		unlike := mixedTernaries(checked, errs.GetErrors())
		if len(unlike) == 0 {
			c.explain(checked, errs.GetErrors())
			return false
		}
		if c.mixed == nil {
			c.mixed = map[int64]bool{}
		}
		for _, id := range unlike {
			c.mixed[id] = true
		}
		if !c.parse() {
			return false
		}
		c.loosen()
	}
	c.report(c.tree.Expr(), Problem{Kind: TooComplex, Summary: "too many nested ternaries with branches of different types"})
	return false
}
