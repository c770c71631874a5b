package identity

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Values of the label result.
const (
	resultSuccess = "success"
	resultError   = "error"
)

// metrics are the outcomes of requests made as somebody else.
type metrics struct {
	total    *prometheus.CounterVec
	errors   *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

func newMetrics() *metrics {
	account := []string{"namespace", "service_account"}
	return &metrics{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "controller_impersonation_total",
			Help: "Requests made as a service account, by result.",
		}, append(account, "result")),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "controller_impersonation_errors_total",
			Help: "Requests made as a service account that failed, by kind of error.",
		}, append(account, "error_type")),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "controller_impersonation_duration_seconds",
			Help:    "Duration of requests made as a service account.",
			Buckets: []float64{0.01, 0.05, 0.25, 1, 5},
		}, account),
	}
}

// Describe is part of prometheus.Collector.
func (m *metrics) Describe(out chan<- *prometheus.Desc) {
	m.total.Describe(out)
	m.errors.Describe(out)
	m.duration.Describe(out)
}

// Collect is part of prometheus.Collector.
func (m *metrics) Collect(out chan<- prometheus.Metric) {
	m.total.Collect(out)
	m.errors.Collect(out)
	m.duration.Collect(out)
}

func (m *metrics) release(namespace string) {
	labels := prometheus.Labels{"namespace": namespace}
	m.total.DeletePartialMatch(labels)
	m.errors.DeletePartialMatch(labels)
	m.duration.DeletePartialMatch(labels)
}

// measured counts the requests of one identity.
type measured struct {
	next    http.RoundTripper
	id      Identity
	metrics *metrics
}

// RoundTrip is part of http.RoundTripper.
func (m *measured) RoundTrip(req *http.Request) (*http.Response, error) {
	began := time.Now()
	resp, err := m.next.RoundTrip(req)
	m.metrics.duration.WithLabelValues(m.id.Namespace, m.id.Name).Observe(time.Since(began).Seconds())
	errorType := errorTypeOf(resp, err)
	if errorType == "" {
		m.metrics.total.WithLabelValues(m.id.Namespace, m.id.Name, resultSuccess).Inc()
		return resp, err
	}
	m.metrics.total.WithLabelValues(m.id.Namespace, m.id.Name, resultError).Inc()
	m.metrics.errors.WithLabelValues(m.id.Namespace, m.id.Name, errorType).Inc()
	return resp, err
}

// WrappedRoundTripper gives the round tripper below.
func (m *measured) WrappedRoundTripper() http.RoundTripper { return m.next }

// errorTypeOf gives the value of the label error_type, "" for a success.
func errorTypeOf(resp *http.Response, err error) string {
	var network net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded) || (errors.As(err, &network) && network.Timeout()):
		return "timeout"
	case err != nil || resp == nil:
		return "other"
	case resp.StatusCode < http.StatusBadRequest:
		return ""
	case resp.StatusCode == http.StatusForbidden:
		return "forbidden"
	case resp.StatusCode == http.StatusNotFound:
		return "not_found"
	case resp.StatusCode == http.StatusRequestTimeout || resp.StatusCode == http.StatusGatewayTimeout:
		return "timeout"
	default:
		return "other"
	}
}
