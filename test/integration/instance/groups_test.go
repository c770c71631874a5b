package instance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// waitCondition waits until a condition begins like this: status/reason.
func (w *world) waitCondition(gvr schema.GroupVersionResource, namespace, name, kind, want string) *unstructured.Unstructured {
	w.t.Helper()
	var out *unstructured.Unstructured
	eventually(w.t, fmt.Sprintf("%s does not get %s %s", name, kind, want), func() error {
		u, err := w.get(gvr, namespace, name)
		if err != nil {
			return err
		}
		out = u
		seen, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
		if got := condition(u, kind); !strings.HasPrefix(got, want) || seen != u.GetGeneration() {
			return fmt.Errorf("it is %s; status %v", got, u.Object["status"])
		}
		return nil
	})
	return out
}

func TestBrokenGroupKeepsServing(t *testing.T) {
	w := newWorld(t)
	stop := startEngine(t, asSelf)
	gvr := resourceOf("Broken")
	w.apply(groups, "", groupOf("Broken", 1, false))
	w.waitStatus(groups, "", "broken", "state", "Active")
	w.apply(groups, "", strings.Replace(groupOf("Broken", 1, false), "${schema.spec.text}", "${schema.spec.texts}", 1))
	u := w.waitCondition(groups, "", "broken", "GraphAccepted", "False/InvalidGraph")
	if got := condition(u, "GraphAccepted"); !strings.Contains(got, "PLT303 spec.resources[0].template.data.text") {
		t.Errorf("GraphAccepted does not name the place: %s", got)
	}
	w.apply(gvr, w.namespace, instanceOf("Broken", "a", ""))
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	stop()
	startEngine(t, asSelf)
	w.apply(gvr, w.namespace, instanceOf("Broken", "b", "text: after-restart"))
	b := w.waitStatus(gvr, w.namespace, "b", "state", "ACTIVE")
	if revision, _, _ := unstructured.NestedInt64(b.Object, "status", "revision"); revision != 1 {
		t.Errorf("instance runs on revision %d, want the last good one, 1", revision)
	}
}

func TestBreakingChangeIsRefusedUntilLetThrough(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	gvr := resourceOf("Breaking")
	w.apply(groups, "", groupOf("Breaking", 1, false))
	w.waitStatus(groups, "", "breaking", "state", "Active")
	w.apply(gvr, w.namespace, instanceOf("Breaking", "a", ""))
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")

	changed := strings.Replace(groupOf("Breaking", 1, false), `last: string | default="x"`, `last: integer | default=1`, 1)
	changed = strings.Replace(changed, "${schema.spec.last}", "${string(schema.spec.last)}", 1)
	w.apply(groups, "", changed)
	u := w.waitCondition(groups, "", "breaking", "KindServed", "False/BreakingChange")
	served, _, _ := unstructured.NestedInt64(u.Object, "status", "servedRevision")
	latest, _, _ := unstructured.NestedInt64(u.Object, "status", "latestRevision")
	if served != 1 || latest != 2 {
		t.Errorf("revision %d of %d is served, want 1 of 2", served, latest)
	}
	allow := fmt.Sprintf(`{"metadata":{"annotations":{"plait.run/allow-breaking-changes":"%d"}}}`, u.GetGeneration())
	if _, err := w.at(groups, "").Patch(context.Background(), "breaking", types.MergePatchType, []byte(allow), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	w.waitStatus(groups, "", "breaking", "servedRevision", int64(2))
	list, err := w.at(revisions, "").List(context.Background(), metav1.ListOptions{LabelSelector: "plait.run/resource-group-uid=" + string(u.GetUID())})
	if err != nil || len(list.Items) != 2 {
		t.Errorf("%d revisions and error %v, want 2", len(list.Items), err)
	}
}

func TestForeignDefinitionIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
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
	before := w.apply(crds, "", foreign)
	w.apply(groups, "", groupOf("Foreign", 1, false))
	w.waitCondition(groups, "", "foreign", "KindServed", "False/Conflict")
	w.delete(groups, "", "foreign")
	w.waitGone(groups, "", "foreign")
	after, err := w.get(crds, "", "foreigns.test.example.com")
	if err != nil {
		t.Fatalf("the foreign definition is gone: %v", err)
	}
	if diff := cmp.Diff(before.Object["spec"], after.Object["spec"]); diff != "" {
		t.Errorf("the foreign definition was changed (-before +after):\n%s", diff)
	}
	w.delete(crds, "", "foreigns.test.example.com")
}

func TestEditedDefinitionIsRepaired(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	w.apply(groups, "", groupOf("Edited", 1, false))
	w.waitStatus(groups, "", "edited", "state", "Active")
	requests := newLedger(t)
	edit := []byte(`[{"op":"add","path":"/spec/names/shortNames","value":["zz"]}]`)
	if _, err := w.at(crds, "").Patch(context.Background(), "editeds.test.example.com", types.JSONPatchType, edit, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the edit stays", func() error {
		u, err := w.get(crds, "", "editeds.test.example.com")
		if err != nil {
			return err
		}
		if names, ok, _ := unstructured.NestedStringSlice(u.Object, "spec", "names", "shortNames"); ok {
			return fmt.Errorf("short names are %v", names)
		}
		return nil
	})
	var writes []string
	for _, r := range requests.take() {
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
			startEngine(t, asSelf)
			gvr, name := resourceOf(kind), strings.ToLower(kind)
			w.apply(groups, "", strings.Replace(groupOf(kind, 2, true), "crdDeletion: Delete", "deletionPolicy: "+policy, 1))
			w.waitStatus(groups, "", name, "state", "Active")
			w.apply(gvr, w.namespace, instanceOf(kind, "a", ""))
			w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
			w.delete(groups, "", name)
			if !cascade {
				u := w.waitCondition(groups, "", name, "Ready", "False/Terminating")
				if got := condition(u, "Ready"); !strings.Contains(got, "waiting for 1 instance") {
					t.Errorf("Ready is %s", got)
				}
				w.apply(gvr, w.namespace, instanceOf(kind, "a", "text: still-reconciled"))
				w.waitStatus(gvr, w.namespace, "a", "text", "still-reconciled")
				w.delete(gvr, w.namespace, "a")
			}
			w.waitGone(groups, "", name)
			if left := w.names("a-"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			crd, err := w.get(crds, "", gvr.GroupResource().String())
			if err != nil || crd.GetLabels()["plait.run/resource-group-uid"] != "" {
				t.Errorf("the definition is not released: %v %v", crd.GetLabels(), err)
			}
			w.apply(groups, "", groupOf(kind, 1, false))
			w.waitStatus(groups, "", name, "state", "Active")
		})
	}
}

func TestKindThatAppearsLater(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	group := groupOf("Soon", 1, false) + `  - id: late
    template: {apiVersion: test.example.com/v1, kind: Later, metadata: {name: "${schema.metadata.name}-later"}, spec: {text: "hi"}}
`
	w.apply(groups, "", group)
	w.waitCondition(groups, "", "soon", "KindsAvailable", "False/KindNotInstalled: not installed: Later.test.example.com")
	gvr := resourceOf("Soon")
	w.apply(gvr, w.namespace, instanceOf("Soon", "a", ""))
	w.waitStatus(gvr, w.namespace, "a", "state", "IN_PROGRESS")
	w.apply(groups, "", groupOf("Later", 1, false))
	w.waitCondition(groups, "", "soon", "KindsAvailable", "True/Available")
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	w.waitStatus(resourceOf("Later"), w.namespace, "a-later", "state", "ACTIVE")
}
