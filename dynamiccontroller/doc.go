// Package dynamiccontroller is the engine: it serves kinds of instances that come and go.
//
// The ResourceGroup reconciler registers and deregisters kinds; instance reconcilers read instances from it, and
// children and externals from its Watcher. Each kind has a controller with a queue of its own, and all kinds share the
// slots in which reconciles run, so that a slow kind leaves room for others.
//
// It promises that an instance is never reconciled twice at a time, across changes of the reconciler as well; that
// registering never blocks; that a kind that cannot be listed holds up no other; and that Start joins every goroutine
// (I8). It moves keys, not meaning: it knows nothing of graphs, and never writes to the cluster.
package dynamiccontroller
