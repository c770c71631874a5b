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
		0: 400, 4 << 20: 400, 8 << 20: 200, 16 << 20: 100, 32 << 20: 50, 1 << 30: 50,
	} {
		if got := percentFor(live); got != want {
			t.Errorf("of %d live bytes: %d, want %d", live, got, want)
		}
	}
}

func TestAfterCollection(t *testing.T) {
	called := make(chan struct{}, 1)
	afterCollection(func() { // for good: it must not stand in the way of other tests
		select {
		case called <- struct{}{}:
		default:
		}
	})
	tick := time.NewTicker(10 * time.Millisecond) // the next collection is awaited a moment after each call
	defer tick.Stop()
	late := time.After(time.Minute)
	for n := 0; n < 3; {
		select {
		case <-called:
			n++
		case <-tick.C:
			runtime.GC()
		case <-late:
			t.Fatalf("called %d times, want one for the start and one for each collection", n)
		}
	}
}

// TestFreeAtRest leaves garbage behind, and waits until it is collected without anybody's asking.
func TestFreeAtRest(t *testing.T) {
	debug.SetGCPercent(-1)
	defer debug.SetGCPercent(100)
	ctx, stop := context.WithCancel(t.Context())
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	beside.Go(func() { freeAtRest(ctx) })
	collected := make(chan struct{})
	left := make([]byte, 2*burst)
	runtime.AddCleanup(&left[0], func(c chan struct{}) { close(c) }, collected)
	select {
	case <-collected:
	case <-time.After(time.Minute):
		t.Fatal("what a burst has left is still there")
	}
}
