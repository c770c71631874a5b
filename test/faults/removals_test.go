package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/test/world"
)

// yard is a namespace and a group of a test's own; both have its token.
type yard struct {
	t     *testing.T
	token string
	kinds schema.GroupVersionResource // of the instances
}

func newYard(t *testing.T) *yard {
	t.Helper()
	shared.copies++
	y := &yard{t: t, token: fmt.Sprintf("x%dq", shared.copies)}
	y.kinds = schema.GroupVersionResource{Group: "faults.plait.run", Version: "v1", Resource: "k" + y.token + "s"}
	y.must(shared.apply(t.Context(), "", "{apiVersion: v1, kind: Namespace, metadata: {name: "+y.token+"}}"))
	return y
}

func (y *yard) must(err error) {
	y.t.Helper()
	if err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) serve(resources string) {
	y.t.Helper()
	y.must(shared.apply(y.t.Context(), "", groupOf(y.token, "K"+y.token, resources)))
	y.waitReady(groups, "", y.token)
}

func (y *yard) instance(name, spec string) {
	y.t.Helper()
	document := fmt.Sprintf("{apiVersion: faults.plait.run/v1, kind: K%s, metadata: {name: %s-%s}, spec: {%s}}", y.token, y.token, name, spec)
	y.must(shared.apply(y.t.Context(), y.token, document))
}

func (y *yard) remove(gvr schema.GroupVersionResource, namespace, name string) {
	y.t.Helper()
	y.must(shared.at(gvr, namespace).Delete(y.t.Context(), name, metav1.DeleteOptions{}))
}

func (y *yard) waitReady(gvr schema.GroupVersionResource, namespace, name string) {
	y.t.Helper()
	y.waitFor(gvr, namespace, name, "to be ready", world.IsReady)
}

func (y *yard) waitFor(gvr schema.GroupVersionResource, namespace, name, what string, holds func(*unstructured.Unstructured) bool) {
	y.t.Helper()
	mustWait(y.t, name+" "+what, func() error {
		u, err := shared.at(gvr, namespace).Get(y.t.Context(), name, metav1.GetOptions{})
		if err != nil || holds(u) {
			return err
		}
		return fmt.Errorf("it is %v", u.Object)
	})
}

func (y *yard) waitGone(gvr schema.GroupVersionResource, namespace, name string) {
	y.t.Helper()
	mustWait(y.t, "the end of "+name, func() error {
		u, err := shared.at(gvr, namespace).Get(y.t.Context(), name, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			return nil
		case err != nil:
			return err
		}
		return fmt.Errorf("it is there: %v", u.Object)
	})
}

