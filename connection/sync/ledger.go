package sync

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync/mirror"
)

// lateTime is after how long an object that is on its way is reported.
const lateTime = 3 * time.Second

// entry is what is remembered of one object. Its worker alone reads and writes it, but for what the ledger guards.
type entry struct {
	copyUID   types.UID // of the copy that was written last; empty: not known
	adopted   types.UID // of a copy that was seen to be adopted; empty: none was
	status    memo      // the last one that was written to the object
	vanished  time.Time // when the object was first missed; zero: it is there
	repairs   int       // writes in a row that no change of the object asked for
	repairAt  time.Time // when the last one was
	announced mirror.Problem

	copied  bool           // guarded: both sides agree
	changed time.Time      // guarded: since when they may not; zero: they do
	problem mirror.Problem // guarded
}

// isAdopted tells whether a copy was there before us. One that has been seen so stays so, if somebody replaces the object
// and the mark is lost with that: it would be deleted else.
func (e *entry) isAdopted(live *unstructured.Unstructured) bool {
	if mirror.IsAdopted(live) {
		e.adopted = live.GetUID()
	}
	return e.adopted != "" && e.adopted == live.GetUID()
}

// memo is a value that was written, and what the server made of it: what it does not take is not written again.
type memo struct{ wanted, stored any }

// ledger remembers the objects of one syncer. Safe for concurrent use.
type ledger struct {
	mu      sync.Mutex
	entries map[types.NamespacedName]*entry
	written time.Time // the last write on either side
	denied  string    // what the provider's RBAC refuses; empty: nothing
}

func newLedger() *ledger { return &ledger{entries: map[types.NamespacedName]*entry{}} }

// of gives the entry of an object, a new one if need be.
func (l *ledger) of(key types.NamespacedName) *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ofLocked(key)
}

func (l *ledger) ofLocked(key types.NamespacedName) *entry {
	e, ok := l.entries[key]
	if !ok {
		e = &entry{}
		l.entries[key] = e
	}
	return e
}

// change notes that something has happened to an object.
func (l *ledger) change(key types.NamespacedName, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.ofLocked(key); e.changed.IsZero() {
		e.changed = now
	}
}

// since tells when an object changed that has not been seen to.
func (l *ledger) since(key types.NamespacedName) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ofLocked(key).changed
}

// settle notes that an object was seen to; it tells whether that is news.
func (l *ledger) settle(key types.NamespacedName, copied bool, problem mirror.Problem) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.ofLocked(key)
	isNews := e.copied != copied || e.problem != problem || !e.changed.IsZero()
	e.copied, e.problem = copied, problem
	if problem == (mirror.Problem{}) {
		e.changed = time.Time{}
	}
	return isNews
}

// drop forgets an object; it tells whether it was known.
func (l *ledger) drop(key types.NamespacedName) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.entries[key]
	delete(l.entries, key)
	return ok
}

// wrote notes a write.
func (l *ledger) wrote(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written = now
}

// deny notes what the provider refuses, or with an empty text that it does not any more; it tells whether that is news.
func (l *ledger) deny(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	isNews := l.denied != text
	l.denied = text
	return isNews
}

// sum counts.
func (l *ledger) sum(now time.Time) (out Report) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out.Denied, out.LastWrite = l.denied, l.written
	for _, e := range l.entries {
		switch {
		case isConflict(e.problem.Reason):
			out.Conflicts++
		case e.problem != (mirror.Problem{}):
			out.Refused++
		case !e.changed.IsZero() && now.Sub(e.changed) >= lateTime:
			out.Late++
		case !e.changed.IsZero():
			out.Moving++
		}
		if e.copied {
			out.Objects++
		}
	}
	return out
}

func isConflict(reason v1alpha1.Reason) bool {
	return reason == v1alpha1.ReasonObjectNotOwned || reason == v1alpha1.ReasonNamespaceCollision
}
