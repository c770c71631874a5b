package instance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// simple is a group with this spec of the instance and these resources.
func simple(kind, spec, resources string) string {
	return fmt.Sprintf(`
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: %s}
spec:
  crdDeletion: Delete
  schema: {apiVersion: v1, kind: %s, group: test.example.com, spec: {%s}}
  resources:
%s`, strings.ToLower(kind), kind, spec, resources)
}

// serve applies a group and waits until its kind is served.
func (w *world) serve(kind, spec, resources string) schema.GroupVersionResource {
	w.t.Helper()
	w.apply(groups, "", simple(kind, spec, resources))
	w.waitStatus(groups, "", strings.ToLower(kind), "state", "Active")
	return resourceOf(kind)
}

func (w *world) patch(gvr schema.GroupVersionResource, namespace, name, body string) {
	w.t.Helper()
	_, err := w.at(gvr, namespace).Patch(context.Background(), name, types.MergePatchType, []byte(body), metav1.PatchOptions{FieldManager: "somebody"})
	if err != nil {
		w.t.Fatalf("patching %s: %v", name, err)
	}
}

// waitData waits until a ConfigMap holds just this.
func (w *world) waitData(name string, want map[string]any) *unstructured.Unstructured {
	w.t.Helper()
	var out *unstructured.Unstructured
	eventually(w.t, name+" is not as it should be", func() error {
		u, err := w.get(configMaps, w.namespace, name)
		if err != nil {
			return err
		}
		out = u
		if diff := cmp.Diff(want, u.Object["data"]); diff != "" {
			return fmt.Errorf("data (-want +got):\n%s", diff)
		}
		return nil
	})
	return out
}

const sharedName = `  - {id: one, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.name}"}, data: {of: "${schema.metadata.name}"}}}
`

func TestTwoInstancesOfOneObject(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	gvr := w.serve("Double", "name: string | required", sharedName)
	w.apply(configMaps, w.namespace, "{apiVersion: v1, kind: ConfigMap, metadata: {name: foreign}, data: {a: b}}")
	w.apply(gvr, w.namespace, instanceOf("Double", "first", "name: shared"))
	w.waitStatus(gvr, w.namespace, "first", "state", "ACTIVE")
	w.apply(gvr, w.namespace, instanceOf("Double", "second", "name: shared"))
	w.waitCondition(gvr, w.namespace, "second", "Ready", "False/ObjectNotOwned")
	w.apply(gvr, w.namespace, instanceOf("Double", "third", "name: foreign"))
	w.waitCondition(gvr, w.namespace, "third", "Ready", "False/ObjectNotOwned")
	w.waitData("shared", map[string]any{"of": "first"})
	for _, name := range []string{"second", "third"} {
		w.delete(gvr, w.namespace, name)
		w.waitGone(gvr, w.namespace, name)
	}
	w.waitData("shared", map[string]any{"of": "first"})
	if u := w.waitData("foreign", map[string]any{"a": "b"}); len(u.GetLabels())+len(u.GetAnnotations()) > 0 {
		t.Errorf("a foreign object was marked: %v", u.Object["metadata"])
	}
}

// TestForgedLabels has somebody give objects in the instance's and in another namespace the labels of a child.
func TestForgedLabels(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	gvr := w.serve("Forged", "name: string | required", sharedName)
	w.apply(gvr, w.namespace, instanceOf("Forged", "a", "name: real"))
	a := w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	other := w.namespace + "-other"
	w.apply(namespaces, "", "{apiVersion: v1, kind: Namespace, metadata: {name: "+other+"}}")
	for _, namespace := range []string{w.namespace, other} {
		w.apply(configMaps, namespace, fmt.Sprintf(`{apiVersion: v1, kind: ConfigMap, metadata: {name: forged, annotations: {plait.run/node: one},
  labels: {plait.run/owned: "true", plait.run/instance-uid: %q}}}`, a.GetUID()))
	}
	w.apply(gvr, w.namespace, instanceOf("Forged", "a", "name: renamed"))
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	w.delete(gvr, w.namespace, "a")
	w.waitGone(gvr, w.namespace, "a")
	for _, namespace := range []string{w.namespace, other} {
		if _, err := w.get(configMaps, namespace, "forged"); err != nil {
			t.Errorf("the forged object in %s: %v", namespace, err)
		}
	}
	for _, name := range []string{"real", "renamed"} {
		if _, err := w.get(configMaps, w.namespace, name); !apierrors.IsNotFound(err) {
			t.Errorf("%s is left behind: %v", name, err)
		}
	}
}

func TestDroppedKeysAndQuickEdits(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	node := `  - {id: one, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-one"}, data: {a: "${schema.spec.text}"%s}}}
`
	gvr := w.serve("Dropped", "text: string | default=A", fmt.Sprintf(node, ", dropped: x"))
	w.apply(gvr, w.namespace, instanceOf("Dropped", "a", ""))
	before := w.waitData("a-one", map[string]any{"a": "A", "dropped": "x"})
	w.serve("Dropped", "text: string | default=A", fmt.Sprintf(node, ""))
	w.waitData("a-one", map[string]any{"a": "A"})
	for _, text := range []string{"B", "A", "B", "A"} {
		w.patch(gvr, w.namespace, "a", `{"spec":{"text":"`+text+`"}}`)
	}
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	if after := w.waitData("a-one", map[string]any{"a": "A"}); after.GetUID() != before.GetUID() {
		t.Errorf("quick edits made the object anew: %s, before %s", after.GetUID(), before.GetUID())
	}
}

func TestEditsOfMetadataThatIsRead(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	gvr := w.serve("Labelled", `text: string | default=A`,
		`  - {id: one, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-one"}, data: {team: "${schema.metadata.?labels['team'].orValue('none')}"}}}
  - {id: two, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-two"}, data: {note: "${one.metadata.?annotations['note'].orValue('none')}"}}}
`)
	w.apply(gvr, w.namespace, instanceOf("Labelled", "a", ""))
	w.waitData("a-one", map[string]any{"team": "none"})
	w.waitData("a-two", map[string]any{"note": "none"})
	w.patch(gvr, w.namespace, "a", `{"metadata":{"labels":{"team":"red"}}}`)
	w.waitData("a-one", map[string]any{"team": "red"})
	w.patch(configMaps, w.namespace, "a-one", `{"metadata":{"annotations":{"note":"hello"}}}`)
	w.waitData("a-two", map[string]any{"note": "hello"})
}
