package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// heapStep is by how much the heap may grow between two collections at least. The engine lives on little and throws away
// a lot of it at once when many instances change; Go would collect every few megabytes then.
const heapStep = 48 << 20

// paceCollections keeps garbage collections of a small heap rare. A heap of more than heapStep is treated as ever, and
// GOGC in the environment wins.
func paceCollections() {
	if os.Getenv("GOGC") == "" {
		afterCollection(func() { debug.SetGCPercent(percentFor(liveHeap())) })
	}
}

// afterCollection calls f now and after each garbage collection, for good.
func afterCollection(f func()) {
	f()
	mark := &struct{ size [64]byte }{} // the next collection finds that nobody needs it
	runtime.AddCleanup(mark, func(struct{}) { afterCollection(f) }, struct{}{})
}

// percentFor gives the value of GOGC at which a heap with so many live bytes grows by heapStep, and 100 at least.
func percentFor(live uint64) int {
	return int(max(100, 100*heapStep/max(live, 4<<20)))
}

// liveHeap is what the last collection left, in bytes.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
