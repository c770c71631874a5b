package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// maxEffects is how often one write may take effect in a stage.
const maxEffects = 3

// finding is something that is not as it should be.
type finding struct {
	workload, stage, point, what string
}

// String is several lines.
func (f finding) String() string {
	return fmt.Sprintf("%s, %s, %s:\n  %s", f.workload, f.stage, f.point, strings.ReplaceAll(strings.TrimSpace(f.what), "\n", "\n  "))
}

// outcome of a sweep.
type outcome struct {
	reached  map[string]int // points by verb and resource
	missed   []string       // points whose write did not come
	findings []finding
}

// countPoints notes which points were reached, and with which write.
func (s party) countPoints(i int, traps map[string]*trap) {
	for _, p := range s.all {
		t := traps[p.token]
		if t == nil {
			continue
		}
		s.rig.proxy.disarm(p.token)
		if !t.isReached() {
			s.outcome.missed = append(s.outcome.missed, s.describe(i, p))
			continue
		}
		pt := p.points[i]
		pt.write = *t.broke
		p.points[i] = pt
		s.outcome.reached[t.broke.kind()]++
	}
	slices.Sort(s.outcome.missed)
}

// describe is `500 after it at write 3, patch configmaps/*-b`.
func (s party) describe(i int, p *passage) string {
	pt, ok := p.points[i]
	if !ok {
		return "nothing broken"
	}
	return fmt.Sprintf("%s at write %d, %s", pt.fault, pt.n, pt.write)
}

// judge compares every copy with the clean run. In the clean run itself it takes the first copy as the measure.
func (s party) judge(ctx context.Context, i int, stuck map[string]string, from int) error {
	ends, err := s.rig.snapshots(ctx, s.workload.resource)
	if err != nil {
		return err
	}
	log, _ := s.rig.proxy.since(from)
	if len(s.clean.ends) == i {
		s.clean.ends = append(s.clean.ends, ends[s.all[0].token])
		s.clean.writes = append(s.clean.writes, writesOf(log, s.all[0].token))
	}
	for _, p := range s.all {
		if p.broken {
			continue
		}
		writes := writesOf(log, p.token)
		faults := faultsOf(writes, s.clean.writes[i], statusesOf(s.clean.writes))
		if s.workload.inOrder {
			faults = append(faults, outOfOrder(writes, s.clean.writes[i])...)
		}
		if text := stuck[p.token] + stuck[""]; text != "" {
			faults = append(faults, text)
		} else if diff := s.clean.ends[i].diff(ends[p.token]); diff != "" {
			faults = append(faults, "it does not end as the clean run does (-clean +this):\n"+diff)
		}
		if len(faults) == 0 {
			continue
		}
		p.broken = true
		faults = append(faults, fmt.Sprintf("its writes were %v", writes), s.rig.engine.Tail(p.token, 5))
		s.outcome.findings = append(s.outcome.findings, finding{
			s.workload.name, s.workload.stages[i].name, s.describe(i, p), strings.Join(faults, "\n"),
		})
	}
	return nil
}

// writesOf gives the writes about one copy.
func writesOf(log []request, token string) []request {
	return slices.DeleteFunc(slices.Clone(log), func(r request) bool { return !r.isWrite || r.token != token })
}

// statusesOf gives the statuses that a clean run writes at any time: what goes wrong on the way is told there.
func statusesOf(stages [][]request) map[string]bool {
	out := map[string]bool{}
	for _, w := range slices.Concat(stages...) {
		if strings.Contains(w.what, ":status/") {
			out[w.what] = true
		}
	}
	return out
}

// faultsOf says what is wrong with the writes of a stage. A status may be written where the clean run writes only its
// object, and those that are given as well.
func faultsOf(writes, clean []request, statuses map[string]bool) []string {
	var out []string
	known, effects := maps.Clone(statuses), map[string]int{}
	for _, w := range clean {
		known[w.what], known[w.status()] = true, true
	}
	for _, w := range writes {
		if !w.tookEffect() {
			continue
		}
		if !known[w.what] {
			out = append(out, fmt.Sprintf("%s is not written in the clean run", w))
		}
		if effects[w.String()+w.content]++; effects[w.String()+w.content] == maxEffects+1 {
			out = append(out, fmt.Sprintf("%s took effect more than %d times", w, maxEffects))
		}
	}
	return out
}

// deletions gives what was deleted, in order.
func deletions(writes []request) []string {
	var out []string
	for _, w := range writes {
		if w.verb == "delete" && w.tookEffect() && !slices.Contains(out, w.what) {
			out = append(out, w.what)
		}
	}
	return out
}

// outOfOrder compares the order of deletions with that of the clean run.
func outOfOrder(writes, clean []request) []string {
	if diff := cmp.Diff(deletions(clean), deletions(writes)); diff != "" {
		return []string{"deletions are in another order than in the clean run (-clean +this):\n" + diff}
	}
	return nil
}
