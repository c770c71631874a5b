package sync

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync/mirror"
)

// pass is one look at one object. Objects are shared, and never changed.
type pass struct {
	key   types.NamespacedName
	entry *entry
	obj   *unstructured.Unstructured // nil: there is none
	live  *unstructured.Unstructured // the copy, or what has its name; nil: there is none
	asked bool                       // live is the provider's answer, and no cache's
	up    map[string]any             // what the copy should be; nil: nothing is to be written
	lost  bool                       // the copy differs although the object has not changed
	after time.Duration

	confirmed bool // the API server itself has shown the object
}

// maxActions bounds a pass: finalizer, create, a look at what is in the way, taking it over, and one for good measure.
const maxActions = 6

// sync brings one object and its copy together. after asks for another look by time.
func (s *syncer) sync(ctx context.Context, key types.NamespacedName) (after time.Duration, err error) {
	if complete, _ := s.isComplete(); !complete {
		return 0, nil // completed will come back to it
	}
	p := &pass{key: key, entry: s.ledger.of(key)}
	for range maxActions {
		next := s.gather(p)
		again, err := s.act(ctx, p, next)
		if err != nil {
			return 0, s.failed(ctx, p, err)
		}
		if !again {
			return p.after, s.finish(ctx, p, next)
		}
	}
	return 0, fmt.Errorf("%q changes faster than it can be looked at", key)
}

// gather reads both sides and decides.
func (s *syncer) gather(p *pass) action {
	p.obj, _ = s.consumer.Get(p.key)
	if !p.asked && s.provider != nil {
		p.live, _ = s.provider.Get(s.placeOf(p.key))
	}
	if p.obj != nil {
		p.entry.vanished = time.Time{}
	}
	return decide(s.situationOf(p))
}

func (s *syncer) situationOf(p *pass) situation {
	out := situation{mode: s.task.Mode, exists: p.obj != nil, mayAdopt: s.task.Adopt}
	if p.obj != nil {
		out.deleted, out.held = p.obj.GetDeletionTimestamp() != nil, isHeld(p.obj)
		out.orphans = p.obj.GetAnnotations()[v1alpha1.AnnotationDeletionPolicy] == v1alpha1.DeletionPolicyOrphan
	}
	if p.live == nil {
		if p.asked {
			out.copy = absent
		}
		return out
	}
	out.copy, out.made, out.adopted = there, s.maker.IsMade(p.live), p.entry.isAdopted(p.live)
	if p.live.GetDeletionTimestamp() != nil {
		out.copy = going
	}
	if p.obj == nil {
		return out
	}
	out.claim = s.maker.Judge(p.live, p.obj, p.entry.copyUID)
	if !out.deleted && s.task.Mode == Copying {
		out.adopted = out.adopted && out.claim >= mirror.Successor
		p.up = s.maker.Up(p.obj, s.task.Carry, out.adopted)
		difference := s.maker.Compare(p.up, p.live)
		out.differs, p.lost = !difference.IsNone(), !difference.Content
	}
	return out
}

// placeOf gives where the copy of an object is.
func (s *syncer) placeOf(key types.NamespacedName) types.NamespacedName {
	if key.Namespace != "" {
		key.Namespace = s.maker.Namespace(key.Namespace)
	}
	return key
}

// finish ends a pass whose actions are done: status, problem and numbers.
func (s *syncer) finish(ctx context.Context, p *pass, last action) error {
	switch last {
	case forget, letGo:
		if s.ledger.drop(p.key) {
			s.tell()
		}
		return nil
	case conflict:
		problem := mirror.ConflictOf(s.maker.Judge(p.live, p.obj, p.entry.copyUID), p.live)
		return errors.Join(errInTheWay, s.say(ctx, p, problem))
	case nothing:
		return s.say(ctx, p, mirror.Problem{})
	default:
		return nil
	}
}

// errInTheWay makes the queue look again: what is in the way has no label of ours, so no event tells when it goes.
var errInTheWay = errors.New("an object of somebody else is in the way")
