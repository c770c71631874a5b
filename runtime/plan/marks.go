package plan

import (
	"strings"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Marks are the labels and annotations that only the engine writes on children.
func Marks() []string {
	return []string{
		v1alpha1.LabelOwned, v1alpha1.LabelInstanceUID, v1alpha1.LabelBucket, v1alpha1.LabelApplySetPartOf, v1alpha1.LabelManagedBy,
		v1alpha1.AnnotationInstance, v1alpha1.AnnotationNode, v1alpha1.AnnotationNeeds, v1alpha1.AnnotationAppliedHash,
		v1alpha1.AnnotationItem, v1alpha1.AnnotationDeletion,
	}
}

// NodeOf gives the id of the node that a child says it is of, empty when it says none.
func NodeOf(child map[string]any) string { return annotation(child, v1alpha1.AnnotationNode) }

// NeedsOf gives the ids of the nodes that the node of a child needs.
func NeedsOf(child map[string]any) []string {
	value := annotation(child, v1alpha1.AnnotationNeeds)
	if value == "" {
		return nil
	}
	return strings.Split(value, ",")
}

// FormatNeeds is the form of needs in the annotation that NeedsOf reads.
func FormatNeeds(ids []string) string { return strings.Join(ids, ",") }

func annotation(object map[string]any, name string) string {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	value, _ := annotations[name].(string)
	return value
}
