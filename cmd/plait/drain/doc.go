// Package drain takes Plait's finalizers off everything in a cluster, so that nothing hangs once no engine runs any more.
//
// `plait controller --drain` calls it. It promises to take away nothing but finalizers whose names begin with plait.run/:
// no object is deleted, no label and no child is touched. It never works beside an engine: it takes the leader's lease
// first, and waits for whoever holds it.
package drain
