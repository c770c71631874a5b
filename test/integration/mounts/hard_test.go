package mounts_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// definition defines a kind of mount objects.
func definition(kind string) string {
	plural := strings.ToLower(kind) + "s"
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[1]s.infra.example.com}
spec:
  group: infra.example.com
  names: {kind: %[2]s, plural: %[1]s}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties: {status: {x-kubernetes-preserve-unknown-fields: true}}`, plural, kind)
}

// TestKindServedLater serves the kind after the Workspace is there, takes it away while it is ready, and serves it again.
func TestKindServedLater(t *testing.T) {
	t.Parallel()
	inBoth(t, "later", func(s *scene) {
		kind := "Later" + strings.TrimPrefix(s.Namespace, "later-")
		plural := strings.ToLower(kind) + "s.infra.example.com"
		object := fmt.Sprintf("{apiVersion: infra.example.com/v1, kind: %s, metadata: {name: a}}", kind)
		w := s.mount(fmt.Sprintf("{apiVersion: infra.example.com/v1, kind: %s, name: a, namespace: %s}", kind, s.Namespace))
		s.says(w, "Scheduling False/MountKindNotServed", "", kind)
		s.Apply(definition(kind))
		s.t.Cleanup(func() {
			_ = shared.Client.Resource(definitions).Delete(context.Background(), plural, metav1.DeleteOptions{}) // it may be gone
		})
		s.says(w, "Unavailable False/MountObjectNotFound", "")
		s.Apply(object)
		s.status(plural, "a", readyAt(first))
		s.says(w, isUp, first)
		s.Remove("customresourcedefinitions.apiextensions.k8s.io", plural)
		s.says(w, "Unavailable False/MountKindNotServed", first)
		s.Apply(definition(kind))
		s.says(w, "Unavailable False/MountObjectNotFound", first)
		s.Apply(object)
		s.status(plural, "a", readyAt(second))
		s.says(w, isUp, second)
	})
}

// TestReferences has references that can mean no object, and one that is mended where that is allowed.
func TestReferences(t *testing.T) {
	t.Parallel()
	inBoth(t, "references", func(s *scene) {
		for _, tt := range []struct{ ref, word string }{
			{"{apiVersion: too/many/slashes, kind: Cluster, name: a, namespace: " + s.Namespace + "}", "too/many/slashes"},
			{"{apiVersion: infra.example.com/v1, kind: Cluster, name: a}", "names none"},
			{"{apiVersion: infra.example.com/v1, kind: Zone, name: a, namespace: " + s.Namespace + "}", "names one"},
			{"{apiVersion: infra.example.com/v1, kind: Cluster, name: ../a, namespace: " + s.Namespace + "}", "no name of an object"},
		} {
			s.says(s.mount(tt.ref), "Unavailable False/MountReferenceInvalid", "", tt.word)
		}
		itself := s.Namespace + "-itself"
		s.mountAs(itself, fmt.Sprintf("{ref: {apiVersion: %s/v1alpha1, kind: Workspace, name: %s}}", s.api.group, itself))
		s.says(itself, "Unavailable False/MountReferenceInvalid", "", "itself")
	})
}

// TestBadURLs has a mount object that is ready and gives URLs that no Workspace may have.
func TestBadURLs(t *testing.T) {
	t.Parallel()
	inBoth(t, "urls", func(s *scene) {
		s.cluster("a", readyAt(first))
		w := s.mount(s.ref("a"))
		s.says(w, isUp, first)
		object := fmt.Sprintf("%s/apis/%s/v1alpha1/workspaces/%s", shared.RESTConfig().Host, s.api.group, w)
		for url, word := range map[string]string{
			"http://x": "http", "https://me:secret@x": "user", "https:///a": "no host", "/clusters/a": "relative",
			object: "itself", shared.RESTConfig().Host + "/clusters/root:" + w: "itself", "https://x?a=b": "query",
		} {
			s.cluster("a", readyAt(url))
			u := s.says(w, "Unavailable False/MountURLInvalid", first, word)
			if strings.Contains(message(u), "secret") {
				s.t.Errorf("the message tells a password: %s", message(u))
			}
		}
	})
}

// TestSeveralOnOne has two Workspaces of each API on one cluster-scoped object.
func TestSeveralOnOne(t *testing.T) {
	t.Parallel()
	one, other := newScene(t, plait, "several-plait"), newScene(t, kcp, "several-kcp")
	one.Apply("{apiVersion: infra.example.com/v1, kind: Zone, metadata: {name: several}}")
	one.status("zones.infra.example.com", "several", readyAt(first))
	const ref = "{apiVersion: infra.example.com/v1, kind: Zone, name: several}"
	all := map[string]*scene{one.mount(ref): one, one.mount(ref): one, other.mount(ref): other, other.mount(ref): other}
	if len(all) != 4 {
		t.Fatalf("there are %d Workspaces", len(all))
	}
	for _, step := range []struct{ status, want, url string }{
		{readyAt(second), isUp, second}, {`{"phase":"Gone"}`, "Unavailable False/MountObjectNotReady", second},
	} {
		one.status("zones.infra.example.com", "several", step.status)
		for name, s := range all {
			s.says(name, step.want, step.url)
		}
	}
}

// TestDeleting holds a Workspace in deletion, and sees that neither it nor its mount object is touched.
func TestDeleting(t *testing.T) {
	inBoth(t, "deleting", func(s *scene) {
		s.cluster("a", readyAt(first))
		w := s.mount(s.ref("a"))
		s.says(w, isUp, first)
		s.Patch(s.api.kind(), w, `{"metadata":{"finalizers":["example.com/hold"]}}`)
		s.Delete(s.api.kind(), w)
		ledger := shared.NewLedger(s.t)
		s.cluster("a", `{"phase":"Broken"}`)
		if got := ledger.Take(); len(got) > 0 {
			s.t.Errorf("the engine asks for %q", got)
		}
		s.says(w, isUp, first)
		s.Patch(s.api.kind(), w, `{"metadata":{"finalizers":null}}`)
		s.WaitGone(s.api.kind(), w)
		if _, err := s.Get("clusters.infra.example.com", "a"); err != nil {
			s.t.Errorf("the mount object: %v", err)
		}
	})
}

// TestRequests counts: two to go up, one to go down, one for another URL, none when nothing differs.
func TestRequests(t *testing.T) {
	s := newScene(t, plait, "requests")
	s.cluster("a", readyAt(first))
	s.cluster("unmounted", readyAt(first))
	w := s.mount(s.ref("a"))
	s.says(w, isUp, first)
	ledger := shared.NewLedger(t)
	for _, step := range []struct {
		object, status, want, url string
		requests                  []string
	}{
		{"a", `{"phase":"Broken"}`, "Unavailable False/MountObjectNotReady", first, []string{"patch workspaces " + w + "/status"}},
		{"a", readyAt(second), isUp, second, []string{"patch workspaces " + w, "patch workspaces " + w + "/status"}},
		{"a", readyAt(first), isUp, first, []string{"patch workspaces " + w}},
		{"a", `{"heartbeat":1}`, isUp, first, nil},
		{"unmounted", `{"phase":"Broken"}`, isUp, first, nil},
	} {
		s.cluster(step.object, step.status)
		s.says(w, step.want, step.url)
		if got := ledger.Take(); fmt.Sprint(got) != fmt.Sprint(step.requests) {
			t.Errorf("status %s of %s: %q, want %q", step.status, step.object, got, step.requests)
		}
	}
	s.Patch(plait.kind(), w, `{"metadata":{"labels":{"a":"b"}}}`)
	if got := ledger.Take(); len(got) > 0 {
		t.Errorf("after a label: %q", got)
	}
}

// TestEditsAreMended has somebody edit what the controller writes.
func TestEditsAreMended(t *testing.T) {
	t.Parallel()
	s := newScene(t, plait, "edits")
	s.cluster("a", readyAt(first))
	w := s.mount(s.ref("a"))
	s.says(w, isUp, first)
	s.Patch(plait.kind(), w, `{"spec":{"URL":"https://wrong.example.com"}}`)
	s.says(w, isUp, first)
	s.status(plait.kind(), w, `{"phase":"Unavailable"}`)
	s.says(w, isUp, first)
}

// TestColumns prints what kubectl get shows.
func TestColumns(t *testing.T) {
	s := newScene(t, plait, "columns")
	crd, err := shared.Client.Resource(definitions).Get(t.Context(), "workspaces.plait.run", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.Names(plait.kind(), s.Namespace)
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	version, _ := versions[0].(map[string]any)
	columns, _ := version["additionalPrinterColumns"].([]any)
	var names []string
	for _, item := range columns {
		column, _ := item.(map[string]any)
		if column["priority"] == nil || column["priority"] == int64(0) {
			names = append(names, fmt.Sprint(column["name"]))
		}
	}
	if got := strings.ToUpper(strings.Join(names, " ")); got != "PHASE URL MOUNT AGE" {
		t.Errorf("the columns are %q", got)
	}
}

// TestMetricsAndEvents reads what is told beside the status.
func TestMetricsAndEvents(t *testing.T) {
	s := newScene(t, plait, "told")
	s.cluster("a", readyAt(first))
	w := s.mount(s.ref("a"))
	s.says(w, isUp, first)
	s.cluster("a", `{"phase":"Broken"}`)
	s.says(w, "Unavailable False/MountObjectNotReady", first)
	metrics := running.Scrape(t)
	for _, want := range []string{
		`plait_mounts_workspaces{state="unavailable"} `, `plait_mounts_workspaces{state="ready"} `, `plait_mounts_workspaces{state="scheduling"} `,
		`plait_mounts_reconcile_total{reason="MountReady",result="changed"} `, "plait_mounts_latency_seconds_count ", "plait_mounts_informers ",
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("%s is not among the metrics", want)
		}
	}
	world.Eventually(t, "the events are not there", func() error {
		list, err := shared.Client.Resource(events).Namespace("default").List(context.Background(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		var got []string
		for _, e := range list.Items {
			if name, _, _ := unstructured.NestedString(e.Object, "regarding", "name"); name == w {
				got = append(got, fmt.Sprintf("%v %v by %v", e.Object["type"], e.Object["reason"], e.Object["reportingController"]))
			}
		}
		if text := strings.Join(got, ", "); !strings.Contains(text, "Normal MountReady by plait-workspace-mounts") ||
			!strings.Contains(text, "Warning MountObjectNotReady by plait-workspace-mounts") {
			return fmt.Errorf("there are %q", got)
		}
		return nil
	})
}
