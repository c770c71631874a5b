package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

func resolve(t *testing.T, r Resolver, apiVersion, kind string) *Kind {
	t.Helper()
	k, ok, err := r.Resolve(schema.FromAPIVersionAndKind(apiVersion, kind))
	if err != nil || !ok {
		t.Fatalf("Resolve(%s %s) = ok %v, error %v", apiVersion, kind, ok, err)
	}
	return k
}

// at follows properties; "[]" is an item of a list and "{}" a value of a map.
func at(t *testing.T, s *spec.Schema, path string) *spec.Schema {
	t.Helper()
	for step := range strings.SplitSeq(path, ".") {
		switch {
		case step == "[]" && s.Items != nil:
			s = s.Items.Schema
		case step == "{}" && s.AdditionalProperties != nil:
			s = s.AdditionalProperties.Schema
		default:
			property, ok := s.Properties[step]
			if !ok {
				t.Fatalf("no %q of %q", step, path)
			}
			s = &property
		}
	}
	return s
}

func TestEmbeddedTellsScopeResourceAndSubresources(t *testing.T) {
	tests := []struct {
		apiVersion, kind, plural  string
		namespaced, scale, status bool
	}{
		{"v1", "ConfigMap", "configmaps", true, false, false},
		{"v1", "Namespace", "namespaces", false, false, true},
		{"v1", "Pod", "pods", true, false, true},
		{"v1", "Endpoints", "endpoints", true, false, false},
		{"v1", "ReplicationController", "replicationcontrollers", true, true, true},
		{"apps/v1", "Deployment", "deployments", true, true, true},
		{"apps/v1", "DaemonSet", "daemonsets", true, false, true},
		{"networking.k8s.io/v1", "Ingress", "ingresses", true, false, true},
		{"networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", true, false, false},
		{"rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", false, false, false},
		{"apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", false, false, true},
		{"autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.kind, func(t *testing.T) {
			k := resolve(t, Embedded(), tt.apiVersion, tt.kind)
			gv, _ := schema.ParseGroupVersion(tt.apiVersion)
			if want := gv.WithResource(tt.plural); k.Resource != want {
				t.Errorf("Resource = %v, want %v", k.Resource, want)
			}
			got := [...]bool{k.Namespaced, k.HasScale, k.HasStatus}
			if want := [...]bool{tt.namespaced, tt.scale, tt.status}; got != want {
				t.Errorf("namespaced, scale, status = %v, want %v", got, want)
			}
		})
	}
}

func TestEmbeddedDoesNotKnow(t *testing.T) {
	for _, gvk := range []schema.GroupVersionKind{
		{Version: "v1", Kind: "PodList"},
		{Version: "v1", Kind: "DeleteOptions"},
		{Group: "authentication.k8s.io", Version: "v1", Kind: "TokenReview"},
		{Group: "apps", Version: "v1", Kind: "Deploymnet"},
		{Group: "apps", Version: "v1beta1", Kind: "Deployment"},
		{Group: "apps", Version: "v1", Kind: "Pod"},
		{Group: "example.com", Version: "v1", Kind: "Lamp"},
		{},
	} {
		if k, ok, err := Embedded().Resolve(gvk); k != nil || ok || err != nil {
			t.Errorf("Resolve(%v) = %v, %v, %v; want nothing", gvk, k, ok, err)
		}
	}
}

// described is what a test compares of a schema.
type described struct {
	Type, Format  string
	Required      []string
	Default       any
	Open          bool
	IntOrString   bool
	ListType      any
	ListMapKeys   any
	PropertyCount int
}

func describe(s *spec.Schema) described {
	d := described{Format: s.Format, Required: s.Required, Default: s.Default, PropertyCount: len(s.Properties)}
	if len(s.Type) > 0 {
		d.Type = s.Type[0]
	}
	d.Open, d.IntOrString = isTrue(*s, extPreserveUnknown), isTrue(*s, extIntOrString)
	d.ListType, d.ListMapKeys = s.Extensions[extListType], s.Extensions[extListMapKeys]
	return d
}

