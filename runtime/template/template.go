package template

import (
	"fmt"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
)

// Mode says what a tree is made into; it decides how values are written.
type Mode int

// The modes.
const (
	Object Mode = iota // JSON for the API server: bytes only where the field takes them
	Status             // JSON for the instance's status: bytes become base64 text
	Value              // a value for other expressions: bytes, times and numbers stay what they are
)

// Outcome is what a tree gave. Value is complete only without Missing and Faults.
type Outcome struct {
	Value   any // nil, bool, int64, float64, string, []any, map[string]any; in mode Value also what expr.Result holds
	Omitted bool
	Missing []Missing // in the order of the tree
	Faults  []Fault   // in the order of the tree
}

// Missing is a value that is not there, and the place that asks for it.
type Missing struct {
	Path string
	expr.Missing
}

// Fault is a value that cannot be written.
type Fault struct {
	Path       string
	Expression string // CEL without ${ }; empty when no single expression is to blame
	IsText     bool   // Expression is text with ${ } in it
	Summary    string
	Limit      bool // a limit of cost or time was reached
	Denied     bool // the identity may not read what the expression reads
	Evaluation bool // the expression itself failed, so that Summary may hold values that it read
}

// maxExpression is how many characters of an expression a message shows.
const maxExpression = 200

// String is `place: ${expression}: summary`, or `place: text with ${expression}: summary`.
func (f Fault) String() string {
	if f.Expression == "" {
		return f.Path + ": " + f.Summary
	}
	shown := shorten(f.Expression)
	if !f.IsText {
		shown = "${" + shown + "}"
	}
	return f.Path + ": " + shown + ": " + f.Summary
}

// Render makes a plain value of a tree. eval gives the value of an expression of the tree. A field that is
// missing or faulty is left out, and a list with such an element is left out whole; Outcome tells of both.
func Render(body *graph.Body, eval func(*expr.Program) expr.Result, mode Mode) Outcome {
	r := renderer{eval: eval, mode: mode}
	value, ok := r.render(body)
	r.out.Value, r.out.Omitted = value, !ok
	return r.out
}

type renderer struct {
	eval func(*expr.Program) expr.Result
	mode Mode
	out  Outcome
}

// render gives the value of a tree, and false when it is to be left out.
func (r *renderer) render(b *graph.Body) (any, bool) {
	switch {
	case b.Program != nil:
		return r.program(b)
	case b.Fields != nil:
		return r.fields(b), true
	case b.Items != nil:
		return r.items(b)
	default:
		return literal(b.Literal, b.Type)
	}
}

func (r *renderer) program(b *graph.Body) (any, bool) {
	result := r.eval(b.Program)
	switch {
	case result.Err != nil:
		r.out.Faults = append(r.out.Faults, FaultOf(b.Path, b.Program, result.Err))
		return nil, false
	case len(result.Missing) > 0:
		r.miss(b.Path, result.Missing)
		return nil, false
	case result.Omitted:
		return nil, false
	}
	c := converter{mode: r.mode}
	value, ok := c.convert(result.Value, b.Type, b.Path)
	if c.fault != nil {
		c.fault.Expression = expressionOf(b.Program)
		r.out.Faults = append(r.out.Faults, *c.fault)
		return nil, false
	}
	return value, ok
}

func (r *renderer) miss(path string, missing []expr.Missing) {
	for _, m := range missing {
		r.out.Missing = append(r.out.Missing, Missing{Path: path, Missing: m})
	}
}

func (r *renderer) fields(b *graph.Body) map[string]any {
	out := make(map[string]any, len(b.Fields))
	places := make(map[string]string, len(b.Fields))
	for _, f := range b.Fields {
		key, ok := r.key(f, b.Type)
		if !ok {
			continue
		}
		value, ok := r.render(f.Value)
		if !ok {
			continue
		}
		place := placeOfKey(f)
		if first, taken := places[key]; taken {
			r.out.Faults = append(r.out.Faults, Fault{
				Path: b.Path, Summary: fmt.Sprintf("the keys %s and %s both give %q", first, place, key),
			})
			continue
		}
		places[key] = place
		out[key] = value
	}
	return out
}

// key gives the key of a field of a map of some type, and false when the entry is left out or has no key.
func (r *renderer) key(f graph.BodyField, of *expr.Type) (string, bool) {
	if f.KeyProgram == nil {
		return f.Key, true
	}
	result := r.eval(f.KeyProgram)
	switch {
	case result.Err != nil:
		r.out.Faults = append(r.out.Faults, FaultOf(f.Value.Path, f.KeyProgram, result.Err))
		return "", false
	case len(result.Missing) > 0:
		r.miss(f.Value.Path, result.Missing)
		return "", false
	case result.Omitted:
		return "", false
	}
	key, ok := result.Value.(string)
	switch {
	case !ok:
		r.out.Faults = append(r.out.Faults, NewFault(f.Value.Path, f.KeyProgram, "a key must be text, and this one is "+nameOf(result.Value)))
	case r.mode == Object && isClosed(of) && !of.Declares(key):
		ok = false
		r.out.Faults = append(r.out.Faults, NewFault(f.Value.Path, f.KeyProgram, unknownKey(of, key)))
	}
	return key, ok
}

// isClosed tells whether the API server takes declared fields only.
func isClosed(t *expr.Type) bool { return t != nil && t.Kind() == expr.Object && !t.IsOpen() }

func unknownKey(of *expr.Type, key string) string {
	return fmt.Sprintf("the kind has no field %q here; %s", key, diag.DidYouMean(key, of.FieldNames()))
}

func placeOfKey(f graph.BodyField) string {
	if f.KeyProgram == nil {
		return f.Key
	}
	return f.KeyProgram.Source()
}

// items gives a list without its absent elements. One that is missing or faulty takes the list with it, so
// that no element stands in the place of another.
func (r *renderer) items(b *graph.Body) (any, bool) {
	before := len(r.out.Missing) + len(r.out.Faults)
	out := make([]any, 0, len(b.Items))
	for _, item := range b.Items {
		if value, ok := r.render(item); ok {
			out = append(out, value)
		}
	}
	return out, len(r.out.Missing)+len(r.out.Faults) == before
}
