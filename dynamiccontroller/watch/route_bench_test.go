package watch

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/track"
)

// BenchmarkRoute is the way of a child's event to its instance, among a thousand.
func BenchmarkRoute(b *testing.B) {
	told := 0
	w, err := New(Config{Client: struct{ dynamic.Interface }{}, Enqueue: func(track.Owner) { told++ }})
	if err != nil {
		b.Fatal(err)
	}
	things := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "things"}
	for i := range 1000 {
		name := types.NamespacedName{Namespace: "default", Name: fmt.Sprintf("thing-%d", i)}
		w.Bind(types.UID(fmt.Sprintf("uid-%d", i)), track.Owner{Resource: things, NamespacedName: name})
	}
	child := func(version string) *unstructured.Unstructured {
		u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}
		u.SetName("child")
		u.SetNamespace("default")
		u.SetResourceVersion(version)
		u.SetLabels(map[string]string{v1alpha1.LabelOwned: v1alpha1.True, v1alpha1.LabelInstanceUID: "uid-500"})
		return u
	}
	scope := track.Scope{Resource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Children: true}
	change := Change{Old: child("1"), New: child("2")}
	b.ReportAllocs()
	for b.Loop() {
		w.changed(scope, change)
	}
	if told == 0 {
		b.Error("nobody was told")
	}
}
