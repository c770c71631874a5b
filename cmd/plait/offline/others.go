package offline

import (
	"fmt"

	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// checkOther holds a document that is no instance of a group against its kind: a built-in one, one of Plait's own, or
// one of a CustomResourceDefinition. It gives false for a kind that is not known here.
func (s *Set) checkOther(doc *source.Document) bool {
	gv, err := runtimeschema.ParseGroupVersion(doc.APIVersion)
	if err != nil {
		return false
	}
	kind, known, err := s.resolver.current().Resolve(gv.WithKind(doc.Kind))
	if err != nil || !known {
		return false
	}
	index := source.NewIndex(doc.Root)
	for _, fault := range schema.Check(kind.Schema, doc.Root.Plain(), "") {
		problem := diag.Diagnostic{
			File: doc.File, Path: fault.Path, Position: index.Position(fault.Path), Code: diag.InstanceInvalid,
			Summary: fault.Message, Suggestion: fault.Suggestion,
		}
		switch fault.Kind {
		case schema.UnknownField:
			problem.Code, problem.Severity = diag.InstancePruned, diag.Warning
			problem.Summary = fmt.Sprintf("%s is no field of %s: the API server drops it", fault.Path, doc.Kind)
		case schema.MergeKey:
			problem.Severity = diag.Warning
		default: // what the API server refuses
		}
		s.Problems.Add(problem)
	}
	return true
}

// nearestKinds suggests kinds of the same group and version.
func (s *Set) nearestKinds(doc *source.Document) string {
	gv, err := runtimeschema.ParseGroupVersion(doc.APIVersion)
	if err != nil {
		return ""
	}
	return diag.DidYouMean(doc.Kind, schema.KindNames(s.resolver.current(), gv))
}
