package sync

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/connection/sync/mirror"
	"github.com/plait-run/plait/dynamiccontroller/emptied"
)

// act does one action. again tells that it has changed what is known, so that the next one can be decided.
func (s *syncer) act(ctx context.Context, p *pass, next action) (again bool, err error) {
	switch next {
	case hold:
		return true, s.hold(ctx, p)
	case create:
		return true, s.create(ctx, p)
	case update:
		return s.update(ctx, p)
	case adopt:
		p.up = s.maker.Up(p.obj, s.task.Carry, true)
		return true, s.write(ctx, p)
	case confirm:
		return true, s.ask(ctx, p)
	case deleteCopy:
		return false, s.deleteCopy(ctx, p)
	case releaseCopy:
		return true, s.releaseCopy(ctx, p)
	case letGo:
		return false, s.letGo(ctx, p)
	case sweep:
		return false, s.sweep(ctx, p)
	case nothing, wait, forget, conflict:
		return false, nil
	}
	return false, fmt.Errorf("there is no action %d", next)
}

// create writes a copy that is not there; when one is, it is looked at.
func (s *syncer) create(ctx context.Context, p *pass) error {
	if err := s.takeNamespace(p); err != nil {
		return err
	}
	if err := s.confirm(ctx, p); err != nil {
		return err
	}
	p.up = s.maker.Up(p.obj, s.task.Carry, false)
	answer, err := s.copies.create(ctx, s.placeOf(p.key), p.up)
	if isMissingNamespace(err) {
		if err := s.makeNamespace(ctx, p); err != nil {
			return err
		}
		answer, err = s.copies.create(ctx, s.placeOf(p.key), p.up)
	}
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return s.ask(ctx, p)
	}
	return s.written(p, answer, err)
}

// update writes a copy that is ours. What somebody changes again and again is left alone for longer and longer.
func (s *syncer) update(ctx context.Context, p *pass) (again bool, err error) {
	if p.lost {
		if p.after = p.entry.pause(s.cfg.Now()); p.after > 0 {
			return false, nil
		}
	}
	return true, s.write(ctx, p)
}

// write applies what the copy should be to the object that was looked at. One that was replaced is looked at again.
func (s *syncer) write(ctx context.Context, p *pass) error {
	answer, err := s.writeWhole(ctx, p)
	if apierrors.IsConflict(err) || isReplaced(err) {
		return s.ask(ctx, p)
	}
	return s.written(p, answer, err)
}

// writeWhole writes in two when a map becomes empty.
func (s *syncer) writeWhole(ctx context.Context, p *pass) (*unstructured.Unstructured, error) {
	if lean, ok := emptied.Lean(p.up, p.live.Object); ok {
		if _, err := s.copies.update(ctx, p.live, lean); err != nil {
			return nil, err
		}
	}
	return s.copies.update(ctx, p.live, p.up)
}

// written takes the answer to a write.
func (s *syncer) written(p *pass, answer *unstructured.Unstructured, err error) error {
	if err != nil {
		return err
	}
	now := s.cfg.Now()
	s.provider.Wrote(answer)
	p.live, p.asked, p.entry.copyUID = answer, true, answer.GetUID()
	s.ledger.wrote(now)
	if since := s.ledger.since(p.key); !since.IsZero() {
		s.cfg.Metrics.took(s.task, now.Sub(since))
	}
	if s.ledger.deny("") {
		s.tell()
	}
	return nil
}

// ask reads the provider's object past the cache: its label may have been taken off.
func (s *syncer) ask(ctx context.Context, p *pass) (err error) {
	live, err := s.copies.get(ctx, s.placeOf(p.key))
	if err != nil {
		return err
	}
	p.live, p.asked = live, true
	return nil
}

// Repairs in a row that are made at once, and the longest pause after that.
const (
	freeRepairs = 5
	longPause   = 5 * time.Minute
)

// pause counts a repair, and tells how long to wait before it.
func (e *entry) pause(now time.Time) time.Duration {
	if now.Sub(e.repairAt) > 2*longPause {
		e.repairs = 0
	}
	if e.repairs >= freeRepairs {
		due := e.repairAt.Add(min(time.Second<<min(e.repairs-freeRepairs, 10), longPause))
		if left := due.Sub(now); left > 0 {
			return left
		}
	}
	e.repairs++
	e.repairAt = now
	return 0
}

// takeNamespace sees that no other namespace of this cluster is mapped to the same one.
func (s *syncer) takeNamespace(p *pass) error {
	if s.task.Prefix == "" || p.key.Namespace == "" {
		return nil
	}
	theirs := s.maker.Namespace(p.key.Namespace)
	isUsed := func(namespace string) bool { return len(s.consumer.Select(namespace, everything)) > 0 }
	rival, ok := s.origins.take(theirs, p.key.Namespace, isUsed)
	if ok {
		return nil
	}
	return &refusal{problem: mirror.NamespaceTaken(p.key.Namespace, theirs, rival)}
}
