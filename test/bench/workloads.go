package main

import (
	"context"
	"fmt"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

// nodes is R, the number of children of an instance in most workloads.
const nodes = 10

// workload is a measurement on a cluster of its own.
type workload struct {
	name    string
	cluster cluster.Config
	run     func(ctx context.Context, w *rig, size scale) ([]Row, error)
}

func (l workload) measure(ctx context.Context, engine string, size scale) (rows []Row, err error) {
	w, err := newRig(ctx, engine, l.cluster)
	if err != nil {
		return nil, err
	}
	defer func() {
		if stopErr := w.stop(); err == nil {
			err = stopErr
		}
	}()
	return l.run(ctx, w, size)
}

func workloads() []workload {
	return []workload{
		{"wide", cluster.Config{}, shape{"wide 10", wide(nodes)}.bringUp},
		{"chain", cluster.Config{}, shape{"chain 10", chain(nodes)}.bringUp},
		{"large", cluster.Config{}, changeLarge},
		{"mixed", cluster.Config{Pods: true}, bringUpMixed},
		{"compile", cluster.Config{}, compileGroups},
		{"crowd", cluster.Config{}, passTheCrowd},
		{"settled", cluster.Config{}, restartAndRest},
	}
}

// shape is a ResourceGroup of ConfigMaps and what it is called.
type shape struct{ name, group string }

// bringUp measures the requests of one instance - up, changed, deleted - and then the times of many.
func (s shape) bringUp(ctx context.Context, w *rig, size scale) ([]Row, error) {
	if err := w.serve(ctx, s.group); err != nil {
		return nil, err
	}
	rows, err := s.requestsOfOne(ctx, w)
	if err != nil {
		return rows, err
	}
	for i, instances := range size.many {
		samples := make([]sample, size.repeats)
		for n := range samples {
			if samples[n], err = takeSample(ctx, w, instances, i == 0); err != nil {
				return rows, fmt.Errorf("measuring %d instances: %w", instances, err)
			}
		}
		if i == 0 {
			rows = append(rows, s.firstRows(instances, samples)...)
			continue
		}
		rows = append(rows, s.timeRow(fmt.Sprintf("%d until ACTIVE", instances), 1.6, samples, sample.up))
	}
	return rows, nil
}

func (s shape) requestsOfOne(ctx context.Context, w *rig) ([]Row, error) {
	var rows []Row
	for _, step := range []struct {
		what   string
		budget int
		do     func(context.Context) error
	}{
		{"one instance up", nodes + 3, func(ctx context.Context) error { return w.createAll(ctx, "one", 1) }},
		{"a change that reaches all", nodes + 2, func(ctx context.Context) error { return w.changeAll(ctx, "one", 1) }},
		{"one instance deleted", nodes + 2, func(ctx context.Context) error { return w.deleteAll(ctx, "one", 1) }},
	} {
		counted, err := w.count(ctx, func() error { return step.do(ctx) })
		if err != nil {
			return rows, fmt.Errorf("%s: %w", step.what, err)
		}
		rows = append(rows, requests(s.name+": "+step.what, AtMost, step.budget, counted))
	}
	return rows, nil
}

// firstRows are the rows of instances that were brought up, changed and deleted.
func (s shape) firstRows(instances int, samples []sample) []Row {
	each := float64(instances) / 1000 // milliseconds for one instance
	return []Row{
		s.timeRow(fmt.Sprintf("%d until ACTIVE", instances), 2, samples, sample.up),
		s.timeRow(fmt.Sprintf("a change of %d, the median until ACTIVE", instances), 2, samples, sample.changed),
		s.timeRow(fmt.Sprintf("%d until deleted", instances), 2, samples, sample.deleted),
		processorTime(s.name+": to bring one up", 2,
			median(samples, func(m sample) float64 { return m.engineCPU / each }),
			median(samples, func(m sample) float64 { return m.floorCPU / each })),
	}
}

// timeRow is the median of the multiples, each of the floor of its own sample.
func (s shape) timeRow(what string, budget float64, samples []sample, of func(sample) float64) Row {
	floor := median(samples, func(m sample) float64 { return m.floor })
	times := median(samples, func(m sample) float64 { return of(m) / m.floor })
	return multiple(s.name+": "+what, budget, times*floor, floor, "s")
}
