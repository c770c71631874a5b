// Package instance brings the instances of one kind to what their graph says, keeps them there, and takes them down.
//
// package dynamiccontroller calls Reconcile for one instance at a time. A pass is an ordered list of steps, one file
// each: load, delete, suspend, resolve revision, resolve identity, claim, observe, plan, apply, prune, status.
//
// It promises that all reads come from caches, that the inventory is on the instance before the first child exists
// (I4), that deletion needs no graph (I5), that a settled instance costs no request, and that what the status says
// comes from one function over the states of the nodes. It never chooses what should be: package runtime does; it
// never writes a child itself: package apply does.
package instance
