package expr

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// noOverload says which types a function or operator was given, and how to convert where that is plain.
func (c *compilation) noOverload(call ast.CallExpr) Problem {
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	given := make([]*Type, len(args))
	for i, arg := range args {
		given[i] = &Type{structure: fromCEL(c.tree.GetType(arg.ID()))}
	}
	p := Problem{Kind: TypeProblem, Name: call.FunctionName()}
	switch symbol, isOperator := operators.FindReverse(call.FunctionName()); {
	case call.FunctionName() == operators.Conditional:
		p.Summary = fmt.Sprintf("the condition before ? must be bool, and it is %s", given[0])
	case call.FunctionName() == operators.Index || call.FunctionName() == operators.OptIndex:
		p.Summary = fmt.Sprintf("%s cannot be indexed by %s", withArticle(given[0]), withArticle(given[1]))
		if given[0].kind == Object {
			p.Suggestion = selection(args[1])
		}
	case (call.FunctionName() == operators.LogicalAnd || call.FunctionName() == operators.LogicalOr) && isOperator:
		p.Summary = fmt.Sprintf("both sides of %s must be bool, and they are %s", symbol, listTypes(given))
	case isOperator && len(given) == 2:
		p.Summary = fmt.Sprintf("the operator %s does not take %s and %s", symbol, given[0], given[1])
		p.Suggestion = conversion(given[0], given[1])
	case isOperator && len(given) == 1:
		p.Summary = fmt.Sprintf("the operator %s does not take %s", symbol, given[0])
	case call.IsMemberFunction() && len(given) == 1:
		p.Summary = fmt.Sprintf("%s() is no function of %s", call.FunctionName(), withArticle(given[0]))
	case call.IsMemberFunction():
		p.Summary = fmt.Sprintf("%s() is no function of %s with arguments (%s)", call.FunctionName(), withArticle(given[0]), listTypes(given[1:]))
	case len(given) == 0:
		p.Summary = fmt.Sprintf("%s() takes arguments, and there are none", call.FunctionName())
	default:
		p.Summary = fmt.Sprintf("%s() does not take the arguments (%s)", call.FunctionName(), listTypes(given))
	}
	return p
}

// selection is how a field of an object is read.
func selection(index ast.Expr) string {
	if name, ok := constantKey(index).(string); ok && !identifier.MatchString(name) && name != "" {
		return "select a field of it with a dot, in back quotes where it is no word: .`" + name + "`"
	}
	return "select a field of it with a dot"
}

func listTypes(all []*Type) string {
	texts := make([]string, len(all))
	for i, t := range all {
		texts[i] = t.String()
	}
	return strings.Join(texts, ", ")
}

// conversion suggests how to make the operands of an operator alike.
func conversion(a, b *Type) string {
	kinds := map[Kind]bool{a.kind: true, b.kind: true}
	switch {
	case a.kind == Optional || b.kind == Optional:
		return "Give the optional a value with orValue(…)."
	case kinds[Object] && kinds[Map]:
		return "Write dyn(…) around it."
	case kinds[String] && kinds[Bytes]:
		return "Convert the bytes with string(…)."
	case kinds[String]:
		return "Convert the other side with string(…), or write text with ${ } in it."
	case kinds[Int] && kinds[Double]:
		return "Convert one side with double(…) or int(…)."
	}
	return ""
}

var (
	identifier   = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	objectName   = regexp.MustCompile(`object\.[0-9a-f]{32}`)
	syntaxDetail = regexp.MustCompile(
		`^(?:Syntax error: )?(?:(?:mismatched|extraneous|no viable alternative at) input|token recognition error at:) '(.+?)'(?: expecting.*)?$`)
)

// withoutObjectNames leaves the structural names of objects out of a text for people.
func withoutObjectNames(message string) string { return objectName.ReplaceAllString(message, "object") }

// shortTypeName is the name of a value's type for people.
func shortTypeName(name string) string {
	if strings.HasPrefix(name, objectPrefix) {
		return kindNames[Object]
	}
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		name = name[at+1:]
	}
	return strings.ToLower(strings.TrimSuffix(name, "_type"))
}

// syntaxProblem tells the first error of the parser; those after it follow from it.
func (c *compilation) syntaxProblem(errs []*cel.Error) Problem {
	first := errs[0]
	p := Problem{Kind: SyntaxProblem, Offset: c.source.offset}
	place := lineOffset(c.source.escaped, first.Location.Line()) + first.Location.Column()
	p.Offset = c.source.position(place)
	message := first.Message
	if found := syntaxDetail.FindStringSubmatch(message); found != nil {
		message = fmt.Sprintf("unexpected %q", found[1])
		if found[1] == "<EOF>" {
			message = "it ends too early"
		}
		p.Suggestion = operatorFor(found[1])
	}
	if p.Suggestion == "" && shellForm.MatchString(c.source.text) {
		p.Suggestion = fmt.Sprintf("for the literal text ${%s} write $${%s}", shorten(c.source.text, 60), shorten(c.source.text, 60))
	}
	message = strings.ReplaceAll(strings.TrimPrefix(oneLine(message), "Syntax error: "), "'<EOF>'", "the end")
	p.Summary = fmt.Sprintf("the expression %s cannot be read: %s", shorten(c.source.text, 60), message)
	return p
}

// shellForm are the expansions of shells that are no CEL: ${HOME:-/root}, ${name%.txt}, ${list[@]}, ${#name}, ${!name}.
var shellForm = regexp.MustCompile(`^([#!]?[A-Za-z_][A-Za-z0-9_]*(\[[@*]\])?|[#!]?[@*0-9])([-:#%/^,@+=].*)?$`)

// operatorFor suggests the operator of CEL for what other languages write, where the parser did not expect it.
func operatorFor(found string) string {
	for _, row := range []struct{ written, operator string }{{"=", "=="}, {"&", "&&"}, {"|", "||"}, {"and", "&&"}, {"or", "||"}} {
		if strings.TrimSpace(found) == row.written {
			return "Write " + row.operator + "."
		}
	}
	return ""
}

// lineOffset is the number of code points before a line; lines count from 1.
func lineOffset(text string, line int) int {
	runes := 0
	for _, r := range text {
		if line <= 1 {
			break
		}
		runes++
		if r == '\n' {
			line--
		}
	}
	return runes
}
