package main

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/plait-run/plait/test/world"
)

// newPassages does the clean run of a workload and gives passages without points.
func newPassages(t *testing.T, name string, n int) (*sweep, []*passage) {
	t.Helper()
	for _, l := range workloads() {
		if l.name != name {
			continue
		}
		sweeps, err := newSweeps(t.Context(), shared, l)
		if err != nil {
			t.Fatal(err)
		}
		all := make([]*passage, n)
		for i := range all {
			all[i] = &passage{}
		}
		return sweeps[0], all
	}
	t.Fatalf("there is no workload %q", name)
	return nil, nil
}

func report(t *testing.T, s *sweep) {
	t.Helper()
	for _, f := range s.outcome.findings {
		t.Error(f)
	}
}

// longEnough is how long a watch has to last so that client-go begins the next one at once; after shorter ones it waits
// for up to half a minute.
const longEnough = 1200 * time.Millisecond

// TestWatches takes workloads through their stages while watches are cut, and while they are late as well, so that
// what they have not delivered is lost with them.
func TestWatches(t *testing.T) {
	cases := map[string]struct{ delay, cutEvery time.Duration }{
		"cut":           {cutEvery: longEnough},
		"late and lost": {delay: 400 * time.Millisecond, cutEvery: longEnough},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, all := newPassages(t, "collection", 4)
			shared.proxy.watches.setDelay(c.delay)
			defer shared.proxy.watches.setDelay(0)
			stop := cutEvery(t.Context(), c.cutEvery)
			err := shared.march(t.Context(), []party{{s, all}})
			if cuts := stop(); c.cutEvery > 0 && cuts == 0 {
				t.Error("no watch was cut")
			}
			if err != nil {
				t.Fatal(err)
			}
			report(t, s)
		})
	}
}

// cutEvery cuts all watches again and again, until it is stopped; it gives how many were.
func cutEvery(ctx context.Context, d time.Duration) (stop func() int) {
	if d == 0 {
		return func() int { return 0 }
	}
	ctx, cancel := context.WithCancel(ctx)
	cuts := make(chan int)
	go func() {
		n := 0
		for world.Wait(ctx, d) == nil {
			n += shared.proxy.watches.cut()
		}
		cuts <- n
	}()
	return func() int { cancel(); return <-cuts }
}

// TestStaleLists kills the engine after something was removed and lets the next one begin with what was there before: its
// first lists are old, as those of a lagging watch cache, and its watches bring the truth a second later.
func TestStaleLists(t *testing.T) {
	for name, stale := range map[string][]string{"collection": {"scale down", "delete"}, "bound": {"delete", "let go"}} {
		t.Run(name, func(t *testing.T) {
			s, all := newPassages(t, name, 3)
			defer shared.proxy.lists.set(fresh)
			defer shared.proxy.watches.setDelay(0)
			mustBegin(t, s, all)
			for i, stage := range s.workload.stages {
				if slices.Contains(stale, stage.name) {
					s.mustBecomeStale(t, i, all)
					continue
				}
				mustStage(t, s, i, all)
			}
			report(t, s)
		})
	}
}

func (s *sweep) mustBecomeStale(t *testing.T, i int, all []*passage) {
	t.Helper()
	ctx := t.Context()
	_, from := shared.proxy.since(0)
	shared.proxy.lists.set(keep)
	if err := shared.engine.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := shared.settle(ctx); err != nil {
		t.Fatal(err)
	}
	mustStage(t, s, i, all)
	shared.proxy.lists.set(repeat)
	shared.proxy.watches.setDelay(time.Second)
	if err := shared.engine.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := shared.settle(ctx); err != nil {
		t.Fatal(err)
	}
	shared.proxy.watches.setDelay(0)
	stuck := party{s, all}.await(ctx, i)
	if err := shared.settle(ctx); err != nil {
		t.Fatal(err)
	}
	if served := shared.proxy.lists.set(fresh); served < 3 {
		t.Errorf("%d old lists were served, want those of groups, instances and children", served)
	}
	if err := (party{s, all}).judge(ctx, i, stuck, from); err != nil {
		t.Fatal(err)
	}
}
