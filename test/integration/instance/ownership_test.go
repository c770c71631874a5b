package instance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
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
func (w *space) serve(kind, spec, resources string) string {
	w.t.Helper()
	w.Apply(simple(kind, spec, resources))
	w.WaitStatus("ResourceGroup", strings.ToLower(kind), "state", "Active")
	return kind
}

// waitData waits until a ConfigMap holds just this.
func (w *space) waitData(name string, want map[string]any) *unstructured.Unstructured {
	w.t.Helper()
	var out *unstructured.Unstructured
	world.Eventually(w.t, name+" is not as it should be", func() error {
		u, err := w.Get("ConfigMap", name)
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
	shared.RunEngine(t)
	kind := w.serve("Double", "name: string | required", sharedName)
	w.Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: foreign}, data: {a: b}}")
	w.Apply(instanceOf("Double", "first", "name: shared"))
	w.WaitStatus(kind, "first", "state", "ACTIVE")
	w.Apply(instanceOf("Double", "second", "name: shared"))
	w.WaitCondition(kind, "second", "Ready", "False/ObjectNotOwned")
	w.Apply(instanceOf("Double", "third", "name: foreign"))
	w.WaitCondition(kind, "third", "Ready", "False/ObjectNotOwned")
	w.waitData("shared", map[string]any{"of": "first"})
	for _, name := range []string{"second", "third"} {
		w.Delete(kind, name)
		w.WaitGone(kind, name)
	}
	w.waitData("shared", map[string]any{"of": "first"})
	if u := w.waitData("foreign", map[string]any{"a": "b"}); len(u.GetLabels())+len(u.GetAnnotations()) > 0 {
		t.Errorf("a foreign object was marked: %v", u.Object["metadata"])
	}
}

// TestForgedLabels has somebody give objects in the instance's and in another namespace the labels of a child.
func TestForgedLabels(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	kind := w.serve("Forged", "name: string | required", sharedName)
	w.Apply(instanceOf("Forged", "a", "name: real"))
	a := w.WaitStatus(kind, "a", "state", "ACTIVE")
	other := w.Namespace + "-other"
	w.Apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + other + "}}")
	for _, namespace := range []string{w.Namespace, other} {
		w.in(namespace).Apply(fmt.Sprintf(`{apiVersion: v1, kind: ConfigMap, metadata: {name: forged, annotations: {plait.run/node: one},
  labels: {plait.run/owned: "true", plait.run/instance-uid: %q}}}`, a.GetUID()))
	}
	w.Apply(instanceOf("Forged", "a", "name: renamed"))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	w.Delete(kind, "a")
	w.WaitGone(kind, "a")
	for _, namespace := range []string{w.Namespace, other} {
		if _, err := w.in(namespace).Get("ConfigMap", "forged"); err != nil {
			t.Errorf("the forged object in %s: %v", namespace, err)
		}
	}
	for _, name := range []string{"real", "renamed"} {
		if _, err := w.Get("ConfigMap", name); !apierrors.IsNotFound(err) {
			t.Errorf("%s is left behind: %v", name, err)
		}
	}
}

func TestDroppedKeysAndQuickEdits(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	node := `  - {id: one, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-one"}, data: {a: "${schema.spec.text}"%s}}}
`
	kind := w.serve("Dropped", "text: string | default=A", fmt.Sprintf(node, ", dropped: x"))
	w.Apply(instanceOf("Dropped", "a", ""))
	before := w.waitData("a-one", map[string]any{"a": "A", "dropped": "x"})
	w.serve("Dropped", "text: string | default=A", fmt.Sprintf(node, ""))
	w.waitData("a-one", map[string]any{"a": "A"})
	for _, text := range []string{"B", "A", "B", "A"} {
		w.Patch(kind, "a", `{"spec":{"text":"`+text+`"}}`)
	}
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	if after := w.waitData("a-one", map[string]any{"a": "A"}); after.GetUID() != before.GetUID() {
		t.Errorf("quick edits made the object anew: %s, before %s", after.GetUID(), before.GetUID())
	}
}

