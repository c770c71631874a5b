package schema

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

const lampCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.light.example.com}
spec:
  group: light.example.com
  scope: Cluster
  names: {plural: lamps, kind: Lamp}
  versions:
  - name: v1alpha1
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object}}
  - name: v1beta1
    served: true
    storage: false
    schema:
      openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.count, statusReplicasPath: .status.count}}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec, status]
        properties:
          metadata:
            type: object
            properties:
              name: {type: string, maxLength: 10}
          spec:
            type: object
            description: what is wanted
            properties:
              port: {x-kubernetes-int-or-string: true}
              free: {x-kubernetes-preserve-unknown-fields: true}
              note: {type: string, nullable: true, default: ""}
              tags:
                type: array
                x-kubernetes-list-type: set
                items: {type: string}
              bulbs:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [socket]
                items:
                  type: object
                  required: [socket]
                  properties:
                    socket: {type: string}
              object: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
          status: {type: object}
`

func parseCRD(t *testing.T, text string) *apiextensions.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensions.CustomResourceDefinition{}
	if err := yaml.Unmarshal([]byte(text), crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

func TestFromCRDs(t *testing.T) {
	k := resolve(t, FromCRDs(parseCRD(t, lampCRD)), "light.example.com/v1", "Lamp")
	want := schema.GroupVersionResource{Group: "light.example.com", Version: "v1", Resource: "lamps"}
	if k.Resource != want || k.Namespaced || !k.HasScale || !k.HasStatus {
		t.Errorf("got %v, namespaced %v, scale %v, status %v", k.Resource, k.Namespaced, k.HasScale, k.HasStatus)
	}
	tests := []struct {
		path string
		want described
	}{
		{"apiVersion", described{Type: "string"}},
		{"metadata.uid", described{Type: "string"}},
		{"metadata.deletionTimestamp", described{Type: "string", Format: "date-time"}},
		{"spec.port", described{IntOrString: true}},
		{"spec.free", described{Open: true}},
		{"spec.note", described{Type: "string", Default: ""}},
		{"spec.tags", described{Type: "array", ListType: "set"}},
		{"spec.bulbs", described{Type: "array", ListType: "map", ListMapKeys: []any{"socket"}}},
		{"spec.object", described{Type: "object", Open: true, PropertyCount: 3, Required: []string{"apiVersion", "kind"}}},
		{"spec.object.metadata.name", described{Type: "string"}},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, describe(at(t, k.Schema, tt.path))); diff != "" {
				t.Errorf("schema differs (-want +got):\n%s", diff)
			}
		})
	}
	if diff := cmp.Diff([]string{"spec"}, k.Schema.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
	if got := at(t, k.Schema, "metadata.name").MaxLength; got == nil || *got != 10 {
		t.Errorf("maxLength of the name = %v, want 10", got)
	}
	if !at(t, k.Schema, "spec.note").Nullable {
		t.Error("spec.note lost nullable")
	}
}

func TestFromCRDsLeavesBuiltInMetadataAlone(t *testing.T) {
	resolve(t, FromCRDs(parseCRD(t, lampCRD)), "light.example.com/v1", "Lamp")
	if got := at(t, resolve(t, Embedded(), "v1", "ConfigMap").Schema, "metadata.name").MaxLength; got != nil {
		t.Errorf("a CRD changed the name of ConfigMaps: maxLength %d", *got)
	}
}

func TestFromCRDsVersions(t *testing.T) {
	r := FromCRDs(parseCRD(t, lampCRD))
	if !isTrue(*resolve(t, r, "light.example.com/v1beta1", "Lamp").Schema, extPreserveUnknown) {
		t.Error("v1beta1 is not open")
	}
	for _, gvk := range []schema.GroupVersionKind{
		{Group: "light.example.com", Version: "v1alpha1", Kind: "Lamp"},
		{Group: "light.example.com", Version: "v1", Kind: "LampList"},
	} {
		if _, ok, err := r.Resolve(gvk); ok || err != nil {
			t.Errorf("Resolve(%v) = %v, %v; want nothing", gvk, ok, err)
		}
	}
}

func TestFromCRDsThatPreserveEverything(t *testing.T) {
	crd := parseCRD(t, lampCRD)
	crd.Spec.PreserveUnknownFields = true
	s := resolve(t, FromCRDs(crd), "light.example.com/v1", "Lamp").Schema
	for _, path := range []string{"spec", "spec.bulbs.[]", "status"} {
		if !isTrue(*at(t, s, path), extPreserveUnknown) {
			t.Errorf("%s is closed", path)
		}
	}
}

func TestChain(t *testing.T) {
	failing := resolverFunc(func(gvk schema.GroupVersionKind) (*Kind, bool, error) {
		if gvk.Group == "apps" {
			return nil, false, errDown
		}
		return nil, false, nil
	})
	r := Chain(FromCRDs(parseCRD(t, lampCRD)), failing, Embedded())
	resolve(t, r, "light.example.com/v1", "Lamp")
	resolve(t, r, "v1", "ConfigMap")
	if _, ok, err := r.Resolve(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}); ok || !errors.Is(err, errDown) {
		t.Errorf("Resolve = %v, %v; want the error of the resolver that cannot tell", ok, err)
	}
	if _, ok, err := r.Resolve(schema.GroupVersionKind{Group: "x", Version: "v1", Kind: "Y"}); ok || err != nil {
		t.Errorf("Resolve = %v, %v; want nothing", ok, err)
	}
}

type resolverFunc func(schema.GroupVersionKind) (*Kind, bool, error)

func (f resolverFunc) Resolve(gvk schema.GroupVersionKind) (*Kind, bool, error) { return f(gvk) }

type downError struct{}

func (downError) Error() string { return "discovery is down" }

var errDown = downError{}
