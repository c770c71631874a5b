package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

// restartAndRest measures an engine with many settled instances: its memory, a restart while which some children are
// changed, and what it asks for while nothing happens. Afterwards it must still watch.
func restartAndRest(ctx context.Context, w *rig, size scale) ([]Row, error) {
	if err := w.serve(ctx, quantities()); err != nil {
		return nil, err
	}
	if err := w.createMany(ctx, size.settled); err != nil {
		return nil, err
	}
	if err := w.rest(ctx, size.settled); err != nil {
		return nil, err
	}
	memory, err := residentOf(w.engine.PID())
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("%d settled instances x %d", size.settled, nodes)
	rows := []Row{{What: what + ": memory", Unit: "MiB", Bound: AtMost, Budget: 150, Ours: memory}}
	restarted, err := w.count(ctx, func() error { return w.restart(ctx, size) })
	if err != nil {
		return rows, err
	}
	rows = append(rows, Row{
		What: fmt.Sprintf("%s: a restart, %d children changed meanwhile", what, size.edited), Unit: "writes",
		Bound: Exactly, Budget: float64(size.edited), Ours: float64(restarted.writesOf("configmaps", "resourcequotas", "things")), Detail: restarted.by,
	})
	if err := w.rest(ctx, size.settled); err != nil {
		return rows, err
	}
	idle, err := w.count(ctx, func() error { return world.Wait(ctx, size.idle) })
	if err != nil {
		return rows, err
	}
	rows = append(rows, requests(fmt.Sprintf("%s: %s idle", what, size.idle), Exactly, 0, idle))
	if memory, err = residentOf(w.engine.PID()); err != nil {
		return rows, err
	}
	rows = append(rows, Row{What: what + ": memory after that", Unit: "MiB", Bound: AtMost, Budget: 150, Ours: memory})
	repaired, err := w.repairDrift(ctx, "many-0-n0")
	return append(rows, Row{What: "a drift afterwards, until it is repaired", Unit: "s", Bound: AtMost, Budget: 1, Ours: repaired.Seconds()}), err
}

// createMany creates instances, some at a time, and waits until all are ACTIVE.
func (w *rig) createMany(ctx context.Context, n int) error {
	done := w.watchThings(ctx)
	defer done.stop()
	if err := inParallel(n, func(i int) error { return w.create(ctx, fmt.Sprintf("many-%d", i)) }); err != nil {
		return err
	}
	for last := -1; ; { // patience is for each bit of progress
		err := w.until(ctx, "ACTIVE instances", func() (bool, error) { return done.active(0) >= n, nil })
		now := done.active(0)
		if err == nil || now == last {
			return err
		}
		last = now
	}
}

// inParallel does n things, as many at a time as the floor.
func inParallel(n int, do func(i int) error) error {
	var running sync.WaitGroup
	faults := make([]error, n)
	slots := make(chan struct{}, floorWriters)
	for i := range n {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			faults[i] = do(i)
		})
	}
	running.Wait()
	return errors.Join(faults...)
}

// rest waits until the group tells of all instances, and nothing is asked any more.
func (w *rig) rest(ctx context.Context, instances int) error {
	if err := w.counted(ctx, int64(instances)); err != nil {
		return err
	}
	return w.settle(ctx)
}

// restart kills the engine, changes children, and starts it again; it comes back when the changes are undone.
func (w *rig) restart(ctx context.Context, size scale) error {
	if err := w.engine.Kill(); err != nil {
		return err
	}
	children := w.client.Resource(configMaps).Namespace(namespace)
	edited := make([]string, size.edited)
	for i := range edited {
		edited[i] = fmt.Sprintf("many-%d-n%d", i*size.settled/size.edited, i%(nodes-1))
	}
	for _, name := range edited {
		if _, err := children.Patch(ctx, name, types.MergePatchType, []byte(`{"data":{"value":"edited"}}`), metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("changing a child: %w", err)
		}
	}
	if err := w.engine.Start(); err != nil {
		return err
	}
	for _, name := range edited {
		err := w.until(ctx, "a change to be undone", func() (bool, error) {
			live, err := children.Get(ctx, name, metav1.GetOptions{})
			return err == nil && valueOf(live) == "first", err
		})
		if err != nil {
			return err
		}
	}
	return world.Wait(ctx, time.Second)
}