func TestEmbeddedSchemas(t *testing.T) {
	tests := []struct {
		apiVersion, kind, path string
		want                   described
	}{
		{"apps/v1", "Deployment", "spec.replicas", described{Type: "integer", Format: "int32"}},
		{"apps/v1", "Deployment", "spec.strategy.rollingUpdate.maxSurge", described{IntOrString: true}},
		{"apps/v1", "Deployment", "metadata.creationTimestamp", described{Type: "string", Format: "date-time"}},
		{"apps/v1", "Deployment", "metadata.labels.{}", described{Type: "string"}},
		{"apps/v1", "Deployment", "spec.template.spec.containers", described{
			Type: "array", ListType: "map", ListMapKeys: []any{"name"},
		}},
		{"apps/v1", "Deployment", "spec.template.spec.containers.[].name", described{Type: "string"}},
		{"apps/v1", "Deployment", "spec.template.spec.containers.[].resources.limits.{}", described{
			Format: "quantity", IntOrString: true,
		}},
		{"v1", "Service", "spec.ports.[].protocol", described{Type: "string", Default: "TCP"}},
		{"v1", "Service", "spec.ports.[].targetPort", described{IntOrString: true}},
		{"v1", "Secret", "data.{}", described{Type: "string", Format: "byte"}},
		{"v1", "Secret", "stringData.{}", described{Type: "string"}},
		{"apps/v1", "ControllerRevision", "data", described{Type: "object", Open: true}},
		{"v1", "Pod", "metadata.managedFields.[].fieldsV1", described{Type: "object", Open: true}},
		{
			"apiextensions.k8s.io/v1", "CustomResourceDefinition",
			"spec.versions.[].schema.openAPIV3Schema.properties.{}", described{Open: true},
		},
		{
			"apiextensions.k8s.io/v1", "CustomResourceDefinition",
			"spec.versions.[].schema.openAPIV3Schema.default", described{Open: true},
		},
	}
	for _, tt := range tests {
		t.Run(tt.kind+" "+tt.path, func(t *testing.T) {
			s := resolve(t, Embedded(), tt.apiVersion, tt.kind).Schema
			if diff := cmp.Diff(tt.want, describe(at(t, s, tt.path))); diff != "" {
				t.Errorf("schema differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEmbeddedRequiresWhatTheAPIServerRequires(t *testing.T) {
	s := resolve(t, Embedded(), "apps/v1", "Deployment").Schema
	if diff := cmp.Diff([]string{"selector", "template"}, at(t, s, "spec").Required); diff != "" {
		t.Errorf("required of spec (-want +got):\n%s", diff)
	}
	for kind, apiVersion := range map[string]string{"Deployment": "apps/v1", "Pod": "v1", "Namespace": "v1"} {
		for _, name := range resolve(t, Embedded(), apiVersion, kind).Schema.Required {
			if name == "status" {
				t.Errorf("%s requires a status", kind)
			}
		}
	}
}

// TestEveryEmbeddedKindStandsAlone expands all kinds and follows every part of them.
func TestEveryEmbeddedKindStandsAlone(t *testing.T) {
	count := 0
	for gv, document := range newLibrary(archive).documents {
		o, err := document()
		if err != nil {
			t.Fatal(err)
		}
		for _, gvk := range o.Kinds() {
			count++
			k := resolve(t, o, gv.String(), gvk.Kind)
			for _, name := range []string{"apiVersion", "kind", "metadata"} {
				if _, ok := k.Schema.Properties[name]; !ok {
					t.Errorf("%v has no %s", gvk, name)
				}
			}
			follow(t, k.Schema, gvk.String())
		}
	}
	if count < 80 {
		t.Errorf("the archive holds %d kinds, want at least 80", count)
	}
}

func follow(t *testing.T, s *spec.Schema, path string) {
	t.Helper()
	if s.Ref.String() != "" || len(s.AllOf) > 0 || s.Description != "" {
		t.Errorf("%s: a reference, an allOf or a description is left", path)
	}
	if len(s.Type) == 0 && !isTrue(*s, extPreserveUnknown) && !isTrue(*s, extIntOrString) {
		t.Errorf("%s: neither a type nor open", path)
	}
	for name, property := range s.Properties {
		follow(t, &property, path+"."+name)
	}
	if s.Items != nil {
		follow(t, s.Items.Schema, path+"[]")
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		follow(t, s.AdditionalProperties.Schema, path+"{}")
	}
}

func TestEmbeddedSharesKinds(t *testing.T) {
	a := resolve(t, Embedded(), "v1", "ConfigMap")
	if b := resolve(t, Embedded(), "v1", "ConfigMap"); a != b {
		t.Error("two calls give two kinds")
	}
}

func TestBrokenArchiveIsAnError(t *testing.T) {
	if _, ok, err := newLibrary([]byte("no zip")).Resolve(schema.GroupVersionKind{Version: "v1", Kind: "Pod"}); ok || err == nil {
		t.Errorf("Resolve = ok %v, error %v; want an error", ok, err)
	}
}

func BenchmarkFirstUse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		l := newLibrary(archive)
		if _, ok, err := l.Resolve(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
