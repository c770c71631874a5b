package mounts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

const mountAnnotation = "experimental.tenancy.kcp.io/mount"

// legacyMount makes a Workspace with the older annotation, and whatever spec.
func (s *scene) legacyMount(name, annotation, spec string) {
	s.t.Helper()
	s.Apply(fmt.Sprintf("{apiVersion: tenancy.kcp.io/v1alpha1, kind: Workspace, metadata: {name: %s, annotations: {%s: %q}}, spec: %s}",
		name, mountAnnotation, annotation, spec))
	s.cleanUp(name)
}

// annotated gives phase and url in the annotation.
func annotated(u *unstructured.Unstructured) string {
	var a struct{ Status struct{ Phase, URL string } }
	if err := json.Unmarshal([]byte(u.GetAnnotations()[mountAnnotation]), &a); err != nil {
		return err.Error()
	}
	return a.Status.Phase + " " + a.Status.URL
}

// TestLegacy brings a Workspace with the older annotation up and down, and keeps what else is in the annotation.
func TestLegacy(t *testing.T) {
	t.Parallel()
	s := newScene(t, kcp, "legacy")
	s.legacyMount("legacy-a", fmt.Sprintf(`{"spec":{"ref":{"apiVersion":"infra.example.com/v1","kind":"Cluster","name":"a","namespace":%q}},"more":[1]}`, s.Namespace), "{}")
	s.says("legacy-a", "Unavailable False/MountObjectNotFound", "")
	s.cluster("a", readyAt(first))
	u := s.says("legacy-a", isUp, first)
	if got := annotated(u); got != "Ready "+first {
		t.Errorf("the annotation says %q", got)
	}
	if text := u.GetAnnotations()[mountAnnotation]; !strings.Contains(text, `"more":[1]`) {
		t.Errorf("what else was in the annotation is lost: %s", text)
	}
	s.cluster("a", `{"phase":"Broken"}`)
	u = s.says("legacy-a", "Unavailable False/MountObjectNotReady", first)
	if got := annotated(u); got != "Unavailable "+first {
		t.Errorf("the annotation says %q", got)
	}
}

// TestLegacyFaults has annotations that cannot be read, and both forms at once: nothing is written but the status.
func TestLegacyFaults(t *testing.T) {
	t.Parallel()
	s := newScene(t, kcp, "faults")
	s.cluster("a", readyAt(first))
	for name, tt := range map[string]struct{ annotation, spec, reason, word string }{
		"faults-json":  {`{"spec":{"ref":}`, "{}", "MountAnnotationInvalid", "byte 16"},
		"faults-shape": {`{"spec":{"ref":{"name":7}}}`, "{}", "MountAnnotationInvalid", "spec.ref.name"},
		"faults-both":  {`{"spec":{"ref":{}}}`, "{mount: {ref: " + s.ref("a") + "}}", "MountConflict", mountAnnotation},
	} {
		s.legacyMount(name, tt.annotation, tt.spec)
		u := s.says(name, "Unavailable False/"+tt.reason, "", tt.word)
		if got := u.GetAnnotations()[mountAnnotation]; got != tt.annotation {
			t.Errorf("%s: the annotation became %s", name, got)
		}
	}
}

// TestMountRemoved takes the mount out of the spec: the condition goes.
func TestMountRemoved(t *testing.T) {
	t.Parallel()
	s := newScene(t, kcp, "removed")
	s.cluster("a", readyAt(first))
	w := s.mount(s.ref("a"))
	s.says(w, isUp, first)
	s.Patch(kcp.kind(), w, `{"spec":{"mount":null}}`)
	s.says(w, "Ready absent", first)
}

