package plan

import (
	"fmt"
	"testing"

	"github.com/plait-run/plait/api/v1alpha1"
)

// BenchmarkWaves is the order in which a hundred children of a chain are deleted.
func BenchmarkWaves(b *testing.B) {
	children := map[Key]map[string]any{}
	for i := range 100 {
		annotations := map[string]any{v1alpha1.AnnotationNode: fmt.Sprintf("n%d", i), v1alpha1.AnnotationNeeds: fmt.Sprintf("n%d", i-1)}
		name := fmt.Sprintf("child-%d", i)
		children[Key{Kind: "ConfigMap", Name: name}] = map[string]any{"metadata": map[string]any{"name": name, "annotations": annotations}}
	}
	b.ReportAllocs()
	for b.Loop() {
		if waves := Waves(children); len(waves) != 100 {
			b.Fatalf("%d waves, want one for each child", len(waves))
		}
	}
}
