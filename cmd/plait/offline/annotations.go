package offline

import (
	"github.com/plait-run/plait/dynamiccontroller/misspelt"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// checkAnnotations warns of annotations that somebody wrote in vain, as the engine does by events.
func (s *Set) checkAnnotations(doc *source.Document, may misspelt.Wishes) {
	annotations := doc.Root.Get("metadata").Get("annotations")
	if annotations == nil {
		return
	}
	texts, at := map[string]string{}, map[string]source.Field{}
	for _, f := range annotations.Fields {
		texts[f.Key], at[f.Key] = f.Value.Text(), f
	}
	for _, fault := range misspelt.Find(texts, may) {
		f := at[fault.Key]
		s.Problems.Add(diag.Diagnostic{
			File: doc.File, Path: f.Value.Path, Position: f.KeyPosition, Code: diag.Annotation, Severity: diag.Warning,
			Summary: fault.Summary, Suggestion: fault.Cure,
		})
	}
}
