package apply

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

func testOwner() Owner {
	return Owner{
		GVK:       schema.GroupVersionKind{Group: "apps.example.com", Version: "v1alpha1", Kind: "WebApp"},
		Namespace: "team-a", Name: "shop", UID: "uid-1", References: true,
	}
}

func configMap(data map[string]any) plan.Object {
	return plan.Object{
		Node: "config", Needs: []string{"db", "names"},
		Key:      plan.Key{Kind: "ConfigMap", Namespace: "team-a", Name: "shop"},
		GVK:      schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"},
		Resource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"},
		Rendered: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"name": "shop", "labels": map[string]any{"team": "a"}},
			"data":     data,
		},
	}
}

func TestMarked(t *testing.T) {
	obj := configMap(map[string]any{"a": "1"})
	got := testOwner().Marked(obj)
	annotations := got["metadata"].(map[string]any)["annotations"].(map[string]any)
	hash := annotations["plait.run/applied-hash"]
	delete(annotations, "plait.run/applied-hash")
	want := map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"a": "1"},
		"metadata": map[string]any{
			"name": "shop", "namespace": "team-a",
			"labels": map[string]any{
				"team":                           "a",
				"plait.run/owned":                "true",
				"plait.run/instance-uid":         "uid-1",
				"plait.run/bucket":               "67",
				"applyset.kubernetes.io/part-of": testOwner().ApplySetID(),
				"app.kubernetes.io/managed-by":   "plait.run",
			},
			"annotations": map[string]any{
				"plait.run/instance": "WebApp.apps.example.com/team-a/shop",
				"plait.run/node":     "config",
				"plait.run/needs":    "db,names",
			},
			"ownerReferences": []any{map[string]any{
				"apiVersion": "apps.example.com/v1alpha1", "kind": "WebApp", "name": "shop", "uid": "uid-1",
				"blockOwnerDeletion": false,
			}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("marked object (-want +got):\n%s", diff)
	}
	if len(hash.(string)) != len("1-")+32 {
		t.Errorf("hash %q is not the algorithm's number and 32 digits", hash)
	}
	if _, touched := obj.Rendered["metadata"].(map[string]any)["annotations"]; touched {
		t.Error("the rendered object was changed")
	}
}

func TestOwnerReferences(t *testing.T) {
	cases := map[string]struct {
		change func(*Owner, *plan.Object)
		want   bool
	}{
		"same namespace":           {func(*Owner, *plan.Object) {}, true},
		"another namespace":        {func(_ *Owner, o *plan.Object) { o.Key.Namespace = "team-b" }, false},
		"cluster-scoped child":     {func(_ *Owner, o *plan.Object) { o.Key.Namespace = "" }, false},
		"cluster-scoped instance":  {func(o *Owner, _ *plan.Object) { o.Namespace = "" }, true},
		"not wanted by the group":  {func(o *Owner, _ *plan.Object) { o.References = false }, false},
		"child outlives the owner": {func(_ *Owner, o *plan.Object) { o.Lifecycle.Orphan = true }, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			owner, obj := testOwner(), configMap(nil)
			c.change(&owner, &obj)
			_, got := owner.Marked(obj)["metadata"].(map[string]any)["ownerReferences"]
			if got != c.want {
				t.Errorf("has an owner reference: %t, want %t", got, c.want)
			}
		})
	}
}

func TestHashFollowsContentOnly(t *testing.T) {
	hash := func(o Owner, obj plan.Object) any {
		h, _ := lookup(o.Marked(obj), hashPath)
		return h
	}
	base := hash(testOwner(), configMap(map[string]any{"a": "1"}))
	if again := hash(testOwner(), configMap(map[string]any{"a": "1"})); again != base {
		t.Errorf("equal objects hash as %v and %v", base, again)
	}
	if other := hash(testOwner(), configMap(map[string]any{"a": "2"})); other == base {
		t.Error("another value gives the same hash")
	}
	ignoring := configMap(map[string]any{"a": "1"})
	ignoring.Lifecycle = graph.Lifecycle{IgnoreFields: []string{"data.a"}}
	changed := configMap(map[string]any{"a": "2"})
	changed.Lifecycle = ignoring.Lifecycle
	if hash(testOwner(), ignoring) != hash(testOwner(), changed) {
		t.Error("the value of an ignored field changes the hash")
	}
}

func TestApplySetID(t *testing.T) {
	id := testOwner().ApplySetID()
	if len(id) > 63 || id[:9] != "applyset-" || id[len(id)-3:] != "-v1" {
		t.Errorf("id %q is not applyset-…-v1 of label length", id)
	}
	other := testOwner()
	other.Namespace = "team-b"
	if other.ApplySetID() == id {
		t.Error("two instances share an id")
	}
}