// TestOtherConditions keeps the conditions of others, and never lifts a Workspace that another one holds down.
func TestOtherConditions(t *testing.T) {
	t.Parallel()
	s := newScene(t, kcp, "others")
	w := s.mount(s.ref("a"))
	s.says(w, "Unavailable False/MountObjectNotFound", "")
	u, err := s.Get(kcp.kind(), w)
	if err != nil {
		t.Fatal(err)
	}
	conditions, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	held := map[string]any{"type": "WorkspaceScheduled", "status": "False", "reason": "Held", "lastTransitionTime": "2026-01-01T00:00:00Z"}
	data, err := json.Marshal(map[string]any{"conditions": append(conditions, held)})
	if err != nil {
		t.Fatal(err)
	}
	s.status(kcp.kind(), w, string(data))
	s.cluster("a", readyAt(first))
	u = s.says(w, "Unavailable True/MountReady", first)
	if got := world.Condition(u, "WorkspaceScheduled"); !strings.HasPrefix(got, "False/Held") {
		t.Errorf("the other condition is %s", got)
	}
}

// TestRival has another controller change the condition back, again and again.
func TestRival(t *testing.T) {
	s := newScene(t, kcp, "rival")
	s.cluster("a", readyAt(first))
	w := s.mount(s.ref("a"))
	s.says(w, isUp, first)
	theirs := `{"conditions":[{"type":"WorkspaceMountReady","status":"False","reason":"Theirs","lastTransitionTime":"2026-01-01T00:00:00Z"}]}`
	for range 2 {
		s.status(kcp.kind(), w, theirs)
		s.says(w, isUp, first)
	}
	s.status(kcp.kind(), w, theirs)
	s.says(w, "Ready False/MountRivalController", first)
	ledger := shared.NewLedger(t)
	s.status(kcp.kind(), w, theirs)
	if got := ledger.Take(); len(got) > 0 {
		t.Errorf("the engine goes on: %q", got)
	}
	s.says(w, "Ready False/Theirs", first)
}

// TestOwner asks for the owner that kcp records, who may not read the object at first.
func TestOwner(t *testing.T) {
	t.Parallel()
	s := newScene(t, kcp, "owner")
	s.cluster("a", readyAt(first))
	s.Apply(fmt.Sprintf(`{apiVersion: tenancy.kcp.io/v1alpha1, kind: Workspace, metadata: {name: owner-a, annotations:
		{experimental.tenancy.kcp.io/owner: '{"username":"ann","groups":["crew"]}'}}, spec: {mount: {ref: %s}}}`, s.ref("a")))
	s.cleanUp("owner-a")
	s.says("owner-a", "Unavailable False/MountForbidden", "", `"ann"`)
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: read}
rules: [{apiGroups: [infra.example.com], resources: [clusters], resourceNames: [a], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: read}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: read}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: crew}]`)
	s.says("owner-a", isUp, first) // asked again after 15 seconds
	bad := `{"metadata":{"annotations":{"experimental.tenancy.kcp.io/owner":"{"}}}`
	s.Patch(kcp.kind(), "owner-a", bad)
	s.says("owner-a", "Unavailable False/MountForbidden", first, "cannot be read")
}

// TestOwnerMark wakes the Workspace that a mount object names by the older mark, and never writes the mark.
func TestOwnerMark(t *testing.T) {
	t.Parallel()
	s := newScene(t, kcp, "mark")
	w := s.mount(s.ref("a"))
	s.says(w, "Unavailable False/MountObjectNotFound", "")
	s.Apply(fmt.Sprintf(`{apiVersion: infra.example.com/v1, kind: Cluster, metadata: {name: a, annotations: {experimental.tenancy.kcp.io/is-mount: "true",
		experimental.tenancy.kcp.io/owning-workspace: '{"apiVersion":"tenancy.kcp.io/v1alpha1","kind":"Workspace","name":%q}'}}}`, w))
	s.status("clusters.infra.example.com", "a", readyAt(first))
	s.says(w, isUp, first)
	u, err := shared.Client.Resource(clusters).Namespace(s.Namespace).Get(context.Background(), "a", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range u.GetManagedFields() {
		if entry.Manager == "plait.run" {
			t.Errorf("the engine wrote the mount object: %v", entry)
		}
	}
}
