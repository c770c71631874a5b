package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

func TestPercentFor(t *testing.T) {
	for live, want := range map[uint64]int{
		0: 1200, 4 << 20: 1200, 16 << 20: 300, 48 << 20: 100, 1 << 30: 100,
	} {
		if got := percentFor(live); got != want {
			t.Errorf("of %d live bytes: %d, want %d", live, got, want)
		}
	}
}

func TestAfterCollection(t *testing.T) {
	called := make(chan struct{}, 100)
	afterCollection(func() { called <- struct{}{} })
	for n := range 3 {
		select {
		case <-called:
		case <-time.After(time.Minute):
			t.Fatalf("called %d times, want one for the start and one for each collection", n)
		}
		runtime.GC()
	}
}

// TestFreeAtRest leaves garbage behind, and waits until it is gone without anybody's asking.
func TestFreeAtRest(t *testing.T) {
	debug.SetGCPercent(-1)
	defer debug.SetGCPercent(100)
	ctx, stop := context.WithCancel(t.Context())
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	left := make([]byte, 8*worthFree)
	full := heapNow()
	runtime.KeepAlive(left)
	beside.Go(func() { freeAtRest(ctx) })
	for deadline := time.Now().Add(time.Minute); heapNow().inUse > full.inUse-4*worthFree; {
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes are still in use, %d were", heapNow().inUse, full.inUse)
		}
		time.Sleep(restTick)
	}
}

func TestHeapState(t *testing.T) {
	before := heapState{allocated: 5 << 20, inUse: 40 << 20, live: 10 << 20}
	if got := before.garbage(); got != 30<<20 {
		t.Errorf("garbage of %v: %d", before, got)
	}
	if got := (heapState{inUse: 1, live: 2}).garbage(); got != 0 {
		t.Errorf("garbage of a heap just collected: %d, want none", got)
	}
	for more, want := range map[uint64]bool{0: true, restAllowed: true, restAllowed + 1: false} {
		if got := (heapState{allocated: before.allocated + more}).isRestSince(before); got != want {
			t.Errorf("after %d more bytes: at rest %t, want %t", more, got, want)
		}
	}
}
