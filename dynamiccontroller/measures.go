package dynamiccontroller

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// measures are the durations that the engine has seen, by kind of instances.
type measures struct {
	reconciles *prometheus.HistogramVec
	active     *prometheus.HistogramVec
}

func newMeasures() *measures {
	return &measures{
		reconciles: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "plait_reconcile_duration_seconds",
			Help:    "Duration of a pass over an instance, by result: success, later (looks again by time), error, panic.",
			Buckets: []float64{.001, .005, .01, .05, .1, .5, 1, 5, 30},
		}, []string{"resource", "result"}),
		active: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "plait_active_duration_seconds",
			Help:    "Time from a change of an instance's spec until it is ACTIVE, the wait in the queue included.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 15, 60, 300, 1800},
		}, []string{"resource"}),
	}
}

func (m *measures) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.reconciles, m.active}
}

// forget drops the series of a kind.
func (m *measures) forget(resource string) {
	labels := prometheus.Labels{"resource": resource}
	m.reconciles.DeletePartialMatch(labels)
	m.active.DeletePartialMatch(labels)
}

// measured is a reconciler whose passes are measured.
func (m *measures) measured(resource string, next reconcile.Reconciler) reconcile.Reconciler {
	return reconcile.Func(func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
		began, outcome := time.Now(), "panic"
		defer func() {
			m.reconciles.WithLabelValues(resource, outcome).Observe(time.Since(began).Seconds())
		}()
		result, err := next.Reconcile(ctx, req)
		switch {
		case err != nil:
			outcome = "error"
		case result.RequeueAfter > 0:
			outcome = "later"
		default:
			outcome = "success"
		}
		return result, err
	})
}

// changes remembers when the spec of instances was changed, until they are ACTIVE.
type changes struct {
	mu    sync.Mutex
	since map[types.UID]time.Time
}

// begin notes a change; of several the last counts.
func (c *changes) begin(uid types.UID, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.since == nil {
		c.since = map[types.UID]time.Time{}
	}
	c.since[uid] = now
}

// end gives how long an instance took; ok is false when no change of it is known.
func (c *changes) end(uid types.UID, now time.Time) (took time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	began, ok := c.since[uid]
	delete(c.since, uid)
	return now.Sub(began), ok
}

// isActive tells whether an instance says of its newest generation that it is ACTIVE.
func isActive(u *unstructured.Unstructured) bool {
	seen, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
	return stateOf(u) == "ACTIVE" && seen == u.GetGeneration()
}

func stateOf(u *unstructured.Unstructured) string {
	state, _, _ := unstructured.NestedString(u.Object, "status", "state")
	return state
}
