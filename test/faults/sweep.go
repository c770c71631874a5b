package main

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/test/world"
)

// point is one write of the clean run, and how it is broken.
type point struct {
	stage int // index
	n     int // of the write in its stage, from 1
	write request
	fault fault
}

// passage is one copy of a workload on its way; in a stage it breaks the point that it has there, if it has one.
type passage struct {
	token  string
	points map[int]point // by stage
	broken bool          // something was found: later stages say nothing
}

// sweep takes a workload through its stages.
type sweep struct {
	rig      *rig
	workload workload
	clean    clean
	outcome  outcome
	during   func(context.Context) error // is called once the copies were changed; nil: nothing is
}

// clean is what happens when nothing is broken, by stage.
type clean struct {
	writes [][]request
	ends   []snapshot
}

// newSweeps sets workloads up and does their clean runs, twice, to see that runs can be compared; once in a world.
func newSweeps(ctx context.Context, w *rig, workloads ...workload) ([]*sweep, error) {
	var all []*sweep
	var fresh []party
	for _, l := range workloads {
		s := &sweep{rig: w, workload: l, clean: w.cleanRuns[l.name], outcome: outcome{reached: map[string]int{}}}
		all = append(all, s)
		if len(s.clean.ends) > 0 {
			continue
		}
		if l.prepare != nil {
			if err := l.prepare(ctx, w); err != nil {
				return nil, err
			}
		}
		fresh = append(fresh, party{s, []*passage{{}, {}}})
	}
	if err := w.march(ctx, fresh); err != nil {
		return nil, err
	}
	for _, p := range fresh {
		if len(p.outcome.findings) > 0 {
			return nil, fmt.Errorf("clean runs differ: %v", p.outcome.findings)
		}
		w.cleanRuns[p.workload.name] = p.clean
	}
	return all, nil
}

// serve applies a group and waits until it is ready.
func (w *rig) serve(ctx context.Context, name, group string) error {
	if err := w.apply(ctx, "", group); err != nil {
		return err
	}
	err := w.until(ctx, "the group "+name, func() error {
		u, err := w.client.Resource(groups).Get(ctx, name, metav1.GetOptions{})
		if err != nil || world.IsReady(u) {
			return err
		}
		return fmt.Errorf("its status is %v", u.Object["status"])
	})
	if err != nil {
		return err
	}
	return w.settle(ctx)
}

// points are all of the clean run, each with every fault given.
func (s *sweep) points(faults []fault) []point {
	var out []point
	for i, writes := range s.clean.writes {
		for n, write := range writes {
			for _, f := range faults {
				out = append(out, point{i, n + 1, write, f})
			}
		}
	}
	return out
}

// pack gives passages that have all the points, each at most one in a stage.
func pack(points []point) []*passage {
	var out []*passage
	used := map[int]int{} // passages with a point, by stage
	for _, p := range points {
		if used[p.stage] == len(out) {
			out = append(out, &passage{points: map[int]point{}})
		}
		out[used[p.stage]].points[p.stage] = p
		used[p.stage]++
	}
	return out
}

// begin gives a passage its names, and a bystander that nobody is to touch.
func (s *sweep) begin(ctx context.Context, p *passage) error {
	s.rig.copies++
	p.token = fmt.Sprintf("x%dq", s.rig.copies)
	if err := s.rig.apply(ctx, "", "{apiVersion: v1, kind: Namespace, metadata: {name: "+p.token+"}}"); err != nil {
		return err
	}
	if there := s.workload.there; there != "" {
		at := strings.ReplaceAll("{apiVersion: v1, kind: Namespace, metadata: {name: '*'}}\n---\n"+there, "*", p.token)
		if _, err := s.rig.provider.Apply(ctx, "", at); err != nil {
			return err
		}
	}
	bystander := fmt.Sprintf(`{apiVersion: v1, kind: ConfigMap, metadata: {name: %s-foreign, labels: {plait.run/owned: "true"}}}`, p.token)
	return s.rig.apply(ctx, p.token, bystander)
}
