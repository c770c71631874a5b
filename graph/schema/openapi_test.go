package schema

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var light = schema.GroupVersion{Group: "light", Version: "v1"}

// treeDocument has a recursive type (Branch), two that hold each other (Nest, Egg), and a kind for each way in.
const treeDocument = `{
"paths": {
  "/apis/light/v1/namespaces/{namespace}/trees/{name}": {"get": {"x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Tree"}}},
  "/apis/light/v1/birds/{name}": {"patch": {"x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Bird"}}},
  "/apis/light/v1/ghosts/{name}": {"get": {"x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Ghost"}}},
  "/apis/light/v1/broken/{name}": {"get": {"x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Broken"}}},
  "/apis/other/v1/trees/{name}": {"get": {"x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Other"}}}
},
"components": {"schemas": {
  "Tree": {
    "type": "object",
    "required": ["status", "root"],
    "x-kubernetes-group-version-kind": [{"group": "light", "version": "v1", "kind": "Tree"}],
    "properties": {
      "root": {"$ref": "#/components/schemas/Branch"},
      "nest": {"$ref": "#/components/schemas/Nest"},
      "height": {"allOf": [{"$ref": "#/components/schemas/Metres"}], "description": "m", "default": {}, "x-kubernetes-map-type": "atomic"},
      "age": {"type": "integer", "default": 0},
      "kind": {"type": "string", "default": "oak"}
    }
  },
  "Bird": {
    "type": "object",
    "x-kubernetes-group-version-kind": [{"group": "other", "version": "v1", "kind": "Bird"}, {"group": "light", "version": "v1", "kind": "Bird"}],
    "properties": {"egg": {"$ref": "#/components/schemas/Egg"}}
  },
  "Branch": {"type": "object", "properties": {
    "leaves": {"type": "integer"},
    "branches": {"type": "array", "items": {"$ref": "#/components/schemas/Branch"}}
  }},
  "Nest": {"type": "object", "properties": {"eggs": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Egg"}}}},
  "Egg": {"type": "object", "properties": {"size": {"type": "integer"}, "nest": {"$ref": "#/components/schemas/Nest"}}},
  "Metres": {"type": "object", "properties": {"n": {"type": "number"}}},
  "Broken": {
    "x-kubernetes-group-version-kind": [{"group": "light", "version": "v1", "kind": "Broken"}],
    "properties": {"a": {"$ref": "#/components/schemas/Missing"}}
  }
}}}`

func openTree(t *testing.T) *OpenAPI {
	t.Helper()
	o, err := FromOpenAPI(light, []byte(treeDocument))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestFromOpenAPI(t *testing.T) {
	o := openTree(t)
	want := []schema.GroupVersionKind{light.WithKind("Bird"), light.WithKind("Broken"), light.WithKind("Tree")}
	if diff := cmp.Diff(want, o.Kinds()); diff != "" {
		t.Errorf("kinds differ (-want +got):\n%s", diff)
	}
	k := resolve(t, o, "light/v1", "Tree")
	if k.Resource != light.WithResource("trees") || !k.Namespaced || k.HasScale || k.HasStatus {
		t.Errorf("got %v, namespaced %v, scale %v, status %v", k.Resource, k.Namespaced, k.HasScale, k.HasStatus)
	}
	if diff := cmp.Diff([]string{"root"}, k.Schema.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
	tests := []struct {
		path string
		want described
	}{
		{"root", described{Type: "object", PropertyCount: 2}},
		{"root.branches.[]", described{Open: true}},
		{"nest.eggs.{}.nest", described{Open: true}},
		{"height", described{Type: "object", PropertyCount: 1}},
		{"age", described{Type: "integer"}},
		{"kind", described{Type: "string", Default: "oak"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, describe(at(t, k.Schema, tt.path))); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", tt.path, diff)
		}
	}
	if got := at(t, k.Schema, "height").Extensions["x-kubernetes-map-type"]; got != "atomic" {
		t.Errorf("the map type beside a reference = %v, want atomic", got)
	}
}

// TestCutsDependOnTheKindOnly: what was read before must not change where a recursion is cut.
func TestCutsDependOnTheKindOnly(t *testing.T) {
	first, second := openTree(t), openTree(t)
	resolve(t, first, "light/v1", "Tree")
	got := resolve(t, first, "light/v1", "Bird").Schema
	want := resolve(t, second, "light/v1", "Bird").Schema
	if diff := cmp.Diff(describe(at(t, want, "egg.nest.eggs.{}")), describe(at(t, got, "egg.nest.eggs.{}"))); diff != "" {
		t.Errorf("Bird after Tree differs from Bird alone (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(described{Type: "object", PropertyCount: 1}, describe(at(t, got, "egg.nest"))); diff != "" {
		t.Errorf("egg.nest differs (-want +got):\n%s", diff)
	}
}

func TestFromOpenAPIErrors(t *testing.T) {
	if _, err := FromOpenAPI(light, []byte(`{`)); err == nil || !strings.Contains(err.Error(), `"light/v1"`) {
		t.Errorf("a broken document gives %v, want an error that names the group", err)
	}
	if _, err := FromOpenAPI(light, []byte(`{"components": {"schemas": {"A": 1}}}`)); err == nil {
		t.Error("a broken schema gives no error")
	}
	_, ok, err := openTree(t).Resolve(light.WithKind("Broken"))
	if ok || err == nil || !strings.Contains(err.Error(), `"Missing"`) {
		t.Errorf("Resolve = %v, %v; want an error that names the missing schema", ok, err)
	}
}

func TestResolversAreSafeForConcurrentUse(t *testing.T) {
	library := newLibrary(archive)
	r := Chain(FromCRDs(parseCRD(t, lampCRD)), openTree(t), library)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for _, gvk := range []schema.GroupVersionKind{
				{Group: "light.example.com", Version: "v1", Kind: "Lamp"},
				{Group: "apps", Version: "v1", Kind: "Deployment"},
				{Group: "apps", Version: "v1", Kind: "StatefulSet"},
				light.WithKind("Tree"), light.WithKind("Bird"),
			} {
				k, ok, err := r.Resolve(gvk)
				if !ok || err != nil {
					t.Errorf("Resolve(%v) = %v, %v", gvk, ok, err)
					continue
				}
				Check(k.Schema, map[string]any{"spec": map[string]any{"replicas": int64(1)}}, "")
			}
		})
	}
	group.Wait()
}
