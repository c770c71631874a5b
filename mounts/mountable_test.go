package mounts

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph"
)

func TestMountable(t *testing.T) {
	tests := map[string]struct {
		status map[string]string // types by field
		want   string            // empty: it is
	}{
		"URL":                 {map[string]string{"URL": "string", "url": "integer"}, ""},
		"url":                 {map[string]string{"url": "string"}, ""},
		"a phase beside it":   {map[string]string{"url": "string", "phase": "string"}, ""},
		"none":                {map[string]string{"uri": "string"}, "its status has no field URL: add one to spec.schema.status"},
		"no status":           {nil, "its status has no field URL: add one to spec.schema.status"},
		"another type":        {map[string]string{"URL": "integer", "url": "string"}, "its status.URL is of type integer, and has to be a string"},
		"a phase that is one": {map[string]string{"URL": "string", "phase": "object"}, "its status.phase is of type object, and a phase counts before the state: give the field another name"},
	}
	for name, tt := range tests {
		fields := map[string]apiextensionsv1.JSONSchemaProps{}
		for field, kind := range tt.status {
			fields[field] = apiextensionsv1.JSONSchemaProps{Type: kind}
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Schema: &apiextensionsv1.CustomResourceValidation{
			OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Properties: map[string]apiextensionsv1.JSONSchemaProps{"status": {Properties: fields}}},
		}}}
		g := graph.New(graph.Spec{Kind: schema.GroupVersionKind{Group: "a", Version: "v1", Kind: "K"}, CRD: crd})
		if ok, why := Mountable(g); why != tt.want || ok != (tt.want == "") {
			t.Errorf("%s: %v, %q, want %q", name, ok, why, tt.want)
		}
	}
}
