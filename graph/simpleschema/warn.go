package simpleschema

import (
	"math"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// warn tells of markers that the API server takes and then reads in another way than people do.
func (b *builder) warn(v *source.Value, s *apiextensionsv1.JSONSchemaProps) {
	if s.MultipleOf != nil && *s.MultipleOf != math.Trunc(*s.MultipleOf) {
		b.warning(v, diag.SchemaMarker, "the API server refuses whole numbers in a field with a multipleOf that has a fraction",
			"Use an integer in a smaller unit, or a validation.")
	}
	if s.Nullable && len(s.Enum) > 0 {
		b.warning(v, diag.SchemaMarker, "the API server refuses null in a field with an enum, nullable or not", "Remove nullable, and leave the field out instead of writing null.")
	}
}

func (b *builder) warning(v *source.Value, code diag.Code, summary, suggestion string) {
	b.problems.Add(diag.Diagnostic{
		File: b.file, Path: v.Path, Position: v.Position, Code: code, Severity: diag.Warning,
		Summary: summary, Suggestion: suggestion,
	})
}
