package compile

import (
	"fmt"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
)

// checkFit gives every part of a template the type of the field that it fills, and holds expressions against it.
func checkFit(s *state) {
	for _, n := range s.nodes {
		f := fitter{s: s, places: placesOf(n, isNoKey), keys: placesOf(n, isKey)}
		if n.out.Body != nil && n.out.Kind == graph.Template {
			f.fit(n.out.Body, n.out.Type)
		}
		if n.out.Kind == graph.Def && n.out.Body != nil {
			f.anyValue(n.out.Body)
		}
		if n.out.External != nil {
			f.external(n.out.External)
		}
		f.conditions(n.out.IncludeWhen, "includeWhen")
		f.conditions(n.out.ReadyWhen, "readyWhen")
	}
}

func isKey(t *text) bool   { return t.use == useKey }
func isNoKey(t *text) bool { return t.use != useKey }

// placesOf finds the places of texts by their path. A key shares the path of its value, so they are kept apart.
func placesOf(n *node, wanted func(*text) bool) map[string]place {
	out := make(map[string]place, len(n.texts))
	for _, t := range n.texts {
		if wanted(t) {
			out[t.path] = t.place()
		}
	}
	return out
}

// fitter walks one tree beside the type of its fields.
type fitter struct {
	s      *state
	places map[string]place // of values
	keys   map[string]place
}

func (f *fitter) fit(b *graph.Body, want *expr.Type) {
	b.Type = want
	switch {
	case b.Program != nil:
		f.accept(b, want)
	case b.Fields != nil:
		for _, field := range b.Fields {
			f.key(field)
			f.fit(field.Value, fieldType(want, field))
		}
	case b.Items != nil:
		for _, item := range b.Items {
			f.fit(item, elemType(want))
		}
	}
}

// anyValue checks a tree whose values may be of any type that JSON can hold.
func (f *fitter) anyValue(b *graph.Body) {
	if b.Program != nil {
		f.accept(b, expr.DynamicType())
	}
	for _, field := range b.Fields {
		f.key(field)
		f.anyValue(field.Value)
	}
	for _, item := range b.Items {
		f.anyValue(item)
	}
}

// key holds an expression in a key against the only type that keys have.
func (f *fitter) key(field graph.BodyField) {
	if field.KeyProgram == nil {
		return
	}
	ok, why, suggestion := expr.Primitive(expr.String).Accepts(field.KeyProgram.Type())
	if field.KeyProgram.Type().Kind() == expr.Null {
		ok, why, suggestion = false, "expects string, the expression gives null", "Write omit() for an entry to leave out."
	}
	if !ok {
		f.s.reportAt(diag.ExprType, f.keys[field.Value.Path], "a key "+why, suggestion)
	}
}

func fieldType(of *expr.Type, field graph.BodyField) *expr.Type {
	if of == nil {
		return nil
	}
	if field.KeyProgram != nil {
		if of.Kind() == expr.Map {
			return of.Elem()
		}
		return nil
	}
	typ, ok := of.Field(field.Key)
	if !ok {
		return nil
	}
	return typ
}

func elemType(of *expr.Type) *expr.Type {
	if of == nil || of.Kind() != expr.List {
		return nil
	}
	return of.Elem()
}

func (f *fitter) accept(b *graph.Body, want *expr.Type) {
	if want == nil {
		want = expr.DynamicType()
	}
	if ok, why, suggestion := want.Accepts(b.Program.Type()); !ok {
		f.s.reportAt(diag.ExprType, f.places[b.Path], why, suggestion)
	}
}

func (f *fitter) external(e *graph.ExternalRef) {
	text := expr.Primitive(expr.String)
	for _, b := range []*graph.Body{e.Name, e.Namespace} {
		if b != nil {
			f.fit(b, text)
		}
	}
	if e.Selector == nil {
		return
	}
	f.fit(e.Selector, selectorType)
}

// selectorType is a LabelSelector.
var selectorType = expr.ObjectOf(map[string]*expr.Type{
	"matchLabels": expr.MapOf(expr.Primitive(expr.String)),
	"matchExpressions": expr.ListOf(expr.ObjectOf(map[string]*expr.Type{
		"key":      expr.Primitive(expr.String),
		"operator": expr.Primitive(expr.String),
		"values":   expr.ListOf(expr.Primitive(expr.String)),
	})),
})

func (f *fitter) conditions(conditions []*graph.Condition, word string) {
	for _, c := range conditions {
		if c.Program == nil {
			continue
		}
		switch typ := c.Program.Type(); typ.Kind() {
		case expr.Bool, expr.Dynamic:
		default:
			f.s.reportAt(diag.ExprType, f.places[c.Path], fmt.Sprintf("%s takes a bool, and the expression gives %s", word, typ),
				"Compare it with something: … == …")
		}
	}
}
