package resourcegroup

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/go-logr/logr"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/instance"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

var (
	testKind     = schema.GroupVersionKind{Group: "apps.example.com", Version: "v1", Kind: "WebApp"}
	testResource = schema.GroupVersionResource{Group: "apps.example.com", Version: "v1", Resource: "webapps"}
)

const definitionName = "webapps.apps.example.com"

// world is one group with everything around it. Definitions are established as soon as they are made.
type world struct {
	t           *testing.T
	group       *unstructured.Unstructured // nil: gone
	definitions map[string]*apiextensionsv1.CustomResourceDefinition
	revisions   []v1alpha1.ResourceGroupRevision
	instances   []*unstructured.Unstructured
	registered  bool
	state       error // of the instance controller; nil: it runs
	breaking    []string
	compileErr  error
	panics      bool
	compiled    int
	version     int
	calls       []string
	hub         *graph.Hub
	now         time.Time
	reconciler  *Reconciler
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		t: t, definitions: map[string]*apiextensionsv1.CustomResourceDefinition{}, version: 1, hub: graph.NewHub(),
		now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC),
	}
	w.group = &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "plait.run/v1alpha1", "kind": "ResourceGroup",
		"metadata": map[string]any{"name": "webapps", "uid": "uid-1", "resourceVersion": "1", "generation": int64(1)},
		"spec":     specWith(map[string]any{"mark": "one"}),
	}}
	w.restart(Config{AllowCRDDeletion: true})
	return w
}

func specWith(fields map[string]any) map[string]any {
	return map[string]any{
		"schema":    map[string]any{"apiVersion": "v1", "kind": "WebApp", "group": "apps.example.com", "spec": fields},
		"resources": []any{},
	}
}

// restart makes a reconciler that remembers nothing.
func (w *world) restart(config Config) {
	config.Now = func() time.Time { return w.now }
	w.reconciler = New(Deps{
		Log: logr.Discard(), Hub: w.hub, Compile: w.compile, Engine: w, Groups: w, Revisions: fakeRevisions{w}, Definitions: fakeDefinitions{w},
		Clients: instance.ClientSet{Engine: fakeAPI{w}}, Config: config,
		Compare: func(served, wanted *apiextensionsv1.CustomResourceDefinition) Comparison {
			equal := served.Spec.Group == wanted.Spec.Group && slices.Equal(served.Spec.Names.Categories, wanted.Spec.Names.Categories)
			return Comparison{Equal: equal, Breaking: w.breaking}
		},
	})
}

// compile takes every spec but one with the field broken. The field mark is a category of the definition.
func (w *world) compile(_ context.Context, group *source.Group) (*graph.Graph, diag.List, error) {
	var problems diag.List
	w.compiled++
	if w.panics {
		panic("unforeseen")
	}
	spec := group.Root.Get("spec").Get("schema")
	if w.compileErr != nil {
		return nil, problems, w.compileErr
	}
	if spec.Get("spec").Get("broken") != nil {
		problems.Add(diag.Diagnostic{Code: diag.ExprField, Path: "spec.schema", Summary: "no such field"})
		return nil, problems, nil
	}
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: definitionName}}
	crd.Spec.Group, crd.Spec.Names.Kind, crd.Spec.Names.Plural = testKind.Group, testKind.Kind, "webapps"
	crd.Spec.Names.Categories = []string{spec.Get("spec").Get("mark").Text()}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{
		Name: "v1", Served: true, Storage: true,
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object"}},
	}}
	node := &graph.Node{ID: "config", Kind: graph.Template, GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Installed: true}
	return graph.New(graph.Spec{
		Name: group.Name, Kind: testKind, Resource: testResource, Namespaced: true, CRD: crd, Nodes: []*graph.Node{node}, Order: []int{0}, Layers: [][]int{{0}},
	}), problems, nil
}

// edit changes spec.schema.spec of the group.
func (w *world) edit(fields map[string]any) {
	group := w.group.DeepCopy()
	group.Object["spec"] = specWith(fields)
	group.SetGeneration(group.GetGeneration() + 1)
	w.put(group)
}

func (w *world) put(group *unstructured.Unstructured) {
	w.version++
	group.SetResourceVersion(strconv.Itoa(w.version))
	w.group = group
}

func (w *world) markDeleted(set map[string]any) {
	group := w.group.DeepCopy()
	for k, v := range set {
		group.Object["spec"].(map[string]any)[k] = v
	}
	group.SetDeletionTimestamp(&metav1.Time{Time: w.now})
	w.put(group)
}

// run reconciles until nothing more is called, and gives the calls.
func (w *world) run() []string {
	w.t.Helper()
	var all []string
	for range 20 {
		w.calls = nil
		_, err := w.reconciler.Reconcile(context.Background(), reconcile.Request{NamespacedName: types.NamespacedName{Name: "webapps"}})
		if err != nil && w.compileErr == nil {
			w.t.Fatalf("reconciling: %v", err)
		}
		if len(w.calls) == 0 {
			return all
		}
		all = append(all, w.calls...)
	}
	w.t.Fatalf("the reconciler does not come to rest: %v", all)
	return nil
}

func (w *world) called(format string, args ...any) {
	w.calls = append(w.calls, fmt.Sprintf(format, args...))
}

func (w *world) condition(kind v1alpha1.ConditionType) string {
	list, _, _ := unstructured.NestedSlice(w.group.Object, "status", "conditions")
	for _, item := range list {
		if c := item.(map[string]any); c["type"] == string(kind) {
			return fmt.Sprintf("%v/%v", c["status"], c["reason"])
		}
	}
	return "absent"
}

