package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/plait-run/plait/test/world"
)

// nodes is R, the number of children of an instance in most workloads.
const nodes = 10

// idleWindow is how long an idle engine is watched by default.
const idleWindow = 20 * time.Second

type idleDuration = time.Duration

// workload is a measurement on a cluster of its own.
type workload struct {
	name string
	run  func(ctx context.Context, w *rig) ([]Row, error)
}

func (l workload) measure(ctx context.Context, engine string) (rows []Row, err error) {
	w, err := newRig(ctx, engine)
	if err != nil {
		return nil, err
	}
	defer func() {
		if stopErr := w.stop(); err == nil {
			err = stopErr
		}
	}()
	return l.run(ctx, w)
}

func workloads(idle idleDuration) []workload {
	return []workload{
		{"wide10", func(ctx context.Context, w *rig) ([]Row, error) { return bringUp(ctx, w, shape{"wide", wide(nodes)}) }},
		{"chain10", func(ctx context.Context, w *rig) ([]Row, error) {
			return bringUp(ctx, w, shape{"chain", chain(nodes)})
		}},
		{"one-of-100", changeOne},
		{"idle", func(ctx context.Context, w *rig) ([]Row, error) { return watchIdle(ctx, w, idle) }},
	}
}

// shape is a ResourceGroup of ConfigMaps and what it is called.
type shape struct{ name, group string }

// bringUp measures one instance - up, changed, deleted - and then the time until fifty are ACTIVE and gone again.
func bringUp(ctx context.Context, w *rig, s shape) ([]Row, error) {
	if err := w.serve(ctx, s.group); err != nil {
		return nil, err
	}
	rows, err := requestsOfOne(ctx, w, s)
	if err != nil {
		return rows, err
	}
	timed, err := timeOfMany(ctx, w, s, 50)
	return append(rows, timed...), err
}

func requestsOfOne(ctx context.Context, w *rig, s shape) ([]Row, error) {
	var rows []Row
	for _, step := range []struct {
		what   string
		budget int
		do     func(context.Context) error
	}{
		{"one instance up", nodes + 3, func(ctx context.Context) error { return w.createAll(ctx, "one", 1) }},
		{"a change that reaches all", nodes + 2, func(ctx context.Context) error { return w.changeAndWait(ctx, "one-0", "changed") }},
		{"one instance deleted", nodes + 2, func(ctx context.Context) error { return w.deleteAll(ctx, "one", 1) }},
	} {
		counted, err := w.count(ctx, func() error { return step.do(ctx) })
		if err != nil {
			return rows, fmt.Errorf("%s: %w", step.what, err)
		}
		rows = append(rows, Row{
			What: fmt.Sprintf("%s %d: %s", s.name, nodes, step.what), Unit: "requests",
			Value: float64(counted.total), Budget: float64(step.budget), Detail: counted.by,
		})
	}
	return rows, nil
}

func timeOfMany(ctx context.Context, w *rig, s shape, instances int) ([]Row, error) {
	floor, err := w.floor(ctx, instances, nodes)
	if err != nil {
		return nil, fmt.Errorf("measuring the floor: %w", err)
	}
	var rows []Row
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"until ACTIVE", func() error { return w.createAll(ctx, "many", instances) }},
		{"until deleted", func() error { return w.deleteAll(ctx, "many", instances) }},
	} {
		began := time.Now()
		counted, err := w.count(ctx, func() error {
			defer func(began time.Time) { w.took = time.Since(began) }(began)
			return step.do()
		})
		if err != nil {
			return rows, fmt.Errorf("%s: %w", step.what, err)
		}
		rows = append(rows, Row{
			What: fmt.Sprintf("%s %d: %d %s", s.name, nodes, instances, step.what), Unit: "x floor",
			Value: w.took.Seconds() / floor.Seconds(), Budget: 2, Floor: floor.Seconds(), Seconds: w.took.Seconds(), Detail: counted.by,
		})
	}
	return rows, nil
}

// changeOne measures a change that reaches one of a hundred nodes.
func changeOne(ctx context.Context, w *rig) ([]Row, error) {
	if err := w.serve(ctx, oneOf(100)); err != nil {
		return nil, err
	}
	if err := w.createAll(ctx, "big", 1); err != nil {
		return nil, err
	}
	counted, err := w.count(ctx, func() error { return w.changeAndWait(ctx, "big-0", "changed") })
	return []Row{{
		What: "a change that reaches 1 of 100 nodes", Unit: "requests", Value: float64(counted.total), Budget: 2, Detail: counted.by,
	}}, err
}

// watchIdle counts what a settled engine asks for, and then sees that it still watches.
func watchIdle(ctx context.Context, w *rig, window time.Duration) ([]Row, error) {
	if err := w.serve(ctx, wide(nodes)); err != nil {
		return nil, err
	}
	if err := w.createAll(ctx, "idle", 20); err != nil {
		return nil, err
	}
	if err := w.counted(ctx, 20); err != nil {
		return nil, err
	}
	if err := w.settle(ctx); err != nil {
		return nil, err
	}
	counted, err := w.count(ctx, func() error { return world.Wait(ctx, window) })
	if err != nil {
		return nil, err
	}
	rows := []Row{{
		What: fmt.Sprintf("20 idle instances in %s (+1)", window), Unit: "requests",
		Value: float64(counted.total + 1), Budget: 1, Detail: counted.by,
	}}
	repaired, err := w.repairDrift(ctx, "idle-0-n0")
	return append(rows, Row{What: "drift repaired after", Unit: "s", Value: repaired.Seconds(), Budget: 1}), err
}

func group(resources string) string {
	return `apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: things}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Thing
    group: bench.plait.run
    spec: {value: string | default=first}
  resources:
` + resources
}

func node(id, value string) string {
	return fmt.Sprintf(`  - id: %s
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}-%s"}
      data: {value: "%s"}
`, id, id, value)
}

// wide is n ConfigMaps that do not need each other.
func wide(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(node(fmt.Sprintf("n%d", i), "${schema.spec.value}"))
	}
	return group(b.String())
}

// chain is n ConfigMaps of which each reads the one before.
func chain(n int) string {
	var b strings.Builder
	b.WriteString(node("n0", "${schema.spec.value}"))
	for i := 1; i < n; i++ {
		b.WriteString(node(fmt.Sprintf("n%d", i), fmt.Sprintf("${n%d.data.value}", i-1)))
	}
	return group(b.String())
}

// oneOf is n ConfigMaps of which one reads the input.
func oneOf(n int) string {
	var b strings.Builder
	b.WriteString(node("n0", "${schema.spec.value}"))
	for i := 1; i < n; i++ {
		b.WriteString(node(fmt.Sprintf("n%d", i), "fixed"))
	}
	return group(b.String())
}
