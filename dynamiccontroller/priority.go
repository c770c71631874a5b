package dynamiccontroller

import (
	"maps"

	"github.com/plait-run/plait/dynamiccontroller/watch"
)

// Priority orders what waits in a kind's queue.
type Priority int

// From the last to the first.
const (
	Background Priority = -100 // start-up, reminders, foreign changes of a status
	Normal     Priority = 0    // a wait is over
	Change     Priority = 100  // changes of the spec, of children and of externals
)

// priorityOf tells how urgent a change of an instance is; ok is false when it needs no reconcile.
func priorityOf(c watch.Change) (p Priority, ok bool) {
	switch {
	case c.Echo && isUncertain(c):
		return 0, false
	case c.Initial || c.Resync:
		return Background, true
	case c.Old == nil || c.New == nil || isWish(c):
		return Change, true
	default:
		return Background, true
	}
}

// isUncertain tells whether a change may come of a write of ours: those never change the spec, nor delete.
func isUncertain(c watch.Change) bool {
	return c.New != nil && (c.Old == nil || c.Old.GetGeneration() == c.New.GetGeneration()) && !c.Resync
}

// isWish tells whether somebody wants something new: the spec, the metadata that people write, or deletion.
func isWish(c watch.Change) bool {
	old, now := c.Old, c.New
	return old.GetGeneration() != now.GetGeneration() ||
		old.GetDeletionTimestamp().IsZero() != now.GetDeletionTimestamp().IsZero() ||
		len(old.GetFinalizers()) != len(now.GetFinalizers()) ||
		!maps.Equal(old.GetAnnotations(), now.GetAnnotations()) ||
		!maps.Equal(old.GetLabels(), now.GetLabels())
}
