package connection

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Metrics is what is told of Connections; nil tells nothing. It is a prometheus.Collector.
type Metrics struct {
	discoveries *prometheus.HistogramVec
	renewals    *prometheus.CounterVec

	mu    sync.Mutex
	shown map[string]shown // by Connection
}

// shown is what gauges say of one Connection.
type shown struct {
	conditions map[string]bool // by type: whether it is True
	apis       map[v1alpha1.ExportedAPIState]int
	renewed    time.Time // the heartbeat Lease, last; zero: never
}

var (
	connectionCondition = prometheus.NewDesc("plait_connection_condition",
		"1 while a condition of a Connection is True, else 0.", []string{"connection", "condition"}, nil)
	connectionAPIs = prometheus.NewDesc("plait_connection_exported_apis",
		"APIs that a Connection's provider exports, by where they stand in this cluster.", []string{"connection", "state"}, nil)
	connectionLease = prometheus.NewDesc("plait_connection_lease_age_seconds",
		"Time since the heartbeat Lease of a Connection was last renewed.", []string{"connection"}, nil)
)

// NewMetrics gives metrics without any series.
func NewMetrics() *Metrics {
	return &Metrics{
		discoveries: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "plait_connection_discovery_duration_seconds",
			Help:    "Duration of a round of questions to a Connection's provider, by result: success, error.",
			Buckets: []float64{.005, .01, .05, .1, .5, 1, 5, 10, 30},
		}, []string{"connection", "result"}),
		renewals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_connection_lease_renewals_total",
			Help: "Renewals of the heartbeat Lease of a Connection, by result: success, error.",
		}, []string{"connection", "result"}),
		shown: map[string]shown{},
	}
}

// Describe is part of prometheus.Collector.
func (m *Metrics) Describe(out chan<- *prometheus.Desc) {
	m.discoveries.Describe(out)
	m.renewals.Describe(out)
	for _, d := range []*prometheus.Desc{connectionCondition, connectionAPIs, connectionLease} {
		out <- d
	}
}

// Collect is part of prometheus.Collector.
func (m *Metrics) Collect(out chan<- prometheus.Metric) {
	m.discoveries.Collect(out)
	m.renewals.Collect(out)
	m.mu.Lock()
	defer m.mu.Unlock()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	for _, name := range slices.Sorted(maps.Keys(m.shown)) {
		s := m.shown[name]
		for kind, isTrue := range s.conditions {
			value := 0.0
			if isTrue {
				value = 1
			}
			gauge(connectionCondition, value, name, kind)
		}
		for state, count := range s.apis {
			gauge(connectionAPIs, float64(count), name, string(state))
		}
		if !s.renewed.IsZero() {
			gauge(connectionLease, time.Since(s.renewed).Seconds(), name)
		}
	}
}

// tell takes over what a status says.
func (m *Metrics) tell(connection string, status v1alpha1.ConnectionStatus) {
	if m == nil {
		return
	}
	now := shown{conditions: map[string]bool{}, apis: map[v1alpha1.ExportedAPIState]int{}}
	for _, kind := range v1alpha1.AllConnectionConditions() {
		now.conditions[string(kind)] = meta.IsStatusConditionTrue(status.Conditions, string(kind))
	}
	for _, api := range status.ExportedAPIs {
		now.apis[api.State]++
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now.renewed = m.shown[connection].renewed
	m.shown[connection] = now
}

// discovered tells of one round.
func (m *Metrics) discovered(connection string, took time.Duration, err error) {
	if m != nil {
		m.discoveries.WithLabelValues(connection, resultOf(err)).Observe(took.Seconds())
	}
}

// Renewed tells of one attempt to renew a Lease; a nil failure is none.
func (m *Metrics) Renewed(connection string, failure error) {
	if m == nil {
		return
	}
	m.renewals.WithLabelValues(connection, resultOf(failure)).Inc()
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.shown[connection]; ok && failure == nil {
		s.renewed = time.Now()
		m.shown[connection] = s
	}
}

func resultOf(err error) string {
	if err != nil {
		return "error"
	}
	return "success"
}

// forget drops the series of a Connection.
func (m *Metrics) forget(connection string) {
	if m == nil {
		return
	}
	labels := prometheus.Labels{"connection": connection}
	m.discoveries.DeletePartialMatch(labels)
	m.renewals.DeletePartialMatch(labels)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.shown, connection)
}
