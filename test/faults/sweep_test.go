package main

import (
	"flag"
	"slices"
	"testing"
	"time"
)

// share is how much of the bigger workloads the test takes: every eighth point of every other one.
const share = 8

var seed = flag.Int("seed", int(time.Now().Unix()%(2*share)), "which sixteenth of the bigger workloads is swept, from 0")

// TestSweep takes every point of the chain, and every eighth of half of the others, which crash together. `make faults`
// takes all.
func TestSweep(t *testing.T) {
	all := workloads()
	t.Run("all of the chain", func(t *testing.T) {
		mustSweep(t, all[:1], everyPoint, [][]fault{crashes, losses})
	})
	t.Run("a sixteenth of the others", func(t *testing.T) {
		t.Logf("-seed=%d", *seed)
		chosen := func(i int) bool { return i%share == *seed/2%share }
		var half []workload
		for i, w := range all[1:] {
			if i%2 == *seed%2 {
				half = append(half, w)
			}
		}
		mustSweep(t, half, chosen, [][]fault{slices.Concat(crashes, losses)})
	})
}

func mustSweep(t *testing.T, all []workload, chosen func(int) bool, lists [][]fault) {
	t.Helper()
	sweeps, err := sweepAll(t.Context(), shared, all, chosen, lists)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sweeps {
		s.outcome.print(t.Output(), s.workload.name)
		reached := 0
		for _, n := range s.outcome.reached {
			reached += n
		}
		if reached < 5 || len(s.outcome.missed) > reached/5 {
			t.Errorf("%s: %d points were reached, and these not: %v", s.workload.name, reached, s.outcome.missed)
		}
		if n := len(s.outcome.findings); n > 0 {
			t.Errorf("%s: %d findings", s.workload.name, n)
		}
	}
}

func TestPackGivesEachPassageOnePointAStage(t *testing.T) {
	passages := pack([]point{{stage: 0, n: 1}, {stage: 0, n: 2}, {stage: 1, n: 1}, {stage: 2, n: 1}, {stage: 2, n: 2}, {stage: 2, n: 3}})
	count := 0
	for _, p := range passages {
		count += len(p.points)
	}
	if len(passages) != 3 || count != 6 {
		t.Errorf("%d passages with %d points, want 3 with 6", len(passages), count)
	}
}
