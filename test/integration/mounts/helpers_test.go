package mounts_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

// api is one of the two APIs of Workspaces.
type api struct {
	group string
	isKCP bool
}

var (
	plait = api{group: "plait.run"}
	kcp   = api{group: "tenancy.kcp.io", isKCP: true}
	apis  = []api{plait, kcp}
)

var (
	clusters    = schema.GroupVersionResource{Group: "infra.example.com", Version: "v1", Resource: "clusters"}
	workspaces  = schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "workspaces"}
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	events      = schema.GroupVersionResource{Group: "events.k8s.io", Version: "v1", Resource: "events"}
)

func (a api) kind() string { return "workspaces." + a.group }

// scene is a namespace with mount objects, and Workspaces of one API on them, whose names begin with the namespace's.
type scene struct {
	*world.Space
	t    *testing.T
	api  api
	made int // Workspaces
}

func newScene(t *testing.T, a api, namespace string) *scene {
	t.Helper()
	return &scene{Space: shared.Space(t, namespace), t: t, api: a}
}

// inBoth runs a test for each of the APIs.
func inBoth(t *testing.T, namespace string, run func(*scene)) {
	t.Helper()
	for _, a := range apis {
		short, _, _ := strings.Cut(a.group, ".")
		t.Run(short, func(t *testing.T) { run(newScene(t, a, namespace+"-"+short)) })
	}
}

// ref is a reference to a Cluster of the scene's namespace.
func (s *scene) ref(name string) string {
	return fmt.Sprintf("{apiVersion: infra.example.com/v1, kind: Cluster, name: %s, namespace: %s}", name, s.Namespace)
}

// mount makes a Workspace that refers to something, and deletes it when the test ends. It gives its name.
func (s *scene) mount(ref string) string {
	s.t.Helper()
	return s.mountWith("{ref: " + ref + "}")
}

// mountWith is mount for the whole of spec.mount.
func (s *scene) mountWith(mount string) string {
	s.t.Helper()
	s.made++
	name := fmt.Sprintf("%s-%d", s.Namespace, s.made)
	s.mountAs(name, mount)
	return name
}

func (s *scene) mountAs(name, mount string) {
	s.t.Helper()
	s.Apply(fmt.Sprintf("{apiVersion: %s/v1alpha1, kind: Workspace, metadata: {name: %s}, spec: {mount: %s}}", s.api.group, name, mount))
	s.cleanUp(name)
}

func (s *scene) cleanUp(workspace string) {
	s.t.Cleanup(func() {
		_ = s.At(s.api.kind()).Delete(context.Background(), workspace, metav1.DeleteOptions{}) // it may be gone
	})
}

// cluster makes a mount object, or changes it, and gives it a status in JSON.
func (s *scene) cluster(name, status string) {
	s.t.Helper()
	s.Apply(fmt.Sprintf("{apiVersion: infra.example.com/v1, kind: Cluster, metadata: {name: %s}}", name))
	s.status("clusters.infra.example.com", name, status)
}

// status replaces fields of an object's status.
func (s *scene) status(kind, name, status string) {
	s.t.Helper()
	patch := []byte(`{"status":` + status + `}`)
	options := metav1.PatchOptions{FieldManager: "somebody"}
	if _, err := s.At(kind).Patch(context.Background(), name, types.MergePatchType, patch, options, "status"); err != nil {
		s.t.Fatalf("patching the status of %s %s: %v", kind, name, err)
	}
}

// says waits until a Workspace says something: `phase status/reason`, the URL, empty for none, and words in the message.
func (s *scene) says(name, want, url string, words ...string) *unstructured.Unstructured {
	s.t.Helper()
	return s.WaitFor(s.api.kind(), name, func(u *unstructured.Unstructured) error {
		if got := told(u); got != want || urlOf(u) != url {
			return fmt.Errorf("it says %q with the URL %q, want %q with %q; it is %v", got, urlOf(u), want, url, u.Object)
		}
		for _, word := range words {
			if !strings.Contains(message(u), word) {
				return fmt.Errorf("its message is %q, want %q in it", message(u), word)
			}
		}
		return nil
	})
}

// told gives `phase status/reason`.
func told(u *unstructured.Unstructured) string {
	phase, _, _ := unstructured.NestedString(u.Object, "status", "phase")
	condition, _, _ := strings.Cut(world.Condition(u, "WorkspaceMountReady"), ":")
	return phase + " " + condition
}

func urlOf(u *unstructured.Unstructured) string {
	url, _, _ := unstructured.NestedString(u.Object, "spec", "URL")
	return url
}

// message gives that of the condition.
func message(u *unstructured.Unstructured) string {
	_, text, _ := strings.Cut(world.Condition(u, "WorkspaceMountReady"), ": ")
	return text
}

const (
	first  = "https://first.example.com"
	second = "https://second.example.com/clusters/root:a"
)

// readyAt is the status of a mount object that is ready.
func readyAt(url string) string { return fmt.Sprintf(`{"phase":"Ready","URL":%q}`, url) }

const isUp = "Ready True/MountReady"
