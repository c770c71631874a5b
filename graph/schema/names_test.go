package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestKindNames(t *testing.T) {
	nameless := resolverFunc(func(schema.GroupVersionKind) (*Kind, bool, error) { return nil, false, nil })
	tests := []struct {
		name string
		r    Resolver
		gv   schema.GroupVersion
		want []string
	}{
		{"built-in", Embedded(), schema.GroupVersion{Group: "apps", Version: "v1"},
			[]string{"ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"}},
		{"no such group", Embedded(), schema.GroupVersion{Group: "nobody", Version: "v1"}, nil},
		{"definitions", FromCRDs(parseCRD(t, lampCRD)), schema.GroupVersion{Group: "light.example.com", Version: "v1"}, []string{"Lamp"}},
		{"document", openTree(t), light, []string{"Bird", "Broken", "Tree"}},
		{"document of another version", openTree(t), schema.GroupVersion{Group: "light", Version: "v2"}, nil},
		{"chain", Chain(nameless, openTree(t), openTree(t), Embedded()), light, []string{"Bird", "Broken", "Tree"}},
		{"no namer", nameless, light, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, KindNames(tt.r, tt.gv)); diff != "" {
				t.Errorf("names differ (-want +got):\n%s", diff)
			}
		})
	}
}
