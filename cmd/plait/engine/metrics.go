package engine

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/plait-run/plait/dynamiccontroller/instance"
	"github.com/plait-run/plait/dynamiccontroller/resourcegroup"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// telemetry is the metrics that this package measures or hands around.
type telemetry struct {
	registered *registrations
	instances  *instance.Metrics
	compiles   *prometheus.HistogramVec
	requests   *prometheus.CounterVec
}

func newTelemetry(registry prometheus.Registerer) (*telemetry, error) {
	t := &telemetry{
		registered: &registrations{Registerer: registry}, instances: instance.NewMetrics(),
		compiles: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "plait_compile_duration_seconds",
			Help:    "Duration of the compilation of a ResourceGroup, by result: valid, invalid, unknown (a kind cannot be told now).",
			Buckets: []float64{.005, .01, .05, .1, .5, 1, 5},
		}, []string{"result"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_api_requests_total",
			Help: "Requests to the API server, by verb, purpose and result: success, error.",
		}, []string{"verb", "purpose", "result"}),
	}
	for _, c := range []prometheus.Collector{t.instances, t.compiles, t.requests} {
		if err := t.registered.Register(c); err != nil {
			t.registered.withdraw()
			return nil, err
		}
	}
	return t, nil
}

// compile measures compilations.
func (t *telemetry) compile(next resourcegroup.CompileFunc) resourcegroup.CompileFunc {
	return func(ctx context.Context, group *source.Group) (*graph.Graph, diag.List, error) {
		began, result := time.Now(), "valid"
		g, problems, err := next(ctx, group)
		switch {
		case err != nil:
			result = "unknown"
		case g == nil:
			result = "invalid"
		}
		t.compiles.WithLabelValues(result).Observe(time.Since(began).Seconds())
		return g, problems, err
	}
}

// registrations remembers what was registered, so that another engine of the same process can follow.
type registrations struct {
	prometheus.Registerer

	mu         sync.Mutex
	collectors []prometheus.Collector
}

// Register is part of prometheus.Registerer.
func (r *registrations) Register(c prometheus.Collector) error {
	if err := r.Registerer.Register(c); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collectors = append(r.collectors, c)
	return nil
}

// withdraw takes everything back.
func (r *registrations) withdraw() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.collectors {
		r.Unregister(c)
	}
	r.collectors = nil
}
