package main

import (
	"context"
	"slices"
	"time"
)

// sample is one measurement of many instances beside the floor of the same moment. Times are in seconds.
type sample struct {
	floor, floorCPU          float64
	upTime, engineCPU        float64 // until all are ACTIVE
	changedTime, deletedTime float64 // the median until ACTIVE again; until all are gone; zero: not measured
}

func (s sample) up() float64      { return s.upTime }
func (s sample) changed() float64 { return s.changedTime }
func (s sample) deleted() float64 { return s.deletedTime }

// takeSample brings instances up, changes and deletes them.
func takeSample(ctx context.Context, w *rig, instances int, change bool) (s sample, err error) {
	took, cpu, err := w.floor(ctx, instances, nodes)
	if err != nil {
		return s, err
	}
	s.floor, s.floorCPU = took.Seconds(), cpu.Seconds()
	if err := w.settle(ctx); err != nil {
		return s, err
	}
	if s.upTime, s.engineCPU, err = w.timed(func() error { return w.createAll(ctx, "many", instances) }); err != nil {
		return s, err
	}
	if change {
		took, err := w.timeChange(ctx, "many", instances)
		if err != nil {
			return s, err
		}
		s.changedTime = middle(took)
	}
	if err := w.settle(ctx); err != nil {
		return s, err
	}
	s.deletedTime, _, err = w.timed(func() error { return w.deleteAll(ctx, "many", instances) })
	return s, err
}

// timed gives the time that a step took, and the engine's processor time meanwhile, in seconds.
func (w *rig) timed(do func() error) (took, cpu float64, err error) {
	used, err := cpuOf(w.engine.PID())
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if err := do(); err != nil {
		return 0, 0, err
	}
	took = time.Since(began).Seconds()
	now, err := cpuOf(w.engine.PID())
	return took, (now - used).Seconds(), err
}

func median[T any](of []T, value func(T) float64) float64 {
	values := make([]float64, len(of))
	for i, item := range of {
		values[i] = value(item)
	}
	return middle(values)
}

func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
