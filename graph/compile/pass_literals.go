package compile

import (
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// checkLiterals holds what templates write out against the schemas of their kinds; expressions are holes that
// anything may fill.
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

// withHoles gives the literal tree of a body, with a hole for each expression.
func withHoles(b *graph.Body) any {
	switch {
	case b.Program != nil:
		return schema.Hole{}
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
