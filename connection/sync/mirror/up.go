package mirror

import (
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/contenthash"
	"github.com/plait-run/plait/dynamiccontroller/managedfields"
)

// Carry lists the keys of a user's metadata that go to the provider. Plait's own keys never do.
type Carry struct {
	Labels      []string
	Annotations []string
}

// Up gives the copy of a consumer's object as it is to be applied: everything but status and metadata, of these what is
// listed, and the marks; one of them says whether the copy was adopted. The object is not changed; what is below its top
// is shared with it.
func (m Maker) Up(obj *unstructured.Unstructured, carry Carry, adopted bool) map[string]any {
	out := make(map[string]any, len(obj.Object))
	for key, value := range obj.Object {
		if key != "metadata" && key != "status" {
			out[key] = value
		}
	}
	w, annotations := m.words(), picked(obj.GetAnnotations(), carry.Annotations)
	annotations[w.cluster] = string(m.Cluster)
	annotations[w.object] = string(obj.GetUID())
	if !m.inbound {
		annotations[v1alpha1.AnnotationConsumerGeneration] = strconv.FormatInt(obj.GetGeneration(), 10)
	}
	annotations[v1alpha1.AnnotationBindingUID] = string(m.Binding)
	if adopted {
		annotations[v1alpha1.AnnotationAdopted] = v1alpha1.True
	}
	labels := picked(obj.GetLabels(), carry.Labels)
	labels[w.label] = string(m.Cluster)
	metadata := map[string]any{"name": obj.GetName(), "labels": labels, "annotations": annotations}
	if namespace := obj.GetNamespace(); namespace != "" {
		metadata["namespace"] = m.Namespace(namespace)
		if m.Prefix != "" {
			annotations[v1alpha1.AnnotationConsumerNamespace] = namespace
		}
	}
	out["metadata"] = metadata
	annotations[v1alpha1.AnnotationAppliedHash] = contenthash.Of(out)
	return out
}

func picked(from map[string]string, keys []string) map[string]any {
	out := make(map[string]any, len(keys)+5)
	for _, key := range keys {
		if value, ok := from[key]; ok && !isMark(key) {
			out[key] = value
		}
	}
	return out
}

// Difference is how a copy differs from what Up gives. The zero value: not at all.
type Difference struct {
	Content bool     // something else was applied last
	Lost    []string // fields that were applied, and that somebody has changed since; sorted
}

// IsNone tells whether no write is needed.
func (d Difference) IsNone() bool { return !d.Content && len(d.Lost) == 0 }

// Compare tells whether a copy is what Up has given. Values are not compared: whoever changes a field takes it from us.
func (m Maker) Compare(up map[string]any, live *unstructured.Unstructured) Difference {
	wanted, _, _ := unstructured.NestedString(up, "metadata", "annotations", v1alpha1.AnnotationAppliedHash)
	own := managedfields.AppliedBy(live.Object, m.Manager())
	if own == nil || wanted == "" || live.GetAnnotations()[v1alpha1.AnnotationAppliedHash] != wanted {
		return Difference{Content: true}
	}
	return Difference{Lost: managedfields.Lost(up, own)}
}
