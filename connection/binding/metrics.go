package binding

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/plait-run/plait/api/v1alpha1"
)

// What is told of bindings. It is read from their status when it is asked for, so that series go with their binding.
var (
	bindingReady = prometheus.NewDesc("plait_binding_ready",
		"1 while every API of a binding is bound, else 0. The namespace of a ClusterBinding is empty.", []string{"namespace", "binding", "connection"}, nil)
	bindingAPIs = prometheus.NewDesc("plait_binding_apis",
		"APIs of a binding by state: Pending, Bound, Conflict, Invalid, Unsupported, Withdrawn.", []string{"namespace", "binding", "connection", "state"}, nil)
)

// Describe is part of prometheus.Collector.
func (r *Reconciler) Describe(out chan<- *prometheus.Desc) {
	out <- bindingReady
	out <- bindingAPIs
}

// Collect is part of prometheus.Collector.
func (r *Reconciler) Collect(out chan<- prometheus.Metric) {
	if !r.started.Load() {
		return // the cache cannot be read yet
	}
	bindings, err := list(context.Background(), r.deps.cached)
	if err != nil {
		return
	}
	for _, b := range bindings {
		name := []string{b.object.GetNamespace(), b.object.GetName(), b.spec.ConnectionRef.Name}
		ready := 0.0
		if meta.IsStatusConditionTrue(b.status.Conditions, string(v1alpha1.ConditionReady)) {
			ready = 1
		}
		out <- prometheus.MustNewConstMetric(bindingReady, prometheus.GaugeValue, ready, name...)
		states := map[v1alpha1.BoundAPIState]int{}
		for _, api := range b.status.BoundAPIs {
			states[api.State]++
		}
		for state, n := range states {
			out <- prometheus.MustNewConstMetric(bindingAPIs, prometheus.GaugeValue, float64(n), append(name, string(state))...)
		}
	}
}
