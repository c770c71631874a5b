package main

import (
	"flag"
	"testing"
	"time"
)

// share is how much of the bigger workloads the test takes: every eighth point.
const share = 8

var seed = flag.Int("seed", int(time.Now().Unix()%share), "which eighth of the bigger workloads is swept, from 0")

// TestSweep takes every point of the chain, and every eighth of the others.
func TestSweep(t *testing.T) {
	for _, l := range workloads() {
		t.Run(l.name, func(t *testing.T) {
			t.Logf("-seed=%d", *seed)
			chosen := func(i int) bool { return i%share == *seed }
			if l.name == "chain" {
				chosen = func(int) bool { return true }
			}
			outcome, err := sweepAll(t.Context(), shared, l, chosen)
			if err != nil {
				t.Fatal(err)
			}
			outcome.print(t.Output(), l.name)
			reached := 0
			for _, n := range outcome.reached {
				reached += n
			}
			if reached < 10 || len(outcome.missed) > reached/10 {
				t.Errorf("%d points were reached, and these not: %v", reached, outcome.missed)
			}
			if n := len(outcome.findings); n > 0 {
				t.Errorf("%d findings", n)
			}
		})
	}
}

func TestFaultsOf(t *testing.T) {
	a := request{verb: "patch", what: "configmaps/*-a", isWrite: true, code: 200}
	refused := a
	refused.code = 409
	other := request{verb: "delete", what: "configmaps/*-foreign", isWrite: true, code: 200}
	cases := map[string]struct {
		writes []request
		want   int
	}{
		"as the clean run":    {[]request{a}, 0},
		"three times":         {[]request{a, a, a}, 0},
		"four times":          {[]request{a, a, a, a}, 1},
		"four times, refused": {[]request{a, refused, refused, refused}, 0},
		"of somebody else":    {[]request{a, other}, 1},
	}
	for name, c := range cases {
		if got := faultsOf(c.writes, []request{a}); len(got) != c.want {
			t.Errorf("%s: %v, want %d", name, got, c.want)
		}
	}
}

func TestOutOfOrder(t *testing.T) {
	a := request{verb: "delete", what: "configmaps/*-a", isWrite: true, code: 200}
	b := request{verb: "delete", what: "configmaps/*-b", isWrite: true, code: 200}
	if got := outOfOrder([]request{b, b, a}, []request{b, a}); len(got) > 0 {
		t.Errorf("a repeated deletion: %v", got)
	}
	if got := outOfOrder([]request{a, b}, []request{b, a}); len(got) == 0 {
		t.Error("the other order is not seen")
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
