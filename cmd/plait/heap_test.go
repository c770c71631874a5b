package main

import (
	"runtime"
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
