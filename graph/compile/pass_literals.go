package compile

import (
	"context"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// checkLiterals holds what templates write out against the schemas of their kinds; expressions are holes that
// anything may fill, but for those that read nothing: their value is known as well.
func checkLiterals(s *state) {
	for _, n := range s.nodes {
		if n.kind == nil || n.out.Kind != graph.Template || n.src.Template == nil {
			continue
		}
		index := source.NewIndex(n.src.Template)
		for _, fault := range schema.Check(n.kind.Schema, withHoles(n.out.Body), n.src.Template.Path) {
			if fault.Path != n.src.Template.Path+".status" { // refused whatever the kind
				s.reportFault(fault, index)
			}
		}
	}
}

// withHoles gives the literal tree of a body, with a hole for each expression whose value is not known.
func withHoles(b *graph.Body) any {
	switch {
	case b.Program != nil:
		return constantOf(b)
	case b.Fields != nil:
		out := schema.Map{Fields: map[string]any{}, Computed: map[string]any{}}
		for _, f := range b.Fields {
			if f.KeyProgram != nil {
				out.Computed[f.Key] = withHoles(f.Value)
			} else {
				out.Fields[f.Key] = withHoles(f.Value)
			}
		}
		return out
	case b.Items != nil:
		out := make([]any, len(b.Items))
		for i, item := range b.Items {
			out[i] = withHoles(item)
		}
		return out
	default:
		return b.Literal
	}
}

// constantLimits are far beyond what a constant needs that people write.
var constantLimits = expr.Limits{Cost: 100_000}

// constantOf gives the text, truth value or whole number that an expression gives whatever the inputs are, else a hole. A value
// of a type that the field does not take was reported as that.
func constantOf(b *graph.Body) any {
	if len(b.Program.References()) > 0 || b.Type == nil {
		return schema.Hole{}
	}
	if ok, _, _ := b.Type.Accepts(b.Program.Type()); !ok {
		return schema.Hole{}
	}
	result := b.Program.Eval(context.Background(), nil, constantLimits)
	switch result.Value.(type) {
	case string, bool, int64:
		return result.Value
	default:
		return schema.Hole{}
	}
}

func (s *state) reportFault(fault schema.Fault, index source.Index) {
	at := place{fault.Path, index.Position(fault.Path)}
	if fault.Kind == schema.MergeKey {
		s.warn(diag.TemplateMergeKey, at, fault.Message, fault.Suggestion)
		return
	}
	code, ok := faultCodes[fault.Kind]
	if !ok {
		code = diag.TemplateValue
	}
	s.reportAt(code, at, fault.Message, fault.Suggestion)
}

var faultCodes = map[schema.FaultKind]diag.Code{
	schema.UnknownField: diag.TemplateField,
	schema.Required:     diag.TemplateRequired,
}
