// Package lease keeps a Lease on each provider that shows that this cluster is there.
//
// The Connection controller says which Leases there are (Keep, Release); a loop of its own for each of them, its only
// writer, renews it, so that nothing slow can let one expire. A renewal that fails is counted and tried again at the next
// one; nothing else depends on it.
package lease
