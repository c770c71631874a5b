package main

import (
	"slices"
	"sync"
	"time"
)

// journal is what proxies share: the requests to all API servers in one order, and what is to break.
type journal struct {
	mu       sync.Mutex
	log      []request
	traps    map[string]*trap // by the token of a copy
	everyone *fault           // what every request hears; nil: nothing is wrong
}

func newJournal() *journal { return &journal{traps: map[string]*trap{}} }

// trap breaks the n-th write of a copy.
type trap struct {
	n       int // from 1; counts down
	fault   fault
	broke   *request
	reached chan struct{} // closed when the write was broken, and if the fault says so has taken effect
	release chan struct{} // closed by whoever set the trap, for a late write
}

func (t *trap) isReached() bool {
	select {
	case <-t.reached:
		return true
	default:
		return false
	}
}

// spring gives the trap that a request steps on; nil: none.
func (j *journal) spring(req request) *trap {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.traps[req.token]
	if t == nil || !req.isWrite {
		return nil
	}
	if t.n--; t.n != 0 {
		return nil
	}
	return t
}

// arm sets the trap of a copy, in place of the last one.
func (j *journal) arm(token string, n int, f fault) *trap {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := &trap{n: n, fault: f, reached: make(chan struct{}), release: make(chan struct{})}
	j.traps[token] = t
	return t
}

// spoil makes a trap that holds a write harmless, unless it was stepped on.
func (j *journal) spoil(t *trap) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if t.fault.ending == held && t.n > 0 {
		t.n = 0
	}
}

// disarm takes the trap of a copy away.
func (j *journal) disarm(token string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.traps, token)
}

// breakAll makes every new request hear a fault; nil ends it.
func (j *journal) breakAll(f *fault) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.everyone = f
}

func (j *journal) storm() *fault {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.everyone
}

func (j *journal) keep(req request) {
	req.at = time.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.log = append(j.log, req)
}

// since gives the requests from an index on, and the index for the next call.
func (j *journal) since(n int) ([]request, int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.log[n:]), len(j.log)
}