// TestQuickRenames changes the name of a child back and forth, and leaves a node out and in, faster than passes follow; at
// last while a finalizer holds the object of the name that comes back.
func TestQuickRenames(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	kind := w.serve("Renamed", "name: string | required, more: boolean | default=true", sharedName+
		`  - {id: two, includeWhen: ["${schema.spec.more}"], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${one.metadata.name}-more"}, data: {a: b}}}
`)
	names := func() []string { return append(w.Names("ConfigMap", "red"), w.Names("ConfigMap", "blue")...) }
	w.Apply(instanceOf("Renamed", "a", "name: red"))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	for i := range 6 {
		name := []string{"blue", "red"}[i%2]
		w.Patch(kind, "a", fmt.Sprintf(`{"spec":{"name":%q,"more":%t}}`, name, i%3 != 0))
	}
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	if diff := cmp.Diff([]string{"red", "red-more"}, names()); diff != "" {
		t.Errorf("objects after quick edits (-want +got):\n%s", diff)
	}
	w.Patch("ConfigMap", "red", `{"metadata":{"finalizers":["example.com/hold"]}}`)
	w.Patch(kind, "a", `{"spec":{"name":"blue"}}`)
	w.WaitFor("ConfigMap", "red", func(u *unstructured.Unstructured) error {
		if u.GetDeletionTimestamp() == nil {
			return fmt.Errorf("it is not being deleted")
		}
		return nil
	})
	w.Patch(kind, "a", `{"spec":{"name":"red"}}`)
	w.WaitFor(kind, "a", world.HasCondition("Ready", "False/Progressing: waiting for deleting ConfigMap red"))
	w.Patch("ConfigMap", "red", `{"metadata":{"finalizers":null}}`)
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	if diff := cmp.Diff([]string{"red", "red-more"}, names()); diff != "" {
		t.Errorf("objects after a held deletion (-want +got):\n%s", diff)
	}
	w.Remove(kind, "a")
}

// TestTextsOfASecret drops a key of stringData, which the API server keeps as data, and has somebody edit another.
func TestTextsOfASecret(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	kind := w.serve("Sealed", `texts: "map[string]string"`, `  - {id: one, template: {apiVersion: v1, kind: Secret, metadata: {name: "${schema.metadata.name}"}, stringData: "${schema.spec.texts}"}}
`)
	w.Apply(instanceOf("Sealed", "a", "texts: {a: one, b: two}"))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	isData := func(want map[string]any) world.Check {
		return func(u *unstructured.Unstructured) error {
			if diff := cmp.Diff(want, u.Object["data"]); diff != "" {
				return fmt.Errorf("data (-want +got):\n%s", diff)
			}
			return nil
		}
	}
	w.WaitFor("Secret", "a", isData(map[string]any{"a": "b25l", "b": "dHdv"}))
	requests := shared.NewLedger(t)
	w.Patch(kind, "a", `{"spec":{"texts":{"b":null}}}`)
	w.WaitFor("Secret", "a", isData(map[string]any{"a": "b25l"}))
	w.Patch("Secret", "a", `{"data":{"a":"eHh4","c":"eHh4"}}`)
	w.WaitFor("Secret", "a", isData(map[string]any{"a": "b25l", "c": "eHh4"}))
	spend(t, requests, "a dropped text and a repair", 3)
}

func TestEditsOfMetadataThatIsRead(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	kind := w.serve("Labelled", `text: string | default=A`,
		`  - {id: one, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-one"}, data: {team: "${schema.metadata.?labels['team'].orValue('none')}"}}}
  - {id: two, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-two"}, data: {note: "${one.metadata.?annotations['note'].orValue('none')}"}}}
`)
	w.Apply(instanceOf("Labelled", "a", ""))
	w.waitData("a-one", map[string]any{"team": "none"})
	w.waitData("a-two", map[string]any{"note": "none"})
	w.Patch(kind, "a", `{"metadata":{"labels":{"team":"red"}}}`)
	w.waitData("a-one", map[string]any{"team": "red"})
	w.Patch("ConfigMap", "a-one", `{"metadata":{"annotations":{"note":"hello"}}}`)
	w.waitData("a-two", map[string]any{"note": "hello"})
}
