// Package sync keeps the objects of bound APIs and their copies at providers alike: spec up, status down.
//
// The reconcilers of bindings hand Tasks to the Supervisor, which runs one syncer for each: a live copy of the consumer's
// objects, one of the copies at the provider, a queue, and workers with a backoff of their own. A worker gathers what both
// sides hold of one object, decides in a pure function, acts, and looks again. Package mirror knows what a copy is.
//
// It promises: an object holds a finalizer before its copy exists; a first write can only create; all others, and every
// deletion, carry the UID of what was looked at and proved to be ours; what cannot be read is never taken for gone. What
// is settled costs no request. Nothing is written without a verified way to the provider, and all of it ends when that way
// does.
package sync
