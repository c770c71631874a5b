package mirror

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Release is the merge patch that lets go of a copy: marks and entry of our manager go, all else stays as it is. It holds
// for just the state that live shows.
func (m Maker) Release(live *unstructured.Unstructured) map[string]any {
	annotations := map[string]any{}
	for _, key := range []string{
		v1alpha1.AnnotationConsumerClusterUID, v1alpha1.AnnotationConsumerObjectUID, v1alpha1.AnnotationConsumerGeneration,
		v1alpha1.AnnotationConsumerNamespace, v1alpha1.AnnotationBindingUID, v1alpha1.AnnotationAppliedHash, v1alpha1.AnnotationAdopted,
	} {
		annotations[key] = nil
	}
	entries, _, _ := unstructured.NestedSlice(live.Object, "metadata", "managedFields")
	others := slices.DeleteFunc(entries, func(item any) bool {
		entry, _ := item.(map[string]any)
		return entry["manager"] == m.Manager()
	})
	if len(others) == 0 {
		others = []any{map[string]any{}} // an empty list would change nothing; this one resets
	}
	return map[string]any{"metadata": map[string]any{
		"uid": string(live.GetUID()), "resourceVersion": live.GetResourceVersion(),
		"labels": map[string]any{v1alpha1.LabelConsumerClusterUID: nil}, "annotations": annotations, "managedFields": others,
	}}
}
