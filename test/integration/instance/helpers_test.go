package instance_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/api/config"
)

// patience is how long a test waits for what comes within a second.
const patience = 30 * time.Second

var (
	crds       = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	groups     = schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegroups"}
	revisions  = schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegrouprevisions"}
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
)

// eventually waits until the check finds nothing wrong.
func eventually(t *testing.T, what string, check func() error) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-deadline.C:
			t.Fatalf("%s: %v", what, err)
		case <-tick.C:
		}
	}
}

// world is a namespace of a test's own, and a client that is not the engine's.
type world struct {
	t         *testing.T
	client    dynamic.Interface
	namespace string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldIn(t, strings.ToLower(t.Name()))
}

func newWorldIn(t *testing.T, namespace string) *world {
	t.Helper()
	rc := rest.CopyConfig(shared.RESTConfig())
	rc.QPS = -1
	client, err := dynamic.NewForConfig(rc)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, client: client, namespace: namespace}
	t.Cleanup(w.sweep)
	for _, file := range config.CRDs() {
		w.apply(crds, "", string(file.YAML))
	}
	w.apply(namespaces, "", "{apiVersion: v1, kind: Namespace, metadata: {name: "+w.namespace+"}}")
	return w
}

// apply applies a document as a user would, once the API server takes it: a kind that was just defined is refused for a
// moment.
func (w *world) apply(gvr schema.GroupVersionResource, namespace, document string) *unstructured.Unstructured {
	w.t.Helper()
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(document), &u.Object); err != nil {
		w.t.Fatalf("reading the test's document: %v", err)
	}
	var out *unstructured.Unstructured
	eventually(w.t, "applying "+u.GetName(), func() (err error) {
		out, err = w.at(gvr, namespace).Apply(context.Background(), u.GetName(), u, metav1.ApplyOptions{FieldManager: "user", Force: true})
		return err
	})
	return out
}

// sweep removes what the test has left, once its engine has stopped.
func (w *world) sweep() {
	w.t.Helper()
	definitions, err := w.at(crds, "").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		w.t.Fatalf("listing definitions: %v", err)
	}
	left := []schema.GroupVersionResource{groups, revisions}
	for _, d := range definitions.Items {
		if plural, group, _ := strings.Cut(d.GetName(), "."); group == "test.example.com" {
			left = append(left, schema.GroupVersionResource{Group: group, Version: "v1", Resource: plural})
		}
	}
	for _, gvr := range left {
		w.sweepResource(gvr)
		if gvr.Group == "test.example.com" {
			_ = w.at(crds, "").Delete(context.Background(), gvr.GroupResource().String(), metav1.DeleteOptions{})
		}
	}
}

func (w *world) sweepResource(gvr schema.GroupVersionResource) {
	list, err := w.at(gvr, "").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return
	}
	for _, u := range list.Items {
		at := w.at(gvr, u.GetNamespace())
		_, _ = at.Patch(context.Background(), u.GetName(), types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		_ = at.Delete(context.Background(), u.GetName(), metav1.DeleteOptions{})
	}
}

func (w *world) at(gvr schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return w.client.Resource(gvr)
	}
	return w.client.Resource(gvr).Namespace(namespace)
}

func (w *world) get(gvr schema.GroupVersionResource, namespace, name string) (*unstructured.Unstructured, error) {
	return w.at(gvr, namespace).Get(context.Background(), name, metav1.GetOptions{})
}

// names gives the sorted names of the ConfigMaps in the namespace that begin with a prefix.
func (w *world) names(prefix string) []string {
	w.t.Helper()
	list, err := w.at(configMaps, w.namespace).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		w.t.Fatalf("listing ConfigMaps: %v", err)
	}
	var out []string
	for _, u := range list.Items {
		if strings.HasPrefix(u.GetName(), prefix) {
			out = append(out, u.GetName())
		}
	}
	slices.Sort(out)
	return out
}

func (w *world) delete(gvr schema.GroupVersionResource, namespace, name string) {
	w.t.Helper()
	if err := w.at(gvr, namespace).Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
		w.t.Fatalf("deleting %s: %v", name, err)
	}
}

func (w *world) waitGone(gvr schema.GroupVersionResource, namespace, name string) {
	w.t.Helper()
	eventually(w.t, name+" does not go", func() error {
		u, err := w.get(gvr, namespace, name)
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		return fmt.Errorf("it is there: %v %v", u.GetFinalizers(), u.Object["status"])
	})
}

// waitStatus waits until a field of status has a value, at the newest generation.
func (w *world) waitStatus(gvr schema.GroupVersionResource, namespace, name, field string, want any) *unstructured.Unstructured {
	w.t.Helper()
	var out *unstructured.Unstructured
	eventually(w.t, fmt.Sprintf("%s does not get %s %v", name, field, want), func() error {
		u, err := w.get(gvr, namespace, name)
		if err != nil {
			return err
		}
		out = u
		got, _, _ := unstructured.NestedFieldNoCopy(u.Object, "status", field)
		seen, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
		if got != want || seen != u.GetGeneration() {
			return fmt.Errorf("status is %v", u.Object["status"])
		}
		return nil
	})
	return out
}

// condition gives status, reason and message of a condition, joined.
func condition(u *unstructured.Unstructured, kind string) string {
	list, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, item := range list {
		if c, ok := item.(map[string]any); ok && c["type"] == kind {
			return fmt.Sprintf("%v/%v: %v", c["status"], c["reason"], c["message"])
		}
	}
	return "absent"
}

// ledger counts the requests of the engine.
type ledger struct {
	t      *testing.T
	offset int64
}

func newLedger(t *testing.T) *ledger {
	t.Helper()
	l := &ledger{t: t}
	l.settle()
	return l
}

// take gives the engine's requests since the last time, `verb resource name` each, once none has come for a moment.
func (l *ledger) take() []string {
	l.t.Helper()
	return l.settle()
}

// quiet is how long no request has to come until the engine counts as idle.
const quiet = 300 * time.Millisecond

func (l *ledger) settle() []string {
	l.t.Helper()
	var out []string
	last := time.Now()
	eventually(l.t, "the engine does not come to rest", func() error {
		events, next, err := shared.AuditEvents(l.offset)
		if err != nil {
			return err
		}
		l.offset = next
		for _, e := range events {
			if !strings.HasPrefix(e.UserAgent, agent) || e.Verb == "watch" || e.ObjectRef == nil {
				continue
			}
			name := e.ObjectRef.Name
			if e.ObjectRef.Subresource != "" {
				name += "/" + e.ObjectRef.Subresource
			}
			if e.ResponseStatus.Code >= 400 {
				name += fmt.Sprintf(" (%d)", e.ResponseStatus.Code)
			}
			out, last = append(out, fmt.Sprintf("%s %s %s", e.Verb, e.ObjectRef.Resource, name)), time.Now()
		}
		if time.Since(last) < quiet {
			return fmt.Errorf("requests %v", out)
		}
		return nil
	})
	return out
}
