package dynamiccontroller

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/dynamiccontroller/watch"
)

func TestPriorityOf(t *testing.T) {
	base := func(edit func(*unstructured.Unstructured)) *unstructured.Unstructured {
		u := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "x", "generation": int64(1)}}}
		if edit != nil {
			edit(u)
		}
		return u
	}
	spec := base(func(u *unstructured.Unstructured) { u.SetGeneration(2) })
	asked := base(func(u *unstructured.Unstructured) { u.SetAnnotations(map[string]string{"plait.run/reconcile-at": "1"}) })
	claimed := base(func(u *unstructured.Unstructured) { u.SetFinalizers([]string{"plait.run/instance"}) })
	status := base(func(u *unstructured.Unstructured) { u.Object["status"] = map[string]any{"x": "y"} })
	tests := map[string]struct {
		change watch.Change
		want   Priority
		ok     bool
	}{
		"start-up":                        {watch.Change{New: base(nil), Initial: true}, Background, true},
		"new":                             {watch.Change{New: base(nil)}, Change, true},
		"gone":                            {watch.Change{Old: base(nil)}, Change, true},
		"reminder":                        {watch.Change{Old: base(nil), New: base(nil), Resync: true}, Background, true},
		"spec":                            {watch.Change{Old: base(nil), New: spec}, Change, true},
		"annotation":                      {watch.Change{Old: base(nil), New: asked}, Change, true},
		"foreign finalizer":               {watch.Change{Old: base(nil), New: claimed}, Change, true},
		"foreign status":                  {watch.Change{Old: base(nil), New: status}, Background, true},
		"own status":                      {watch.Change{Old: base(nil), New: status, Echo: true}, 0, false},
		"own claim":                       {watch.Change{Old: base(nil), New: claimed, Echo: true}, 0, false},
		"own write that shows a new spec": {watch.Change{Old: base(nil), New: spec, Echo: true}, Change, true},
	}
	for name, tt := range tests {
		if got, ok := priorityOf(tt.change); got != tt.want || ok != tt.ok {
			t.Errorf("%s: %d, %v; want %d, %v", name, got, ok, tt.want, tt.ok)
		}
	}
}
