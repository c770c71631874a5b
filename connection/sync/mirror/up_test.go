package mirror

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

func TestUp(t *testing.T) {
	prefixed := maker
	prefixed.Prefix = "acme-"
	tests := map[string]struct {
		maker   Maker
		object  string
		carry   Carry
		adopted bool
		want    string
	}{
		"spec and other fields, never status": {
			maker, "{spec: {size: 3}, data: {a: b}, status: {phase: Up}}", Carry{}, false,
			`{spec: {size: 3}, data: {a: b}, metadata: {name: shop, namespace: team}}`,
		},
		"listed keys only": {
			maker, "{labels: {a: '1', b: '2'}, annotations: {c: '3', d: '4'}}", Carry{Labels: []string{"a", "gone"}, Annotations: []string{"d"}}, false,
			`{metadata: {name: shop, namespace: team, labels: {a: '1'}, annotations: {d: '4'}}}`,
		},
		"marks cannot be carried": {
			maker, "{labels: {plait.run/consumer-cluster-uid: other}, annotations: {plait.run/adopted: 'true'}}",
			Carry{Labels: []string{v1alpha1.LabelConsumerClusterUID}, Annotations: []string{v1alpha1.AnnotationAdopted}}, false,
			`{metadata: {name: shop, namespace: team}}`,
		},
		"nothing else of metadata": {
			maker, "{finalizers: [x], ownerReferences: [{name: a}]}", Carry{}, false, `{metadata: {name: shop, namespace: team}}`,
		},
		"mapped namespace": {
			prefixed, "{spec: {}}", Carry{}, false,
			`{spec: {}, metadata: {name: shop, namespace: acme-team, annotations: {plait.run/consumer-namespace: team}}}`,
		},
		"adopted": {
			maker, "{spec: {}}", Carry{}, true,
			`{spec: {}, metadata: {name: shop, namespace: team, annotations: {plait.run/adopted: 'true'}}}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			object := database(t, "", "")
			for key, value := range fromYAML(t, withKind(tt.object)).Object {
				switch key {
				case "kind", "apiVersion":
				case "labels", "annotations", "finalizers", "ownerReferences":
					object.Object["metadata"].(map[string]any)[key] = value
				default:
					object.Object[key] = value
				}
			}
			before := object.DeepCopy()
			want := fromYAML(t, withKind(tt.want))
			addMarks(want)
			got := &unstructured.Unstructured{Object: tt.maker.Up(object, tt.carry, tt.adopted)}
			unstructured.RemoveNestedField(got.Object, "metadata", "annotations", v1alpha1.AnnotationAppliedHash)
			if diff := cmp.Diff(want.Object, got.Object); diff != "" {
				t.Errorf("copy (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, object); diff != "" {
				t.Errorf("the object was changed:\n%s", diff)
			}
		})
	}
}

func withKind(text string) string {
	return "{apiVersion: db.example.com/v1, kind: Database, " + text[1:]
}

func addMarks(u *unstructured.Unstructured) {
	labels, annotations := u.GetLabels(), u.GetAnnotations()
	if labels == nil {
		labels = map[string]string{}
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	labels["plait.run/consumer-cluster-uid"] = "c0ffee00-1234"
	annotations["plait.run/consumer-cluster-uid"] = "c0ffee00-1234"
	annotations["plait.run/consumer-object-uid"] = "obj-1"
	annotations["plait.run/consumer-generation"] = "3"
	annotations["plait.run/binding-uid"] = "bind-1"
	u.SetLabels(labels)
	u.SetAnnotations(annotations)
}

func TestCompare(t *testing.T) {
	object := database(t, "", ", spec: {size: 3, tags: {a: b}}")
	up := maker.Up(object, Carry{}, false)
	later := object.DeepCopy()
	later.Object["spec"] = map[string]any{"size": int64(4)}
	tests := map[string]struct {
		up   map[string]any
		live *unstructured.Unstructured
		want Difference
	}{
		"the same":            {up, liveOf(t, up, maker.Manager(), nil), Difference{}},
		"another spec":        {maker.Up(later, Carry{}, false), liveOf(t, up, maker.Manager(), nil), Difference{Content: true}},
		"a field was taken":   {up, liveOf(t, up, maker.Manager(), []string{"size"}), Difference{Lost: []string{".spec.size"}}},
		"no entry of ours":    {up, liveOf(t, up, "kubectl", nil), Difference{Content: true}},
		"another binding now": {Maker{Cluster: maker.Cluster, Binding: "bind-2"}.Up(object, Carry{}, false), liveOf(t, up, maker.Manager(), nil), Difference{Content: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := maker.Compare(tt.up, tt.live)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("difference (-want +got):\n%s", diff)
			}
			if got.IsNone() != (name == "the same") {
				t.Errorf("IsNone is %v", got.IsNone())
			}
		})
	}
}

// liveOf is the stored object after a manager has applied one, but for the fields of its spec that others have taken.
func liveOf(t *testing.T, applied map[string]any, manager string, taken []string) *unstructured.Unstructured {
	t.Helper()
	data, err := json.Marshal(applied)
	if err != nil {
		t.Fatal(err)
	}
	out := &unstructured.Unstructured{}
	if err := out.UnmarshalJSON(data); err != nil {
		t.Fatal(err)
	}
	fields := fieldsOf(out.Object)
	metadata := fields["f:metadata"].(map[string]any)
	delete(metadata, "f:name")
	delete(metadata, "f:namespace")
	for _, field := range taken {
		delete(fields["f:spec"].(map[string]any), "f:"+field)
	}
	entry := map[string]any{"manager": manager, "operation": "Apply", "fieldsV1": fields}
	out.Object["metadata"].(map[string]any)["managedFields"] = []any{entry}
	return out
}

// fieldsOf is how managedFields name the fields of an object without lists.
func fieldsOf(value any) map[string]any {
	out := map[string]any{}
	fields, _ := value.(map[string]any)
	for key, below := range fields {
		out["f:"+key] = fieldsOf(below)
	}
	return out
}
