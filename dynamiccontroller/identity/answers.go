package identity

import (
	"errors"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// errUnanswered is what others find when a question ended in a panic; they ask themselves.
var errUnanswered = errors.New("the question was not answered")

// answers keeps answers for a time. Answers that failed are not kept.
type answers[Q comparable, A any] struct {
	life  time.Duration
	clock clock.PassiveClock

	mu    sync.Mutex // never held over a question
	known map[Q]*asked[A]
	sweep time.Time // when to look for answers that are too old
}

type asked[A any] struct {
	done  chan struct{} // closed when the rest is set
	value A
	err   error
	until time.Time
}

func newAnswers[Q comparable, A any](life time.Duration, c clock.PassiveClock) *answers[Q, A] {
	return &answers[Q, A]{life: life, clock: c, known: map[Q]*asked[A]{}}
}

// get gives the answer that is kept, or asks. Whoever comes while a question is under way waits for its answer.
func (a *answers[Q, A]) get(q Q, ask func() (A, error)) (A, error) {
	entry, mine := a.entry(q)
	if !mine {
		<-entry.done
		if entry.err == nil {
			return entry.value, nil
		}
		return ask() // the other's context may have ended
	}
	defer close(entry.done)
	entry.value, entry.err = ask()
	a.mu.Lock()
	defer a.mu.Unlock()
	entry.until = a.clock.Now().Add(a.life)
	if entry.err != nil && a.known[q] == entry {
		delete(a.known, q)
	}
	return entry.value, entry.err
}

func (a *answers[Q, A]) entry(q Q) (entry *asked[A], mine bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.clock.Now()
	if now.After(a.sweep) {
		a.sweep = now.Add(a.life)
		for old, e := range a.known {
			if !e.until.IsZero() && now.After(e.until) {
				delete(a.known, old)
			}
		}
	}
	if e, ok := a.known[q]; ok && (e.until.IsZero() || !now.After(e.until)) {
		return e, false
	}
	entry = &asked[A]{done: make(chan struct{}), err: errUnanswered}
	a.known[q] = entry
	return entry, true
}

func (a *answers[Q, A]) drop(is func(Q) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for q := range a.known {
		if is(q) {
			delete(a.known, q)
		}
	}
}
