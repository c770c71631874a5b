// Package watch keeps live copies of what instances read, and tells whose reading changed.
//
// A Cache is the copy of one list (of a resource, perhaps of one namespace, name or selector). The Watcher starts and
// ends caches as what instances want changes, reads children and externals out of them, and maps events to instances.
// The dynamic controller owns the Watcher, and keeps a Cache of its own for the instances of each kind it serves.
//
// It promises: what an owner wanted before it read reaches it as an event afterwards, or was in what it read. What
// cannot be told now (a list that is not complete, or that failed since) is said to be so, and the owner is told when
// it can be. A list that cannot be had holds up nobody else. Objects are shared and never changed. It never writes, and
// no lock is held over I/O (I9).
package watch
