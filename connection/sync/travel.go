package sync

import (
	"context"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync/mirror"
)

// trip is one look at what travels: the source, and what has the name of its copy.
type trip struct {
	key    types.NamespacedName // in this cluster
	source *unstructured.Unstructured
	live   *unstructured.Unstructured
	into   types.NamespacedName
	from   types.NamespacedName
}

// sync brings one copy in line with its source.
func (c *companion) sync(ctx context.Context, key types.NamespacedName) (time.Duration, error) {
	if complete, _ := c.isComplete(); !complete || !c.knowsSpaces() {
		return 0, nil // completed will come back to it
	}
	t := c.look(key)
	why := ""
	if t.source != nil {
		why = mirror.RefuseRelated(t.source, t.into.Namespace)
	}
	isWanted := t.source != nil && t.source.GetDeletionTimestamp() == nil && c.isUsed(key.Namespace)
	switch {
	case isWanted && why == "":
		return 0, c.bring(ctx, t)
	case isWanted && t.live == nil:
		c.settle(key, mirror.Problem{Reason: v1alpha1.ReasonInvalidObject, Message: why})
		return 0, nil
	case t.source != nil && c.task.Related.Partial && c.task.Mode == Copying && !c.isUsed(key.Namespace):
		return 0, nil // it may be used all the same
	default:
		return 0, c.take(ctx, t)
	}
}

func (c *companion) look(key types.NamespacedName) trip {
	there := types.NamespacedName{Namespace: c.there(key.Namespace), Name: key.Name}
	t := trip{key: key, into: there, from: key}
	if c.task.Related.FromProvider {
		t.into, t.from = key, there
	}
	for _, source := range c.sources {
		if u, ok := source.Get(t.from); ok {
			t.source = u
		}
	}
	t.live, _ = c.copies.Get(t.into)
	return t
}

// bring writes the copy where it differs.
func (c *companion) bring(ctx context.Context, t trip) error {
	body := c.maker.Up(c.placed(t), mirror.Carry{}, false)
	if t.live == nil {
		answer, err := c.to.create(ctx, t.into, body)
		if !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) {
			return c.wrote(t, answer, err)
		}
		if t.live, err = c.to.get(ctx, t.into); err != nil {
			return err
		}
		if t.live == nil {
			return errInTheWay
		}
	}
	claim := c.maker.Judge(t.live, c.placed(t), "")
	switch {
	case claim < mirror.Successor:
		c.settle(t.key, mirror.ConflictOf(claim, t.live))
		return errInTheWay
	case c.maker.Compare(body, t.live).IsNone():
		c.settle(t.key, mirror.Problem{})
		return nil
	}
	answer, err := c.to.update(ctx, t.live, body)
	if apierrors.IsInvalid(err) { // another type, or one that may not be changed: it is made anew
		_, err = c.to.delete(ctx, t.live)
		if err == nil {
			err = errInTheWay
		}
		return err
	}
	return c.wrote(t, answer, err)
}

// placed gives the source as if it were in this cluster's namespace, where the maker looks for it.
func (c *companion) placed(t trip) *unstructured.Unstructured {
	if !c.task.Related.FromProvider {
		return t.source
	}
	out := t.source.DeepCopy()
	out.SetNamespace(t.key.Namespace)
	return out
}

// take deletes a copy that nothing asks for any more. That a source is gone, the API server itself is asked.
func (c *companion) take(ctx context.Context, t trip) error {
	if t.live == nil || !c.maker.IsMade(t.live) || t.live.GetDeletionTimestamp() != nil {
		if c.ledger.drop(t.key) {
			c.tell()
		}
		return nil
	}
	if t.source == nil && c.task.Mode == Copying && c.isUsed(t.key.Namespace) {
		source, err := c.from.get(ctx, t.from)
		if err != nil {
			return err
		}
		if source != nil && c.isSelected(source) {
			return errStillThere
		}
	}
	if _, err := c.to.delete(ctx, t.live); err != nil {
		return err
	}
	c.ledger.drop(t.key)
	c.ledger.wrote(c.cfg.Now())
	c.tell()
	return nil
}

func (c *companion) wrote(t trip, answer *unstructured.Unstructured, err error) error {
	code, words := answerOf(err)
	switch {
	case isRefusing(code) && !isMissingNamespace(err):
		c.settle(t.key, mirror.Problem{Reason: v1alpha1.ReasonInvalidObject, Message: "the API server refuses it: " + words})
		return err
	case err != nil:
		return err
	}
	c.copies.Wrote(answer)
	c.ledger.wrote(c.cfg.Now())
	c.settle(t.key, mirror.Problem{})
	return nil
}

func (c *companion) settle(key types.NamespacedName, problem mirror.Problem) {
	if c.ledger.settle(key, problem == (mirror.Problem{}), problem) {
		c.tell()
	}
}

// isSelected tells whether an object is one of those that travel.
func (c *companion) isSelected(source *unstructured.Unstructured) bool {
	if slices.Contains(c.task.Related.Names, source.GetName()) {
		return true
	}
	return slices.ContainsFunc(c.task.Related.Selectors, func(text string) bool {
		selector, err := labels.Parse(text)
		return err != nil || selector.Matches(labels.Set(source.GetLabels()))
	})
}