func (w *world) status(field string) any {
	v, _, _ := unstructured.NestedFieldNoCopy(w.group.Object, "status", field)
	return v
}

// Groups.

func (w *world) Group(context.Context, string) (*unstructured.Unstructured, bool, error) {
	return w.group, w.group != nil, nil
}

// Engine.

func (w *world) Register(schema.GroupVersionResource, schema.GroupVersionKind, reconcile.Reconciler) {
	w.registered = true
	w.called("register")
}

func (w *world) Deregister(schema.GroupVersionResource) {
	w.registered = false
	w.called("deregister")
}

func (w *world) Enqueue(_ schema.GroupVersionResource, key types.NamespacedName, _ dynamiccontroller.Priority) {
	w.called("enqueue %s", key.Name)
}

func (w *world) Instances(schema.GroupVersionResource) []*unstructured.Unstructured {
	return slices.Clone(w.instances)
}

func (w *world) State(schema.GroupVersionResource) (bool, error) {
	return w.registered && w.state == nil, w.state
}

func (w *world) OnRunning(func(schema.GroupKind)) {}

func (w *world) WaitServed(context.Context, schema.GroupVersionResource) error { return nil }

type fakeRevisions struct{ *world }

func (f fakeRevisions) List(_ context.Context, group types.UID) ([]v1alpha1.ResourceGroupRevision, error) {
	var out []v1alpha1.ResourceGroupRevision
	for _, r := range f.revisions {
		if r.Spec.ResourceGroup.UID == group {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b v1alpha1.ResourceGroupRevision) int { return int(b.Spec.Revision - a.Spec.Revision) })
	return out, nil
}

func (f fakeRevisions) Create(_ context.Context, r *v1alpha1.ResourceGroupRevision) error {
	f.called("revision %d", r.Spec.Revision)
	f.world.revisions = append(f.world.revisions, *r)
	return nil
}

func (f fakeRevisions) Delete(_ context.Context, name string) error {
	f.called("drop %s", name)
	f.world.revisions = slices.DeleteFunc(f.world.revisions, func(r v1alpha1.ResourceGroupRevision) bool { return r.Name == name })
	return nil
}

type fakeDefinitions struct{ *world }

func (f fakeDefinitions) OfGroup(_ context.Context, group types.UID) (*apiextensionsv1.CustomResourceDefinition, bool, error) {
	for _, crd := range f.definitions {
		if crd.Labels[v1alpha1.LabelResourceGroupUID] == string(group) {
			return crd, true, nil
		}
	}
	return nil, false, nil
}

func (f fakeDefinitions) Cached(_ context.Context, name string) (*apiextensionsv1.CustomResourceDefinition, bool, error) {
	crd, ok := f.definitions[name]
	return crd, ok && crd.Labels[v1alpha1.LabelResourceGroupUID] != "", nil
}

func (f fakeDefinitions) Live(_ context.Context, name string) (*apiextensionsv1.CustomResourceDefinition, bool, error) {
	crd, ok := f.definitions[name]
	return crd, ok, nil
}

func (f fakeDefinitions) Create(_ context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	if _, exists := f.definitions[crd.Name]; exists {
		return apierrors.NewAlreadyExists(schema.GroupResource{}, crd.Name)
	}
	f.called("create definition")
	crd.UID = "uid-crd"
	f.keep(crd)
	return nil
}

func (f fakeDefinitions) keep(crd *apiextensionsv1.CustomResourceDefinition) {
	f.version++
	crd.ResourceVersion = strconv.Itoa(f.version)
	crd.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionTrue}}
	f.definitions[crd.Name] = crd
}

func (f fakeDefinitions) Replace(_ context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	f.called("replace definition")
	f.keep(crd)
	return nil
}

func (f fakeDefinitions) Delete(_ context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	f.called("delete definition")
	delete(f.definitions, crd.Name)
	return nil
}

// fakeAPI writes the group, and deletes instances.
type fakeAPI struct{ *world }

func (f fakeAPI) Patch(_ context.Context, at apply.Place, p apply.Patch) (map[string]any, error) {
	body := decoded(f.t, p.Body)
	group := f.group.DeepCopy()
	finalizers, _, _ := unstructured.NestedStringSlice(body, "metadata", "finalizers")
	switch {
	case at.Subresource == "status":
		f.called("status")
		group.Object["status"] = body["status"]
	case len(finalizers) > 0:
		f.called("claim")
		group.SetFinalizers(finalizers)
	default:
		f.called("let go")
		f.world.group = nil
		return group.Object, nil
	}
	f.put(group)
	return f.group.Object, nil
}

func (f fakeAPI) Get(context.Context, apply.Place) (map[string]any, error) {
	return f.group.Object, nil
}

func (f fakeAPI) Delete(_ context.Context, at apply.Place, uid types.UID) (gone bool, err error) {
	f.called("delete instance %s", at.Name)
	f.world.instances = slices.DeleteFunc(f.world.instances, func(u *unstructured.Unstructured) bool { return u.GetUID() == uid })
	return true, nil
}

func decoded(t *testing.T, in map[string]any) map[string]any {
	t.Helper()
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatalf("encoding: %v", err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(data, &out); err != nil {
		t.Fatalf("decoding: %v", err)
	}
	return out
}

func instanceNamed(name, state string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"namespace": "team-a", "name": name, "uid": "uid-" + name},
		"status":   map[string]any{"state": state},
	}}
}
