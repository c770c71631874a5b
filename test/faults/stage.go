package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
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
	silence := quiet
	for _, p := range parties {
		silence = max(silence, p.workload.pause+quiet/2)
	}
	if err := w.crash(ctx, slices.Collect(maps.Values(traps)), silence); err != nil {
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
	if err := w.settleUnless(ctx, silence, never); err != nil {
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
func (w *rig) crash(ctx context.Context, traps []*trap, silence time.Duration) error {
	if !slices.ContainsFunc(traps, func(t *trap) bool { return t.fault.ending == held }) {
		return nil
	}
	isOnTheWay := func(t *trap) bool { return !t.isReached() }
	if err := w.settleUnless(ctx, silence, func() bool { return !slices.ContainsFunc(traps, isOnTheWay) }); err != nil {
		return err
	}
	if err := w.engine.Kill(); err != nil {
		return err
	}
	for _, t := range traps {
		w.proxy.spoil(t) // what is not at its point yet would hold the next engine, which nobody kills
	}
	return w.engine.Start()
}

// change is what a person does.
func (s *sweep) change(ctx context.Context, token string, st stage) error {
	if st.document != "" {
		document, err := s.rig.filled(st.document, token)
		if err != nil {
			return err
		}
		return s.rig.apply(ctx, token, document)
	}
	namespace := ""
	if s.workload.namespaced {
		namespace = token
	}
	return s.rig.at(s.workload.about(st), namespace).Delete(ctx, token, metav1.DeleteOptions{})
}

// live gives the objects of a resource by token.
func (w *rig) live(ctx context.Context, resource schema.GroupVersionResource) (map[string]*unstructured.Unstructured, error) {
	list, err := w.client.Resource(resource).List(ctx, metav1.ListOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("listing %s: %w", resource.Resource, err)
	}
	out := map[string]*unstructured.Unstructured{}
	if list != nil {
		for i := range list.Items {
			out[tokenOf(list.Items[i].GetName())] = &list.Items[i]
		}
	}
	return out, nil
}
