package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/test/world"
)

// goal is where a stage leads to, for the object of a resource that has the copy's token.
type goal struct {
	resource schema.GroupVersionResource
	isThere  func(*unstructured.Unstructured) bool // nil: the object is gone
}

// goalsOf gives those of a stage: that the workload's object is ready, or gone, where it says no other.
func (l workload) goalsOf(s stage) []goal {
	switch {
	case len(s.goals) > 0:
		return s.goals
	case s.document == "":
		return []goal{{resource: l.about(s)}}
	default:
		return []goal{{l.about(s), world.IsReady}}
	}
}

// about gives the resource whose object a stage deletes.
func (l workload) about(s stage) schema.GroupVersionResource {
	if s.resource.Empty() {
		return l.resource
	}
	return s.resource
}

// await waits until all copies are where the stage leads to, and gives what is wrong with those that do not get there.
func (s party) await(ctx context.Context, i int) map[string]string {
	var wrong map[string]string
	err := s.rig.until(ctx, "the end of the stage", func() error {
		wrong = map[string]string{}
		for _, g := range s.workload.goalsOf(s.workload.stages[i]) {
			live, err := s.rig.live(ctx, g.resource)
			if err != nil {
				return err
			}
			for _, p := range s.all {
				if text := g.wrong(live[p.token]); text != "" && !p.broken {
					wrong[p.token] = text
				}
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

// wrong says what is wrong with an object, nil for none; empty: nothing.
func (g goal) wrong(u *unstructured.Unstructured) string {
	switch {
	case g.isThere == nil && u != nil:
		return fmt.Sprintf("it is not gone: finalizers %v, status %v", u.GetFinalizers(), u.Object["status"])
	case g.isThere != nil && u == nil:
		return fmt.Sprintf("there is none of %s", g.resource.Resource)
	case g.isThere != nil && !g.isThere(u):
		return fmt.Sprintf("it is not as it should be: %v", u)
	default:
		return ""
	}
}
