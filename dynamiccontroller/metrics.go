package dynamiccontroller

import (
	"cmp"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/plait-run/plait/dynamiccontroller/track"
)

// What is told of the engine. All is read when it is asked for, so that series go with what they tell of.
var (
	queueDepth = prometheus.NewDesc("plait_queue_depth",
		"Instances that wait to be reconciled.", []string{"resource"}, nil)
	queueAge = prometheus.NewDesc("plait_queue_oldest_seconds",
		"How long the instance has waited that has waited longest; 0 when none waits.", []string{"resource"}, nil)
	cachedInstances = prometheus.NewDesc("plait_cached_instances",
		"Instances in the cache.", []string{"resource"}, nil)
	instances = prometheus.NewDesc("plait_instances",
		"Instances by the state that their status gives; NEW are those that nobody has looked at.", []string{"resource", "state"}, nil)
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
	for _, d := range []*prometheus.Desc{queueDepth, queueAge, cachedInstances, instances, kindRunning, informers, cachedObjects} {
		out <- d
	}
}

// Collect is part of prometheus.Collector.
func (m collector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value int, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value), labels...)
	}
	for _, k := range m.c.list() {
		if !k.isWanted() {
			continue
		}
		gauge(queueDepth, k.depth(), k.name)
		out <- prometheus.MustNewConstMetric(queueAge, prometheus.GaugeValue, k.waiting.oldest(time.Now()).Seconds(), k.name)
		gauge(cachedInstances, k.count(), k.name)
		gauge(kindRunning, count(k.running.Load()), k.name)
		for state, n := range k.states() {
			gauge(instances, n, k.name, state)
		}
	}
	for resource, s := range m.watched() {
		gauge(informers, s.complete, resource, "true")
		gauge(informers, s.incomplete, resource, "false")
		gauge(cachedObjects, s.objects, resource)
	}
}

// states counts the instances by state.
func (k *kind) states() map[string]int {
	out := map[string]int{}
	for _, u := range k.instances() {
		out[cmp.Or(stateOf(u), "NEW")]++
	}
	return out
}

// forgetMeasures drops the series of a kind that is not served any more; its workers are gone.
func (k *kind) forgetMeasures() {
	if k.isWanted() {
		return
	}
	k.owner.measures.forget(k.name)
	if k.owner.cfg.Ended != nil {
		k.owner.cfg.Ended(k.name)
	}
}

func (c *Controller) registerMetrics() error {
	if c.cfg.Metrics == nil {
		return nil
	}
	for _, m := range append(c.measures.collectors(), collector{c}) {
		if err := c.cfg.Metrics.Register(m); err != nil {
			return fmt.Errorf("registering metrics: %w", err)
		}
	}
	return nil
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
