package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/connection/sync/mirror"
)

// deleteCopy deletes just the object that was looked at. Its event brings the pass that lets go of the origin.
func (s *syncer) deleteCopy(ctx context.Context, p *pass) error {
	gone, err := s.copies.delete(ctx, p.live)
	if err != nil {
		return err
	}
	if gone {
		p.after = firstDelay // the event may have come already
		return nil
	}
	s.ledger.wrote(s.cfg.Now())
	s.emptied(p.live.GetNamespace())
	return nil
}

// releaseCopy takes our marks off the copy, as it is now.
func (s *syncer) releaseCopy(ctx context.Context, p *pass) error {
	if err := s.ask(ctx, p); err != nil || p.live == nil {
		return err
	}
	if p.obj != nil && s.maker.Judge(p.live, p.obj, p.entry.copyUID) < mirror.Successor {
		return nil
	}
	body, err := json.Marshal(s.maker.Release(p.live))
	if err != nil {
		return fmt.Errorf("encoding the release of %q: %w", p.key, err)
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	answer, err := s.copies.at(p.live.GetNamespace()).Patch(ctx, p.key.Name, types.MergePatchType, body, metav1.PatchOptions{FieldManager: s.maker.Manager()})
	s.cfg.Metrics.wrote(s.task, up, err)
	if err != nil {
		return fmt.Errorf("releasing the copy of %q: %w", p.key, err)
	}
	p.live, p.entry.copyUID, p.entry.adopted = answer, "", ""
	s.ledger.wrote(s.cfg.Now())
	return nil
}

// errStillThere is an object that the API server has and the cache does not.
var errStillThere = errors.New("the object is there, though no cache shows it")

// sweep sees to the copy of an object that is gone without its finalizer having been asked. It waits for a while, and
// asks the API server itself before it believes it.
func (s *syncer) sweep(ctx context.Context, p *pass) error {
	now := s.cfg.Now()
	if p.entry.vanished.IsZero() {
		p.entry.vanished = now
	}
	if left := p.entry.vanished.Add(s.cfg.Grace).Sub(now); left > 0 && s.task.Mode != Removing {
		p.after = left
		return nil
	}
	if err := s.hasVanished(ctx, p.key); err != nil {
		return err
	}
	if p.entry.isAdopted(p.live) {
		return s.releaseCopy(ctx, p)
	}
	return s.deleteCopy(ctx, p)
}

func (s *syncer) hasVanished(ctx context.Context, key types.NamespacedName) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	_, err := s.objects(key).Get(ctx, key.Name, metav1.GetOptions{})
	switch {
	case err == nil:
		return &localError{errStillThere}
	case isGone(err, key.Name):
		return nil
	default:
		return &localError{fmt.Errorf("looking for %q: %w", key, err)}
	}
}

// isGone tells whether the API server says that the object is not there: it names it. Where it does not serve the
// resource, it names nothing, and nothing is known.
func isGone(err error, name string) bool {
	var status apierrors.APIStatus
	if !apierrors.IsNotFound(err) || !errors.As(err, &status) {
		return false
	}
	details := status.Status().Details
	return details != nil && details.Name == name
}
