package sync

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/plait-run/plait/dynamiccontroller/track"
)

var everything = labels.Everything()

// The sides that are written to.
const (
	up   = "provider"
	down = "consumer"
)

// Metrics is what is measured of syncers. Series go when their binding's task ends. Safe for concurrent use.
type Metrics struct {
	writes    *prometheus.CounterVec
	latencies *prometheus.HistogramVec
	objects   *prometheus.GaugeVec
}

// NewMetrics makes metrics that somebody has to register.
func NewMetrics() *Metrics {
	return &Metrics{
		writes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_sync_writes_total",
			Help: "Writes of the sync, by API, Connection, side: provider, consumer; and result: success, refused (an API server says no), error.",
		}, []string{"resource", "connection", "side", "result"}),
		latencies: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "plait_sync_duration_seconds",
			Help:    "Time from the news of a change to the provider's answer to its write.",
			Buckets: []float64{.01, .025, .05, .1, .2, .5, 1, 5, 30, 300},
		}, []string{"resource", "connection"}),
		objects: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "plait_sync_objects",
			Help: "Objects of bound APIs, by state: copied, moving, conflict, refused.",
		}, []string{"resource", "connection", "namespace", "binding", "state"}),
	}
}

// Describe is part of prometheus.Collector.
func (m *Metrics) Describe(out chan<- *prometheus.Desc) {
	for _, c := range m.all() {
		c.Describe(out)
	}
}

// Collect is part of prometheus.Collector.
func (m *Metrics) Collect(out chan<- prometheus.Metric) {
	for _, c := range m.all() {
		c.Collect(out)
	}
}

func (m *Metrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.writes, m.latencies, m.objects}
}

func (m *Metrics) wrote(t Task, side string, err error) {
	result := "success"
	switch {
	case err == nil:
	case isRefused(err):
		result = "refused"
	default:
		result = "error"
	}
	m.writes.WithLabelValues(track.ResourceName(t.Resource), t.Connection, side, result).Inc()
}

func (m *Metrics) took(t Task, d time.Duration) {
	m.latencies.WithLabelValues(track.ResourceName(t.Resource), t.Connection).Observe(d.Seconds())
}

func (m *Metrics) count(t Task, r Report) {
	for state, n := range map[string]int{"copied": r.Objects, "moving": r.Moving + r.Late, "conflict": r.Conflicts, "refused": r.Refused} {
		m.objects.WithLabelValues(track.ResourceName(t.Resource), t.Connection, t.Binding.Namespace, t.Binding.Name, state).Set(float64(n))
	}
}

// forget drops the series of a task. Those that tasks of one API share go with the last of them.
func (m *Metrics) forget(t Task, isLast bool) {
	gvr := track.ResourceName(t.Resource)
	m.objects.DeletePartialMatch(prometheus.Labels{"resource": gvr, "namespace": t.Binding.Namespace, "binding": t.Binding.Name})
	if isLast {
		m.writes.DeletePartialMatch(prometheus.Labels{"resource": gvr, "connection": t.Connection})
		m.latencies.DeletePartialMatch(prometheus.Labels{"resource": gvr, "connection": t.Connection})
	}
}