// names gives the ConfigMaps whose names begin with the token, without it.
func (y *yard) names() []string {
	y.t.Helper()
	list, err := shared.client.Resource(configMaps).List(y.t.Context(), metav1.ListOptions{})
	y.must(err)
	var out []string
	for _, u := range list.Items {
		if name, ours := strings.CutPrefix(u.GetName(), y.token+"-"); ours {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (y *yard) wantNames(want ...string) {
	y.t.Helper()
	mustWait(y.t, fmt.Sprintf("the ConfigMaps %v", want), func() error {
		if got := y.names(); !slices.Equal(got, want) {
			return fmt.Errorf("there are %v", got)
		}
		return nil
	})
	y.must(shared.settle(y.t.Context()))
	if got := y.names(); !slices.Equal(got, want) {
		y.t.Errorf("later there are %v, want %v", got, want)
	}
}

// TestGroupBrokenFixedDeleted changes a group under its instances, and kills the engine while it is broken.
func TestGroupBrokenFixedDeleted(t *testing.T) {
	y := newYard(t)
	a, b := configMap("a", "${schema.spec.text}", ""), configMap("b", "${a.data.text}", "")
	y.serve(a)
	y.instance("one", "text: first")
	y.waitReady(y.kinds, y.token, y.token+"-one")
	y.must(shared.apply(t.Context(), "", groupOf(y.token, "K"+y.token, a+configMap("b", "${nowhere.data.text}", ""))))
	y.waitFor(groups, "", y.token, "to be refused", func(u *unstructured.Unstructured) bool {
		observed, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
		return observed == u.GetGeneration() && !world.IsReady(u)
	})
	y.must(shared.engine.Restart())
	y.instance("one", "text: second")
	y.instance("two", "text: first")
	y.waitReady(y.kinds, y.token, y.token+"-one")
	y.waitReady(y.kinds, y.token, y.token+"-two")
	y.wantNames("one-a", "two-a")

	y.serve(a + b)
	y.wantNames("one-a", "one-b", "two-a", "two-b")
	y.remove(groups, "", y.token)
	y.remove(y.kinds, y.token, y.token+"-one")
	y.wantNames("two-a", "two-b")
	y.must(shared.engine.Restart())
	y.remove(y.kinds, y.token, y.token+"-two")
	y.waitGone(groups, "", y.token)
	y.waitGone(crds, "", y.kinds.GroupResource().String())
	y.wantNames()
}

// TestDefinitionRemoved deletes the CRD of instances: they and their objects go, and the group makes it anew.
func TestDefinitionRemoved(t *testing.T) {
	y := newYard(t)
	y.serve(configMap("a", "${schema.spec.text}", "") + configMap("b", "${a.data.text}", ""))
	y.instance("one", "text: first")
	y.waitReady(y.kinds, y.token, y.token+"-one")
	name := y.kinds.GroupResource().String()
	old, err := shared.client.Resource(crds).Get(t.Context(), name, metav1.GetOptions{})
	y.must(err)
	y.remove(crds, "", name)
	y.waitFor(crds, "", name, "to be made anew", func(u *unstructured.Unstructured) bool {
		return u.GetUID() != old.GetUID() && u.GetDeletionTimestamp() == nil
	})
	y.wantNames()
	y.waitReady(groups, "", y.token)
	y.instance("one", "text: second")
	y.waitReady(y.kinds, y.token, y.token+"-one")
	y.wantNames("one-a", "one-b")
}

// TestDefinitionOfAChildRemoved deletes the CRD of an object that instances are made of: they wait for it, begin anew
// when it is back, and can be deleted without it.
func TestDefinitionOfAChildRemoved(t *testing.T) {
	y := newYard(t)
	widgets := schema.GroupVersionResource{Group: y.token + ".example.com", Version: "v1", Resource: "widgets"}
	definition := fmt.Sprintf(`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.%[1]s},
spec: {group: %[1]s, scope: Namespaced, names: {kind: Widget, plural: widgets}, versions: [{name: v1, served: true, storage: true,
schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}`, widgets.Group)
	y.must(shared.apply(t.Context(), "", definition))
	y.serve(configMap("a", "${schema.spec.text}", "") + fmt.Sprintf(`  - id: widget
    template: {apiVersion: %s/v1, kind: Widget, metadata: {name: "${schema.metadata.name}-w"}, spec: {text: "${a.data.text}"}}
`, widgets.Group))
	y.instance("one", "text: first")
	y.waitReady(y.kinds, y.token, y.token+"-one")
	y.remove(crds, "", "widgets."+widgets.Group)
	y.waitGone(crds, "", "widgets."+widgets.Group)
	y.waitFor(y.kinds, y.token, y.token+"-one", "to notice", func(u *unstructured.Unstructured) bool { return !world.IsReady(u) })
	y.must(shared.settle(t.Context()))
	y.must(shared.apply(t.Context(), "", definition))
	y.waitReady(y.kinds, y.token, y.token+"-one")
	y.waitFor(widgets, y.token, y.token+"-one-w", "to be there", func(*unstructured.Unstructured) bool { return true })
	y.remove(crds, "", "widgets."+widgets.Group)
	y.waitGone(crds, "", "widgets."+widgets.Group)
	y.remove(y.kinds, y.token, y.token+"-one")
	y.waitGone(y.kinds, y.token, y.token+"-one")
	y.wantNames()
}

// TestNamespaceDeleted deletes the namespace of an instance.
func TestNamespaceDeleted(t *testing.T) {
	y := newYard(t)
	y.serve(chain)
	y.instance("one", "text: first")
	y.waitReady(y.kinds, y.token, y.token+"-one")
	y.remove(namespaces, "", y.token)
	y.waitGone(namespaces, "", y.token)
	y.wantNames()
}
