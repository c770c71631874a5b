package engine

import (
	"context"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// seriesOf counts the series of a controller.
func seriesOf(t *testing.T, name string) int {
	t.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			for _, pair := range metric.GetLabel() {
				if pair.GetName() == "controller" && pair.GetValue() == name {
					n++
				}
			}
		}
	}
	return n
}

// TestForgetController has the series of one of two ended controllers go.
func TestForgetController(t *testing.T) {
	for _, name := range []string{"forgotten.v1.example.com", "kept.v1.example.com"} {
		c, err := controller.NewUnmanaged(name, controller.Options{
			Reconciler: reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, nil }),
			Logger:     logr.Discard(),
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := c.Start(ctx); err != nil {
			t.Fatal(err)
		}
	}
	before := seriesOf(t, "forgotten.v1.example.com")
	if before < 5 || seriesOf(t, "kept.v1.example.com") != before {
		t.Fatalf("%d series to begin with", before)
	}
	if err := forgetController(metrics.Registry, "forgotten.v1.example.com"); err != nil {
		t.Fatal(err)
	}
	if left := seriesOf(t, "forgotten.v1.example.com"); left != 0 {
		t.Errorf("%d of %d series are left", left, before)
	}
	if kept := seriesOf(t, "kept.v1.example.com"); kept != before {
		t.Errorf("%d of %d series of another controller are left", kept, before)
	}
}
