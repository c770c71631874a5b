package mounts

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/mounts/contract"
)

// Values of the label result.
const (
	resultChanged   = "changed"   // something was written
	resultUnchanged = "unchanged" // nothing differed
	resultLeft      = "left"      // nothing could be told, or it is not ours to change
	resultError     = "error"     // tried again
)

func resultOf(writes int) string {
	if writes > 0 {
		return resultChanged
	}
	return resultUnchanged
}

func reasonOf(c *contract.Condition) v1alpha1.Reason {
	if c == nil {
		return ""
	}
	return c.Reason
}

// measures are what the controller has done.
type measures struct {
	reconciles *prometheus.CounterVec
	latency    prometheus.Histogram
}

func newMeasures() *measures {
	return &measures{
		reconciles: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_mounts_reconcile_total",
			Help: "Looks at a Workspace, by result (changed, unchanged, left, error) and the reason of WorkspaceMountReady that they came to.",
		}, []string{"result", "reason"}),
		latency: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "plait_mounts_latency_seconds",
			Help:    "Time from the event of a mount object until the status of a Workspace on it was written.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, 1, 5, 30},
		}),
	}
}

// count notes a look.
func (m *measures) count(result string, reason v1alpha1.Reason) {
	m.reconciles.WithLabelValues(result, string(reason)).Inc()
}

// What is told of the Workspaces, read when it is asked for.
var (
	workspacesByState = prometheus.NewDesc("plait_mounts_workspaces",
		"Workspaces by what their phase says: ready, unavailable, scheduling.", []string{"state"}, nil)
	mountInformers = prometheus.NewDesc("plait_mounts_informers",
		"Lists of mount objects that are watched for Workspaces alone.", nil, nil)
)

type collector struct{ c *Controller }

// Describe is part of prometheus.Collector.
func (m collector) Describe(out chan<- *prometheus.Desc) {
	out <- workspacesByState
	out <- mountInformers
}

// Collect is part of prometheus.Collector.
func (m collector) Collect(out chan<- prometheus.Metric) {
	states := map[string]int{"ready": 0, "unavailable": 0, "scheduling": 0}
	for api, cache := range m.c.caches {
		for _, u := range cache.Select("", labels.Everything()) {
			if w := contract.Read(api, u); w.Form != contract.None {
				states[stateOf(w.Phase)]++
			}
		}
	}
	for state, n := range states {
		out <- prometheus.MustNewConstMetric(workspacesByState, prometheus.GaugeValue, float64(n), state)
	}
	out <- prometheus.MustNewConstMetric(mountInformers, prometheus.GaugeValue, float64(len(m.c.watcher.Stats())))
}

// stateOf takes phases that only kcp has for the way to Ready.
func stateOf(phase contract.Phase) string {
	switch phase {
	case contract.Ready:
		return "ready"
	case contract.Unavailable:
		return "unavailable"
	default:
		return "scheduling"
	}
}

func (c *Controller) registerMetrics() error {
	if c.cfg.Metrics == nil {
		return nil
	}
	for _, m := range []prometheus.Collector{c.measures.reconciles, c.measures.latency, collector{c}} {
		if err := c.cfg.Metrics.Register(m); err != nil {
			return fmt.Errorf("registering metrics of mounts: %w", err)
		}
	}
	return nil
}
