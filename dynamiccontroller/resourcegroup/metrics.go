package resourcegroup

import (
	"context"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

// What is told of groups. It is read from their status when it is asked for, so that series go with their group.
var (
	groupReady = prometheus.NewDesc("plait_resource_group_ready",
		"1 while the newest revision of a group is served and its controller runs, else 0.", []string{"resource_group"}, nil)
	latestRevision = prometheus.NewDesc("plait_resource_group_latest_revision",
		"Number of a group's newest revision.", []string{"resource_group"}, nil)
	servedRevision = prometheus.NewDesc("plait_resource_group_served_revision",
		"Number of the revision that a group serves.", []string{"resource_group"}, nil)
)

// Describe is part of prometheus.Collector.
func (r *Reconciler) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{groupReady, latestRevision, servedRevision} {
		out <- d
	}
}

// Collect is part of prometheus.Collector.
func (r *Reconciler) Collect(out chan<- prometheus.Metric) {
	for _, name := range r.memories.names() {
		group, ok, err := r.deps.Groups.Group(context.Background(), name)
		if err != nil || !ok {
			continue
		}
		out <- prometheus.MustNewConstMetric(groupReady, prometheus.GaugeValue, readiness(group), name)
		for d, field := range map[*prometheus.Desc]string{latestRevision: "latestRevision", servedRevision: "servedRevision"} {
			if n, found, _ := unstructured.NestedInt64(group.Object, "status", field); found {
				out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), name)
			}
		}
	}
}

func readiness(group *unstructured.Unstructured) float64 {
	list, _, _ := unstructured.NestedFieldNoCopy(group.Object, "status", "conditions")
	conditions, _ := list.([]any)
	isReady := slices.ContainsFunc(conditions, func(item any) bool {
		c, _ := item.(map[string]any)
		return c["type"] == string(v1alpha1.ConditionReady) && c["status"] == "True"
	})
	if isReady {
		return 1
	}
	return 0
}

// names gives the groups that are known, sorted.
func (m *memories) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]string, 0, len(m.all))
	for name := range m.all {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
