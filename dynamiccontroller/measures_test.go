package dynamiccontroller

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func TestMeasuredPasses(t *testing.T) {
	m := newMeasures()
	for outcome, reconcileOnce := range map[string]reconcile.Func{
		"success": func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, nil },
		"later": func(context.Context, reconcile.Request) (reconcile.Result, error) {
			return reconcile.Result{RequeueAfter: time.Second}, nil
		},
		"error": func(context.Context, reconcile.Request) (reconcile.Result, error) {
			return reconcile.Result{}, errors.New("broken")
		},
		"panic": func(context.Context, reconcile.Request) (reconcile.Result, error) { panic("broken") },
	} {
		func() {
			defer func() { _ = recover() }()
			_, _ = m.measured("webapps.v1.example.com", reconcileOnce).Reconcile(t.Context(), reconcile.Request{})
		}()
		labels := map[string]string{"resource": "webapps.v1.example.com", "result": outcome}
		if !m.reconciles.Delete(labels) {
			t.Errorf("no pass counts as %s", outcome)
		}
	}
	if n := testutil.CollectAndCount(m.reconciles); n != 0 {
		t.Errorf("%d further results", n)
	}
}

func TestMeasuresForgetAKind(t *testing.T) {
	m := newMeasures()
	for _, resource := range []string{"a.v1.example.com", "b.v1.example.com"} {
		m.active.WithLabelValues(resource).Observe(1)
		m.reconciles.WithLabelValues(resource, "success").Observe(1)
	}
	m.forget("a.v1.example.com")
	if a, r := testutil.CollectAndCount(m.active), testutil.CollectAndCount(m.reconciles); a != 1 || r != 1 {
		t.Errorf("%d and %d series are left, want those of the other kind", a, r)
	}
}

func TestChanges(t *testing.T) {
	var c changes
	start := time.Unix(1000, 0)
	c.begin("a", start)
	c.begin("a", start.Add(time.Second))
	if took, ok := c.end("a", start.Add(3*time.Second)); !ok || took != 2*time.Second {
		t.Errorf("took %s, %v; want 2s since the last change", took, ok)
	}
	if _, ok := c.end("a", start); ok {
		t.Error("a change ends twice")
	}
}

func TestTenants(t *testing.T) {
	var c tenants
	var got []bool
	for _, n := range []int{1, 1, -1, -1} {
		got = append(got, c.add("team-a", n))
	}
	if diff := cmp.Diff([]bool{false, false, false, true}, got); diff != "" {
		t.Errorf("emptied (-want +got):\n%s", diff)
	}
	c.add("", 1)
	if c.has("team-a") || !c.has("") {
		t.Error("team-a is empty, and the cluster is not")
	}
}
