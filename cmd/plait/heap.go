package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// heapStep is by how much the heap may grow between two collections at least. The engine lives on little and throws away
// a lot of it at once when many instances change; Go would collect every few megabytes then.
const heapStep = 16 << 20

// paceCollections keeps garbage collections of a small heap rare, and has a large one grow by half. GOGC in the environment
// wins.
func paceCollections() {
	if os.Getenv("GOGC") == "" {
		afterCollection(func() { debug.SetGCPercent(percentFor(heapNow().live)) })
	}
}

// afterCollection calls f now and after each garbage collection, for good.
func afterCollection(f func()) {
	f()
	mark := &struct{ size [64]byte }{} // the next collection finds that nobody needs it
	runtime.AddCleanup(mark, func(struct{}) { afterCollection(f) }, struct{}{})
}

// percentFor gives the value of GOGC at which a heap with so many live bytes grows by heapStep, and 50 at least.
func percentFor(live uint64) int {
	return int(max(50, 100*heapStep/max(live, 4<<20)))
}

const (
	restTick    = 500 * time.Millisecond // how often it is looked whether the program has come to rest
	restTicks   = 6                      // looks in a row that find it at rest: memory that is given back too early is asked for again
	restAllowed = 256 << 10              // bytes that a program at rest allocates between two looks at most
	burst       = 128 << 20              // bytes that have to be allocated between two collections at rest
)

// freeAtRest collects and gives memory back to the system once when the program comes to rest after a long burst of
// work, until ctx ends: what that has left behind would stay for as long as nothing happens.
func freeAtRest(ctx context.Context) {
	tick := time.NewTicker(restTick)
	defer tick.Stop()
	var freed heapState // what the start has left behind counts too
	last, quiet := heapNow(), 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := heapNow()
		quiet++
		if now.allocated-last.allocated > restAllowed {
			quiet = 0
		}
		if quiet >= restTicks && now.allocated-freed.allocated >= burst {
			debug.FreeOSMemory()
			freed = now
		}
		last = now
	}
}

// heapState is what the runtime tells of the heap, in bytes.
type heapState struct {
	allocated uint64 // since the program began
	live      uint64 // what the last collection left
}

func heapNow() heapState {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return heapState{allocated: sample[0].Value.Uint64(), live: sample[1].Value.Uint64()}
}
