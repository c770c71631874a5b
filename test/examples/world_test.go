package examples

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/yaml"
)

const patience = 60 * time.Second

// world is a cluster as a user sees it.
type world struct {
	client dynamic.Interface
	mapper *restmapper.DeferredDiscoveryRESTMapper
}

func connect(t *testing.T, config *rest.Config) *world {
	t.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	disco, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return &world{client: client, mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco))}
}

func read(t *testing.T, file string) *unstructured.Unstructured {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	json, err := yaml.YAMLToJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(json); err != nil {
		t.Fatal(err)
	}
	return object
}

func (w *world) resource(t *testing.T, o *unstructured.Unstructured) dynamic.ResourceInterface {
	t.Helper()
	gvk := o.GroupVersionKind()
	var mapping *meta.RESTMapping
	eventually(t, "the kind "+gvk.Kind, func() (bool, string) {
		var err error
		if mapping, err = w.mapper.RESTMapping(gvk.GroupKind(), gvk.Version); err != nil {
			w.mapper.Reset()
			return false, err.Error()
		}
		return true, ""
	})
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return w.client.Resource(mapping.Resource).Namespace("default")
	}
	return w.client.Resource(mapping.Resource)
}

func (w *world) apply(t *testing.T, o *unstructured.Unstructured) {
	t.Helper()
	if _, err := w.resource(t, o).Apply(t.Context(), o.GetName(), o, metav1.ApplyOptions{FieldManager: "user", Force: true}); err != nil {
		t.Fatal(err)
	}
}

// until waits for a condition of the live object.
func (w *world) until(t *testing.T, o *unstructured.Unstructured, what string, holds func(*unstructured.Unstructured) bool) {
	t.Helper()
	resource := w.resource(t, o)
	eventually(t, fmt.Sprintf("%s %s: %s", o.GetKind(), o.GetName(), what), func() (bool, string) {
		live, err := resource.Get(t.Context(), o.GetName(), metav1.GetOptions{})
		if err != nil {
			return false, err.Error()
		}
		return holds(live), fmt.Sprint(live.Object["status"])
	})
}

// delete deletes an object and waits until it is gone.
func (w *world) delete(t *testing.T, o *unstructured.Unstructured) {
	t.Helper()
	resource := w.resource(t, o)
	if err := resource.Delete(t.Context(), o.GetName(), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, fmt.Sprintf("%s %s to be gone", o.GetKind(), o.GetName()), func() (bool, string) {
		live, err := resource.Get(t.Context(), o.GetName(), metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return true, ""
		}
		return false, fmt.Sprint(live, err)
	})
}

func (w *world) mustHave(t *testing.T, apiVersion, kind, name string, pathAndValue ...any) {
	t.Helper()
	last := len(pathAndValue) - 1
	var path []string
	for _, step := range pathAndValue[:last] {
		path = append(path, fmt.Sprint(step))
	}
	w.until(t, reference(apiVersion, kind, name), strings.Join(path, "."), func(o *unstructured.Unstructured) bool {
		got, _, err := unstructured.NestedFieldNoCopy(o.Object, path...)
		return err == nil && got == pathAndValue[last]
	})
}

func (w *world) mustLack(t *testing.T, apiVersion, kind, name string) {
	t.Helper()
	resource := w.resource(t, reference(apiVersion, kind, name))
	eventually(t, fmt.Sprintf("%s %s to be gone", kind, name), func() (bool, string) {
		_, err := resource.Get(t.Context(), name, metav1.GetOptions{})
		return apierrors.IsNotFound(err), fmt.Sprint(err)
	})
}

func reference(apiVersion, kind, name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": name},
	}}
}

// kindsOfExamples are those whose objects an example may leave behind.
var kindsOfExamples = []schema.GroupVersionResource{
	{Version: "v1", Resource: "configmaps"}, {Version: "v1", Resource: "services"}, {Version: "v1", Resource: "pods"},
	{Group: "apps", Version: "v1", Resource: "deployments"}, {Group: "apps", Version: "v1", Resource: "replicasets"},
	{Group: "networking.k8s.io", Version: "v1", Resource: "ingresses"},
	{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegroups"},
	{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegrouprevisions"},
}

// everything names all objects of these kinds.
func (w *world) everything(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, gvr := range kindsOfExamples {
		list, err := w.client.Resource(gvr).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range list.Items {
			names = append(names, item.GetKind()+" "+item.GetNamespace()+"/"+item.GetName())
		}
	}
	slices.Sort(names)
	return names
}

func (w *world) nothingBut(t *testing.T, before []string) {
	t.Helper()
	eventually(t, "nothing to be left", func() (bool, string) {
		var left []string
		for _, name := range w.everything(t) {
			if !slices.Contains(before, name) && !strings.Contains(name, "kube-root-ca.crt") {
				left = append(left, name)
			}
		}
		return len(left) == 0, strings.Join(left, ", ")
	})
}

// eventually waits for a condition; its second result says how things stand when patience ends.
func eventually(t *testing.T, what string, holds func() (bool, string)) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		ok, state := holds()
		if ok {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited %s for %s; now: %s", patience, what, state)
		}
		<-time.After(20 * time.Millisecond)
	}
}

func isReady(o *unstructured.Unstructured) bool {
	return condition(o)["status"] == "True" && isObserved(o)
}

func isActive(o *unstructured.Unstructured) bool {
	state, _, _ := unstructured.NestedString(o.Object, "status", "state")
	return state == "ACTIVE" && isReady(o)
}

func failedWith(text string) func(*unstructured.Unstructured) bool {
	return func(o *unstructured.Unstructured) bool {
		state, _, _ := unstructured.NestedString(o.Object, "status", "state")
		return state == "FAILED" && isObserved(o) && strings.Contains(fmt.Sprint(condition(o)["message"]), text)
	}
}

func isObserved(o *unstructured.Unstructured) bool {
	observed, _, _ := unstructured.NestedInt64(o.Object, "status", "observedGeneration")
	return observed == o.GetGeneration()
}

func condition(o *unstructured.Unstructured) map[string]any {
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, item := range conditions {
		if c, ok := item.(map[string]any); ok && c["type"] == "Ready" {
			return c
		}
	}
	return nil
}
