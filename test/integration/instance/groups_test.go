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
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

func TestBrokenGroupKeepsServing(t *testing.T) {
	w := newWorld(t)
	engine := shared.RunEngine(t)
	const kind = "Broken"
	w.Apply(groupOf("Broken", 1, false))
	w.WaitStatus("ResourceGroup", "broken", "state", "Active")
	w.Apply(strings.Replace(groupOf("Broken", 1, false), "${schema.spec.text}", "${schema.spec.texts}", 1))
	u := w.WaitCondition("ResourceGroup", "broken", "GraphAccepted", "False/InvalidGraph")
	if got := world.Condition(u, "GraphAccepted"); !strings.Contains(got, "PLT303 spec.resources[0].template.data.text") {
		t.Errorf("GraphAccepted does not name the place: %s", got)
	}
	w.Apply(instanceOf("Broken", "a", ""))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	engine.MustStop(t)
	shared.RunEngine(t)
	w.Apply(instanceOf("Broken", "b", "text: after-restart"))
	b := w.WaitStatus(kind, "b", "state", "ACTIVE")
	if revision, _, _ := unstructured.NestedInt64(b.Object, "status", "revision"); revision != 1 {
		t.Errorf("instance runs on revision %d, want the last good one, 1", revision)
	}
}

func TestBreakingChangeIsRefusedUntilLetThrough(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	const kind = "Breaking"
	w.Apply(groupOf("Breaking", 1, false))
	w.WaitStatus("ResourceGroup", "breaking", "state", "Active")
	w.Apply(instanceOf("Breaking", "a", ""))
	w.WaitStatus(kind, "a", "state", "ACTIVE")

	changed := strings.Replace(groupOf("Breaking", 1, false), `last: string | default="x"`, `last: integer | default=1`, 1)
	changed = strings.Replace(changed, "${schema.spec.last}", "${string(schema.spec.last)}", 1)
	w.Apply(changed)
	u := w.WaitCondition("ResourceGroup", "breaking", "KindServed", "False/BreakingChange")
	served, _, _ := unstructured.NestedInt64(u.Object, "status", "servedRevision")
	latest, _, _ := unstructured.NestedInt64(u.Object, "status", "latestRevision")
	if served != 1 || latest != 2 {
		t.Errorf("revision %d of %d is served, want 1 of 2", served, latest)
	}
	allow := fmt.Sprintf(`{"metadata":{"annotations":{"plait.run/allow-breaking-changes":"%d"}}}`, u.GetGeneration())
	if _, err := w.At("ResourceGroup").Patch(context.Background(), "breaking", types.MergePatchType, []byte(allow), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	w.WaitStatus("ResourceGroup", "breaking", "servedRevision", int64(2))
	list, err := w.At("ResourceGroupRevision").List(context.Background(), metav1.ListOptions{LabelSelector: "plait.run/resource-group-uid=" + string(u.GetUID())})
	if err != nil || len(list.Items) != 2 {
		t.Errorf("%d revisions and error %v, want 2", len(list.Items), err)
	}
}

func TestForeignDefinitionIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	foreign := `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foreigns.test.example.com}
spec:
  group: test.example.com
  names: {plural: foreigns, kind: Foreign}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
	before := w.Apply(foreign)
	w.Apply(groupOf("Foreign", 1, false))
	w.WaitCondition("ResourceGroup", "foreign", "KindServed", "False/Conflict")
	w.Delete("ResourceGroup", "foreign")
	w.WaitGone("ResourceGroup", "foreign")
	after, err := w.Get("CustomResourceDefinition", "foreigns.test.example.com")
	if err != nil {
		t.Fatalf("the foreign definition is gone: %v", err)
	}
	if diff := cmp.Diff(before.Object["spec"], after.Object["spec"]); diff != "" {
		t.Errorf("the foreign definition was changed (-before +after):\n%s", diff)
	}
	w.Delete("CustomResourceDefinition", "foreigns.test.example.com")
}

func TestEditedDefinitionIsRepaired(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	w.Apply(groupOf("Edited", 1, false))
	w.WaitStatus("ResourceGroup", "edited", "state", "Active")
	requests := shared.NewLedger(t)
	edit := []byte(`[{"op":"add","path":"/spec/names/shortNames","value":["zz"]}]`)
	if _, err := w.At("CustomResourceDefinition").Patch(context.Background(), "editeds.test.example.com", types.JSONPatchType, edit, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "the edit stays", func() error {
		u, err := w.Get("CustomResourceDefinition", "editeds.test.example.com")
		if err != nil {
			return err
		}
		if names, ok, _ := unstructured.NestedStringSlice(u.Object, "spec", "names", "shortNames"); ok {
			return fmt.Errorf("short names are %v", names)
		}
		return nil
	})
	var writes []string
	for _, r := range requests.Take() {
		refused := strings.HasSuffix(r, "(409)") // the API server wrote the status meanwhile
		if strings.Contains(r, "customresourcedefinitions") && !strings.HasPrefix(r, "get") && !refused {
			writes = append(writes, r)
		}
	}
	if diff := cmp.Diff([]string{"update customresourcedefinitions editeds.test.example.com"}, writes); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

func TestGroupWaitsForItsInstances(t *testing.T) {
	for policy, cascade := range map[string]bool{"Wait": false, "Cascade": true} {
		t.Run(policy, func(t *testing.T) {
			kind := "Going" + strings.ToLower(policy)
			w := newWorldIn(t, "going-"+strings.ToLower(policy))
			shared.RunEngine(t)
			name := strings.ToLower(kind)
			w.Apply(strings.Replace(groupOf(kind, 2, true), "crdDeletion: Delete", "deletionPolicy: "+policy, 1))
			w.WaitStatus("ResourceGroup", name, "state", "Active")
			w.Apply(instanceOf(kind, "a", ""))
			w.WaitStatus(kind, "a", "state", "ACTIVE")
			w.Delete("ResourceGroup", name)
			if !cascade {
				u := w.WaitCondition("ResourceGroup", name, "Ready", "False/Terminating")
				if got := world.Condition(u, "Ready"); !strings.Contains(got, "waiting for 1 instance") {
					t.Errorf("Ready is %s", got)
				}
				w.refusesAnother(kind)
				w.Apply(instanceOf(kind, "a", "text: still-reconciled"))
				w.WaitStatus(kind, "a", "text", "still-reconciled")
				w.Delete(kind, "a")
			}
			w.WaitGone("ResourceGroup", name)
			if left := w.Names("ConfigMap", "a-"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			crd, err := w.Get("CustomResourceDefinition", definitionOf(kind))
			if err != nil || crd.GetLabels()["plait.run/resource-group-uid"] != "" {
				t.Errorf("the definition is not released: %v %v", crd.GetLabels(), err)
			}
			w.Apply(groupOf(kind, 1, false))
			w.WaitStatus("ResourceGroup", name, "state", "Active")
			w.Apply(instanceOf(kind, "b", ""))
			w.WaitStatus(kind, "b", "state", "ACTIVE")
		})
	}
}

// refusesAnother waits until there can be no new instance.
func (w *space) refusesAnother(kind string) {
	w.t.Helper()
	all, err := world.Read([]byte(instanceOf(kind, "late", "")))
	if err != nil {
		w.t.Fatal(err)
	}
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	world.Eventually(w.t, "a new instance of a group that goes is taken", func() error {
		_, err := w.At(kind).Create(context.Background(), all[0], dry)
		if apierrors.IsInvalid(err) && strings.Contains(err.Error(), "is being deleted: there can be no new objects of this kind") {
			return nil
		}
		return fmt.Errorf("the answer is %w", err)
	})
}

func TestKindThatAppearsLater(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	group := groupOf("Soon", 1, false) + `  - id: late
    template: {apiVersion: test.example.com/v1, kind: Later, metadata: {name: "${schema.metadata.name}-later"}, spec: {text: "hi"}}
`
	w.Apply(group)
	w.WaitCondition("ResourceGroup", "soon", "KindsAvailable", "False/KindNotInstalled: not installed: Later.test.example.com")
	const kind = "Soon"
	w.Apply(instanceOf("Soon", "a", ""))
	w.WaitStatus(kind, "a", "state", "IN_PROGRESS")
	w.Apply(groupOf("Later", 1, false))
	w.WaitCondition("ResourceGroup", "soon", "KindsAvailable", "True/Available")
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	w.WaitStatus("Later", "a-later", "state", "ACTIVE")
}
