package expr

import (
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
)

// typeOf is the type of a checked expression, with what is known beyond CEL's types: the branches of a ternary, the
// keys of a map literal, the elements of a list literal.
func (c *compilation) typeOf(e ast.Expr) *Type {
	plain := &Type{structure: fromCEL(c.tree.GetType(e.ID()))}
	if operand, last := step(e); operand != nil && plain.isVague() {
		return c.typeOfStep(operand, last, plain)
	}
	switch e.Kind() {
	case ast.CallKind:
		return c.typeOfCall(e, plain)
	case ast.MapKind:
		return c.typeOfMap(e.AsMap(), plain)
	case ast.ListKind:
		list := e.AsList()
		for i, element := range list.Elements() {
			plain.items = append(plain.items, c.typeOfEntry(element, list.IsOptional(int32(i))))
		}
	}
	return plain
}

// isVague tells whether CEL may know less than the schema does: int-or-string is dynamic to it.
func (t *Type) isVague() bool {
	at := t.structure
	for at.elem != nil {
		at = at.elem
	}
	return at.kind == Dynamic
}

// typeOfStep is the type of a field or element, by the structure of what it is taken from.
func (c *compilation) typeOfStep(operand ast.Expr, last accessStep, plain *Type) *Type {
	from := c.typeOf(operand)
	optional := last.optional || from.kind == Optional
	if from.kind == Optional {
		from = from.Elem()
	}
	found := from.elem
	if from.kind == Object {
		name, _ := last.key.(string)
		found = from.fields[name]
	}
	switch {
	case found == nil:
		return plain
	case optional:
		return OptionalOf(&Type{structure: found})
	}
	return &Type{structure: found}
}

func (c *compilation) typeOfCall(e ast.Expr, plain *Type) *Type {
	call := e.AsCall()
	switch {
	case isTernary(e):
		return join(c.typeOf(call.Args()[1]), c.typeOf(call.Args()[2]))
	case call.FunctionName() == "dyn" && len(c.mixed) > 0 && len(call.Args()) == 1:
		return c.typeOf(call.Args()[0])
	case len(call.Args()) == 0 && (call.FunctionName() == omitFunction || call.FunctionName() == "optional.none"):
		plain.omitted = true
	}
	return plain
}

func (c *compilation) typeOfMap(literal ast.MapExpr, plain *Type) *Type {
	plain.entries = make(map[string]*Type, literal.Size())
	for _, entry := range literal.Entries() {
		e := entry.AsMapEntry()
		key, constant := constantString(e.Key())
		if !constant {
			plain.computed = true
			continue
		}
		plain.entries[key] = c.typeOfEntry(e.Value(), e.IsOptional())
	}
	return plain
}

func (c *compilation) typeOfEntry(e ast.Expr, optional bool) *Type {
	t := c.typeOf(e)
	if optional && t.kind == Optional {
		return t.Elem()
	}
	return t
}

func constantString(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	text, ok := e.AsLiteral().(celtypes.String)
	return string(text), ok
}

// join is the type of a value that is of one of two types.
func join(a, b *Type) *Type {
	switch {
	case a.omitted:
		return b
	case b.omitted:
		return a
	case len(a.alternatives)+len(b.alternatives) == 0 && a.kind == b.kind && (a.nullable || a.structure == b.structure) &&
		a.kind != Map && a.kind != List:
		return a
	case b.nullable && a.kind == b.kind:
		return b
	}
	all := append(a.branches(), b.branches()...)
	if isIntAndString(all) {
		return Primitive(IntOrString)
	}
	for _, t := range all {
		if t.kind == Dynamic {
			return DynamicType()
		}
	}
	joined := &Type{structure: intern(structure{}), alternatives: all}
	if same := all[0].structure; all[0].kind == Map || all[0].kind == List {
		for _, t := range all {
			if t.structure != same {
				return joined
			}
		}
		joined.structure = same
	}
	return joined
}

// branches are the types that a value may be of.
func (t *Type) branches() []*Type {
	if len(t.alternatives) > 0 {
		return append([]*Type(nil), t.alternatives...)
	}
	return []*Type{t}
}

// isIntAndString tells whether the types make up an int-or-string.
func isIntAndString(all []*Type) bool {
	seen := map[Kind]bool{}
	for _, t := range all {
		seen[t.kind] = true
		if t.kind != Int && t.kind != String && t.kind != IntOrString {
			return false
		}
	}
	return seen[IntOrString] || seen[Int] && seen[String]
}
