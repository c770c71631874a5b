// Package apply writes composed objects: it is the only writer of them (I2).
//
// The instance reconciler calls it for every object that a plan wants changed or deleted. Everything about an
// object that can be decided without a client is a pure function here: the marks that it carries (Owner.Marked),
// whether the cluster already holds what is wanted (Owner.Compare), and whether a live object is ours (Owner.Judge).
//
// It promises that a first write can only create, that every other write carries the UID that it was planned
// for, that nothing is deleted without UID precondition and proof of ownership (I3), and that a write that did
// not succeed comes back as a plan.Fault of the right kind. It never chooses an identity, retries, or waits.
package apply
