package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
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
	world    *world
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

// newSweep sets the workload up and does the clean run, twice, to see that runs can be compared; once in a world.
func newSweep(ctx context.Context, w *world, l workload) (*sweep, error) {
	s := &sweep{world: w, workload: l, clean: w.cleanRuns[l.name], outcome: outcome{reached: map[string]int{}}}
	if len(s.clean.ends) > 0 {
		return s, nil
	}
	if l.setup != "" {
		if err := w.serve(ctx, l); err != nil {
			return nil, err
		}
	}
	if err := s.run(ctx, []*passage{{}, {}}); err != nil {
		return nil, err
	}
	if len(s.outcome.findings) > 0 {
		return nil, fmt.Errorf("clean runs differ: %v", s.outcome.findings)
	}
	w.cleanRuns[l.name] = s.clean
	return s, nil
}

// serve applies the group of a workload and waits until it is ready.
func (w *world) serve(ctx context.Context, l workload) error {
	if err := w.apply(ctx, groups, "", l.setup); err != nil {
		return err
	}
	err := w.until(ctx, "the group "+l.name, func() error {
		u, err := w.client.Resource(groups).Get(ctx, l.name, metav1.GetOptions{})
		if err != nil || isReady(u) {
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

// run takes passages through all stages.
func (s *sweep) run(ctx context.Context, all []*passage) error {
	for _, p := range all {
		if err := s.begin(ctx, p); err != nil {
			return err
		}
	}
	for i := range s.workload.stages {
		if err := s.stage(ctx, i, all); err != nil {
			return fmt.Errorf("%s, %s: %w", s.workload.name, s.workload.stages[i].name, err)
		}
	}
	return nil
}

// begin gives a passage its names, and a bystander that nobody is to touch.
func (s *sweep) begin(ctx context.Context, p *passage) error {
	s.world.copies++
	p.token = fmt.Sprintf("x%dq", s.world.copies)
	if err := s.world.apply(ctx, namespaces, "", "{apiVersion: v1, kind: Namespace, metadata: {name: "+p.token+"}}"); err != nil {
		return err
	}
	bystander := fmt.Sprintf(`{apiVersion: v1, kind: ConfigMap, metadata: {name: %s-foreign, labels: {plait.run/owned: "true"}}}`, p.token)
	return s.world.apply(ctx, configMaps, p.token, bystander)
}

// stage changes all copies, kills the engine when they are at their points, and judges what becomes of them.
func (s *sweep) stage(ctx context.Context, i int, all []*passage) error {
	_, from := s.world.proxy.since(0)
	traps := map[*passage]*trap{}
	for _, p := range all {
		if pt, ok := p.points[i]; ok && !p.broken {
			traps[p] = s.world.proxy.arm(p.token, pt.n, pt.fault)
		}
	}
	for _, p := range all {
		if !p.broken {
			if err := s.change(ctx, p.token, s.workload.stages[i]); err != nil {
				return err
			}
		}
	}
	if slices.ContainsFunc(all, func(p *passage) bool { return traps[p] != nil && traps[p].fault.ending == held }) {
		if err := s.crash(ctx, traps); err != nil {
			return err
		}
	}
	if s.during != nil {
		if err := s.during(ctx); err != nil {
			return err
		}
	}
	stuck := s.await(ctx, i, all)
	if err := s.world.settle(ctx); err != nil {
		return err
	}
	s.countPoints(i, traps)
	return s.judge(ctx, i, all, stuck, from)
}

// change is what a person does.
func (s *sweep) change(ctx context.Context, token string, st stage) error {
	namespace := ""
	if s.workload.isNamespaced() {
		namespace = token
	}
	if st.document == "" {
		return s.world.at(s.workload.resource, namespace).Delete(ctx, token, metav1.DeleteOptions{})
	}
	return s.world.apply(ctx, s.workload.resource, namespace, strings.ReplaceAll(st.document, "*", token))
}

// crash waits until every copy is held at its point, or nothing happens any more, and restarts the engine.
func (s *sweep) crash(ctx context.Context, traps map[*passage]*trap) error {
	if err := s.world.settleUnless(ctx, func() bool {
		for _, t := range traps {
			if !t.isReached() {
				return false
			}
		}
		return true
	}); err != nil {
		return err
	}
	return s.world.engine.restart()
}

// await waits until all copies are where the stage leads to, and gives what is wrong with those that do not get there.
func (s *sweep) await(ctx context.Context, i int, all []*passage) map[string]string {
	gone := s.workload.stages[i].document == ""
	var wrong map[string]string
	err := s.world.until(ctx, "the end of the stage", func() error {
		live, err := s.live(ctx)
		if err != nil {
			return err
		}
		wrong = map[string]string{}
		for _, p := range all {
			switch u := live[p.token]; {
			case p.broken:
			case gone && u != nil:
				wrong[p.token] = fmt.Sprintf("it is not gone: finalizers %v, status %v", u.GetFinalizers(), u.Object["status"])
			case !gone && (u == nil || !isReady(u)):
				wrong[p.token] = fmt.Sprintf("it is not ready: %v", u)
			}
		}
		if len(wrong) > 0 {
			return fmt.Errorf("%d copies are on their way", len(wrong))
		}
		return nil
	})
	if err != nil && len(wrong) == 0 {
		wrong[""] = err.Error()
	}
	return wrong
}

// live gives the objects of the workload by token.
func (s *sweep) live(ctx context.Context) (map[string]*unstructured.Unstructured, error) {
	list, err := s.world.client.Resource(s.workload.resource).List(ctx, metav1.ListOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("listing %s: %w", s.workload.resource.Resource, err)
	}
	out := map[string]*unstructured.Unstructured{}
	if list != nil {
		for i := range list.Items {
			out[tokenOf(list.Items[i].GetName())] = &list.Items[i]
		}
	}
	return out, nil
}
