package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// party is the passages of a sweep that go together.
type party struct {
	*sweep
	all []*passage
}

// march takes parties through all stages of their workloads, at the same time.
func (w *rig) march(ctx context.Context, parties []party) error {
	for _, p := range parties {
		for _, one := range p.all {
			if err := p.begin(ctx, one); err != nil {
				return err
			}
		}
	}
	for i := 0; len(parties) > 0; i++ {
		if err := w.stage(ctx, i, parties); err != nil {
			return fmt.Errorf("stage %d of %s: %w", i+1, parties[0].workload.name, err)
		}
		parties = slices.DeleteFunc(slices.Clone(parties), func(p party) bool { return len(p.workload.stages) == i+1 })
	}
	return nil
}

// stage changes all copies, kills the engine when they are at their points, and judges what becomes of them.
func (w *rig) stage(ctx context.Context, i int, parties []party) error {
	_, from := w.proxy.since(0)
	traps := map[string]*trap{}
	for _, p := range parties {
		if err := p.send(ctx, i, traps); err != nil {
			return err
		}
	}
	if err := w.crash(ctx, slices.Collect(maps.Values(traps))); err != nil {
		return err
	}
	stuck := make([]map[string]string, len(parties))
	for n, p := range parties {
		if p.during != nil {
			if err := p.during(ctx); err != nil {
				return err
			}
		}
		stuck[n] = p.await(ctx, i)
	}
	if err := w.settle(ctx); err != nil {
		return err
	}
	for n, p := range parties {
		p.countPoints(i, traps)
		if err := p.judge(ctx, i, stuck[n], from); err != nil {
			return err
		}
	}
	return nil
}

// send sets the traps of a stage by token, and changes all copies.
func (s party) send(ctx context.Context, i int, traps map[string]*trap) error {
	for _, p := range s.all {
		if pt, ok := p.points[i]; ok && !p.broken {
			traps[p.token] = s.rig.proxy.arm(p.token, pt.n, pt.fault)
		}
	}
	for _, p := range s.all {
		if p.broken {
			continue
		}
		if err := s.change(ctx, p.token, s.workload.stages[i]); err != nil {
			return fmt.Errorf("%s: %w", s.workload.stages[i].name, err)
		}
	}
	return nil
}

// crash restarts the engine if a copy is to crash: once all copies are at their points, or nothing happens any more.
func (w *rig) crash(ctx context.Context, traps []*trap) error {
	if !slices.ContainsFunc(traps, func(t *trap) bool { return t.fault.ending == held }) {
		return nil
	}
	isOnTheWay := func(t *trap) bool { return !t.isReached() }
	if err := w.settleUnless(ctx, func() bool { return !slices.ContainsFunc(traps, isOnTheWay) }); err != nil {
		return err
	}
	return w.engine.Restart()
}

// change is what a person does.
func (s *sweep) change(ctx context.Context, token string, st stage) error {
	namespace := ""
	if s.workload.isNamespaced() {
		namespace = token
	}
	if st.document == "" {
		return s.rig.at(s.workload.resource, namespace).Delete(ctx, token, metav1.DeleteOptions{})
	}
	return s.rig.apply(ctx, namespace, strings.ReplaceAll(st.document, "*", token))
}

// await waits until all copies are where the stage leads to, and gives what is wrong with those that do not get there.
func (s party) await(ctx context.Context, i int) map[string]string {
	gone := s.workload.stages[i].document == ""
	var wrong map[string]string
	err := s.rig.until(ctx, "the end of the stage", func() error {
		live, err := s.live(ctx)
		if err != nil {
			return err
		}
		wrong = map[string]string{}
		for _, p := range s.all {
			switch u := live[p.token]; {
			case p.broken:
			case gone && u != nil:
				wrong[p.token] = fmt.Sprintf("it is not gone: finalizers %v, status %v", u.GetFinalizers(), u.Object["status"])
			case !gone && (u == nil || !world.IsReady(u)):
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
	list, err := s.rig.client.Resource(s.workload.resource).List(ctx, metav1.ListOptions{})
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
