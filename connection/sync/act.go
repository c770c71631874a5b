package sync

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/connection/sync/mirror"
)

// callTime bounds one request; the queue does the waiting.
const callTime = 10 * time.Second

// createOnly is a resource version that no stored object has: an apply that carries it creates, or is a conflict.
const createOnly = "1"

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
	p.up = s.maker.Up(p.obj, s.task.Carry, false)
	body := withMetadata(p.up, "resourceVersion", createOnly)
	answer, err := s.apply(ctx, p, body)
	if isMissingNamespace(err) {
		if err := s.makeNamespace(ctx, p); err != nil {
			return err
		}
		answer, err = s.apply(ctx, p, body)
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
	answer, err := s.apply(ctx, p, withMetadata(p.up, "uid", string(p.live.GetUID())))
	if apierrors.IsConflict(err) || isReplaced(err) {
		return s.ask(ctx, p)
	}
	return s.written(p, answer, err)
}

func (s *syncer) apply(ctx context.Context, p *pass, body map[string]any) (*unstructured.Unstructured, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encoding the copy of %q: %w", p.key, err)
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	force := true
	options := metav1.PatchOptions{FieldManager: s.maker.Manager(), Force: &force}
	answer, err := s.copies(p.key).Patch(ctx, p.key.Name, types.ApplyYAMLPatchType, data, options)
	s.cfg.Metrics.wrote(s.task, up, err)
	return answer, err
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
func (s *syncer) ask(ctx context.Context, p *pass) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	live, err := s.copies(p.key).Get(ctx, p.key.Name, metav1.GetOptions{})
	switch {
	case isGone(err, p.key.Name):
		p.live, p.asked = nil, true
		return nil
	case err != nil:
		return fmt.Errorf("looking for the copy of %q: %w", p.key, err)
	}
	p.live, p.asked = live, true
	return nil
}

// copies is where the copy of an object lives.
func (s *syncer) copies(key types.NamespacedName) dynamic.ResourceInterface {
	resource := s.remote.Dynamic.Resource(s.task.Resource)
	if key.Namespace == "" {
		return resource
	}
	return resource.Namespace(s.maker.Namespace(key.Namespace))
}

// withMetadata gives a body with one more field of metadata, and leaves the given one as it is.
func withMetadata(body map[string]any, key, value string) map[string]any {
	out, metadata := make(map[string]any, len(body)), map[string]any{}
	for k, v := range body {
		out[k] = v
	}
	had, _ := body["metadata"].(map[string]any)
	for k, v := range had {
		metadata[k] = v
	}
	metadata[key] = value
	out["metadata"] = metadata
	return out
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
