package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	graphschema "github.com/plait-run/plait/graph/schema"
)

// documentOf is an OpenAPI document of a kind Thing whose spec is this schema.
func documentOf(spec, components string) string {
	const gvk = `"x-kubernetes-group-version-kind":[{"group":"x.example.com","version":"v1","kind":"Thing"}]`
	return fmt.Sprintf(`{"paths":{"/apis/x.example.com/v1/things/{name}":{"get":{"x-kubernetes-group-version-kind":{"group":"x.example.com","version":"v1","kind":"Thing"}}}},
		"components":{"schemas":{"Thing":{"type":"object",%s,"properties":{"spec":%s}}%s}}}`, gvk, spec, components)
}

func exportOf(t *testing.T, document string) Export {
	t.Helper()
	read, err := graphschema.FromOpenAPI(schema.GroupVersion{Group: "x.example.com", Version: "v1"}, []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	kind, err := read.Expand("Thing")
	if err != nil {
		t.Fatal(err)
	}
	from := candidate{group: "x.example.com", plural: "things", versions: []offer{{"v1", apidiscoveryv2.APIResourceDiscovery{
		Resource: "things", SingularResource: "thing", ResponseKind: &metav1.GroupVersionKind{Kind: "Thing"}, ShortNames: []string{"th"},
	}}}}
	return synthesise(t.Context(), from, []*graphschema.Schema{kind})
}

func TestSynthesise(t *testing.T) {
	tests := map[string]struct{ spec, components, want string }{
		"a reference in allOf with more": {
			spec:       `{"type":"object","allOf":[{"$ref":"#/components/schemas/Base"},{"properties":{"b":{"type":"string"}},"required":["b"]}]}`,
			components: `,"Base":{"type":"object","properties":{"a":{"type":"integer"}}}`,
			want:       `{"type":"object","required":["b"],"properties":{"a":{"type":"integer"},"b":{"type":"string"}}}`,
		},
		"int or string": {
			spec: `{"type":"object","properties":{"port":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}}}`,
			want: `{"type":"object","properties":{"port":{"x-kubernetes-int-or-string":true}}}`,
		},
		"a map": {
			spec: `{"type":"object","additionalProperties":{"type":"string"}}`,
			want: `{"type":"object","additionalProperties":{"type":"string"}}`,
		},
		"properties and more of them": {
			spec: `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}}`,
			want: `{"type":"object","properties":{"a":{"type":"string"}},"x-kubernetes-preserve-unknown-fields":true}`,
		},
		"a list by keys that lost its key": {
			spec: `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","properties":{"a":{"type":"string"}}}}`,
			want: `{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}`,
		},
		"a list by a key that is not required": {
			spec: `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","properties":{"name":{"type":"string"}}}}`,
			want: `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}}`,
		},
		"no type": {spec: `{"description":"anything"}`, want: `{"x-kubernetes-preserve-unknown-fields":true}`},
		"a default that does not fit": {
			spec: `{"type":"object","properties":{"a":{"type":"string","default":7}}}`,
			want: `{"type":"object","properties":{"a":{"type":"string"}}}`,
		},
		"recursion": {
			spec:       `{"$ref":"#/components/schemas/Tree"}`,
			components: `,"Tree":{"type":"object","properties":{"left":{"$ref":"#/components/schemas/Tree"}}}`,
			want:       `{"type":"object","properties":{"left":{"x-kubernetes-preserve-unknown-fields":true}}}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := exportOf(t, documentOf(tt.spec, tt.components))
			if e.Definition == nil {
				t.Fatalf("there is no definition: %s", e.Fault.Message)
			}
			got, err := json.Marshal(e.Definition.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(plainOf(t, []byte(tt.want)), plainOf(t, got)); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
		})
	}
}

func plainOf(t *testing.T, raw []byte) any {
	t.Helper()
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// A document whose parts refer to each other twice and twice again is small, and its schema is not.
func TestSynthesiseOfAnExplosion(t *testing.T) {
	var components strings.Builder
	for i := range 40 {
		fmt.Fprintf(&components, `,"C%d":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/C%d"},"b":{"$ref":"#/components/schemas/C%d"}}}`, i, i+1, i+1)
	}
	components.WriteString(`,"C40":{"type":"string"}`)
	e := exportOf(t, documentOf(`{"$ref":"#/components/schemas/C0"}`, components.String()))
	if e.Fault.State != v1alpha1.ExportedAPIInvalid || e.Fault.Reason != ReasonTooLarge {
		t.Errorf("fault %+v, want it to be too large", e.Fault)
	}
}
