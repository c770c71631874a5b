package sync

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync/mirror"
)

// say brings status, conflict and problem of the consumer's object up to date, each only where it differs.
func (s *syncer) say(ctx context.Context, p *pass, problem mirror.Problem) error {
	s.announce(p, problem)
	if err := s.markConflict(ctx, p, problem); err != nil {
		return err
	}
	if err := s.writeStatus(ctx, p, problem); err != nil {
		return err
	}
	isCopied := problem == (mirror.Problem{}) && p.live != nil
	if s.ledger.settle(p.key, isCopied, problem) {
		s.tell()
	}
	return nil
}

// announce has one event for a new problem.
func (s *syncer) announce(p *pass, problem mirror.Problem) {
	if p.entry.announced == problem {
		return
	}
	p.entry.announced = problem
	if s.cfg.Recorder == nil {
		return
	}
	if problem == (mirror.Problem{}) {
		s.cfg.Recorder.Eventf(p.obj, nil, "Normal", string(v1alpha1.ConditionSynced), "Sync", "the provider has taken it")
		return
	}
	s.cfg.Recorder.Eventf(p.obj, nil, "Warning", string(problem.Reason), "Sync", "%s", problem.Message)
}

// markConflict keeps the annotation that says what is in the way.
func (s *syncer) markConflict(ctx context.Context, p *pass, problem mirror.Problem) error {
	var wanted any
	if isConflict(problem.Reason) {
		wanted = problem.Message
	}
	had, isThere := p.obj.GetAnnotations()[v1alpha1.AnnotationConflict]
	if (wanted == nil && !isThere) || (isThere && wanted == had) {
		return nil
	}
	return s.patchObject(ctx, p, map[string]any{
		"uid": string(p.obj.GetUID()), "annotations": map[string]any{v1alpha1.AnnotationConflict: wanted},
	})
}

func (s *syncer) writeStatus(ctx context.Context, p *pass, problem mirror.Problem) error {
	had := p.obj.Object["status"]
	wanted := s.statusFor(p, had, problem)
	memory := &p.entry.status
	isRefused := mirror.IsSame(had, memory.stored) && mirror.IsSame(wanted, memory.wanted)
	if mirror.IsSame(had, wanted) || isRefused {
		return nil
	}
	operations := []map[string]any{{"op": "test", "path": "/metadata/uid", "value": string(p.obj.GetUID())}}
	if wanted == nil {
		operations = append(operations, map[string]any{"op": "remove", "path": "/status"})
	} else {
		operations = append(operations, map[string]any{"op": "add", "path": "/status", "value": wanted})
	}
	body, err := json.Marshal(operations)
	if err != nil {
		return fmt.Errorf("encoding the status of %q: %w", p.key, err)
	}
	c := change{types.JSONPatchType, body, ""}
	if s.task.HasStatus {
		c.subresource = "status"
	}
	err = s.patch(ctx, p, c)
	switch {
	case apierrors.IsInvalid(err) && problem != (mirror.Problem{}):
		*memory = memo{wanted, had} // the schema has no place for the condition; the event has told it
		return nil
	case err != nil:
		return err
	}
	*memory = memo{wanted, p.obj.Object["status"]}
	return nil
}

// statusFor gives the status that the object should have. Without a copy of its own it keeps what it has.
func (s *syncer) statusFor(p *pass, had any, problem mirror.Problem) any {
	var out any
	switch {
	case p.live != nil && s.maker.Judge(p.live, p.obj, p.entry.copyUID) >= mirror.Recognised:
		out = mirror.Down(p.live)
	case had != nil:
		out = mirror.WithoutProblem(had)
	}
	if problem == (mirror.Problem{}) || !s.task.HasConditions {
		return out
	}
	return mirror.WithProblem(out, had, problem, p.obj, s.cfg.Now())
}
