package sync

import "github.com/plait-run/plait/connection/sync/mirror"

// presence is how much of a copy there is.
type presence int

const (
	unseen presence = iota // the live list has none
	absent                 // the provider has said that there is none
	there
	going // it is being deleted
)

// situation is what both sides hold of one object.
type situation struct {
	mode     Mode
	exists   bool // the consumer's object
	deleted  bool // it is being deleted
	held     bool // it has our finalizer
	orphans  bool // its user asks to leave the copy
	copy     presence
	claim    mirror.Claim // on the copy; counts while the object exists
	made     bool         // the copy is this binding's
	adopted  bool         // the copy was there before us
	differs  bool         // the copy is not what it should be
	mayAdopt bool
}

// action is the next thing to do for one object.
type action int

const (
	nothing     action = iota // both sides are as they should be
	wait                      // an event will tell how it goes on
	forget                    // nothing is left
	hold                      // put the finalizer on the object
	create                    // write the copy, which is not there
	update                    // write the copy, which is ours
	adopt                     // take the copy over
	conflict                  // somebody else's object is in the way
	confirm                   // ask the provider whether there is a copy
	deleteCopy                // with its UID
	releaseCopy               // take our marks off it
	letGo                     // take the finalizer off the object
	sweep                     // the object has vanished: see to its copy after a while
)

// decide is the rule of the syncer.
func decide(s situation) action {
	switch {
	case s.mode == Releasing:
		return decideReleasing(s)
	case !s.exists:
		return decideVanished(s)
	case s.deleted || s.mode == Removing:
		return decideLeaving(s)
	case s.mode == Holding:
		return nothing
	case !s.held:
		return hold
	default:
		return decideCopying(s)
	}
}

func decideReleasing(s situation) action {
	if s.exists && s.held {
		return letGo
	}
	return forget
}

func decideVanished(s situation) action {
	switch {
	case s.copy == going:
		return wait
	case s.copy == there && s.made:
		return sweep
	default:
		return forget
	}
}

func decideLeaving(s situation) action {
	mine := s.claim >= mirror.Successor
	switch {
	case !s.held && (s.mode != Removing || !s.made || s.copy != there):
		return forget
	case s.copy == unseen:
		return confirm
	case s.copy == absent, !mine, s.mode == Removing && !s.deleted && !s.made: // with the binding go just its own copies
		return letGo
	case s.copy == going:
		return wait
	case s.orphans, s.adopted:
		return releaseCopy
	default:
		return deleteCopy
	}
}

func decideCopying(s situation) action {
	switch {
	case s.copy == unseen, s.copy == absent:
		return create
	case s.claim < mirror.Adoptable, s.claim == mirror.Adoptable && !s.mayAdopt:
		return conflict
	case s.copy == going:
		return wait
	case s.claim == mirror.Adoptable:
		return adopt
	case s.differs:
		return update
	default:
		return nothing
	}
}
