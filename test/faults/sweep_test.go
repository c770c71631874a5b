package main

import (
	"flag"
	"slices"
	"testing"
	"time"
)

// share is how much of the bigger workloads the test takes: every eighth point.
const share = 8

var seed = flag.Int("seed", int(time.Now().Unix()%share), "which eighth of the bigger workloads is swept, from 0")

// TestSweep takes every point of the chain, and every eighth of the others, whose copies all see the crash.
func TestSweep(t *testing.T) {
	for _, l := range workloads() {
		t.Run(l.name, func(t *testing.T) {
			t.Logf("-seed=%d", *seed)
			chosen, lists := func(i int) bool { return i%share == *seed }, [][]fault{slices.Concat(crashes, losses)}
			if l.name == "chain" {
				chosen, lists = everyPoint, [][]fault{crashes, losses}
			}
			outcome, err := sweepAll(t.Context(), shared, l, chosen, lists)
			if err != nil {
				t.Fatal(err)
			}
			outcome.print(t.Output(), l.name)
			reached := 0
			for _, n := range outcome.reached {
				reached += n
			}
			if reached < 5 || len(outcome.missed) > reached/10 {
				t.Errorf("%d points were reached, and these not: %v", reached, outcome.missed)
			}
			if n := len(outcome.findings); n > 0 {
				t.Errorf("%d findings", n)
			}
		})
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
