package dynamiccontroller

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/plait-run/plait/dynamiccontroller/track"
)

// What is told of the engine. All is read when it is asked for, so that series go with what they tell of.
var (
	queueDepth = prometheus.NewDesc("plait_queue_depth",
		"Instances that wait to be reconciled.", []string{"resource"}, nil)
	cachedInstances = prometheus.NewDesc("plait_cached_instances",
		"Instances in the cache.", []string{"resource"}, nil)
	kindRunning = prometheus.NewDesc("plait_kind_running",
		"1 while the workers of a kind of instances run, else 0.", []string{"resource"}, nil)
	informers = prometheus.NewDesc("plait_informers",
		"Lists of children and externals that are watched.", []string{"resource", "complete"}, nil)
	cachedObjects = prometheus.NewDesc("plait_cached_objects",
		"Children and externals in caches.", []string{"resource"}, nil)
)

type collector struct{ c *Controller }

// Describe is part of prometheus.Collector.
func (m collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{queueDepth, cachedInstances, kindRunning, informers, cachedObjects} {
		out <- d
	}
}

// Collect is part of prometheus.Collector.
func (m collector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value int, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value), labels...)
	}
	for _, k := range m.c.list() {
		gauge(queueDepth, k.depth(), k.name)
		gauge(cachedInstances, k.count(), k.name)
		gauge(kindRunning, count(k.running.Load()), k.name)
	}
	for resource, s := range m.watched() {
		gauge(informers, s.complete, resource, "true")
		gauge(informers, s.incomplete, resource, "false")
		gauge(cachedObjects, s.objects, resource)
	}
}

type watched struct{ complete, incomplete, objects int }

func (m collector) watched() map[string]watched {
	out := map[string]watched{}
	for _, stat := range m.c.watcher.Stats() {
		name := track.ResourceName(stat.Scope.Resource)
		s := out[name]
		s.objects += stat.Objects
		s.complete += count(stat.Complete)
		s.incomplete += count(!stat.Complete)
		out[name] = s
	}
	return out
}

func (k *kind) depth() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.queue == nil {
		return 0
	}
	return k.queue.Len()
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
