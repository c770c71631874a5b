package dynamiccontroller

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// waiting knows since when instances wait in a queue. The zero value is empty; safe for concurrent use.
type waiting struct {
	mu    sync.Mutex
	since map[types.NamespacedName]time.Time
}

// begin notes that an instance waits; one that does already keeps its time.
func (w *waiting) begin(key types.NamespacedName, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.since == nil {
		w.since = map[types.NamespacedName]time.Time{}
	}
	if _, waits := w.since[key]; !waits {
		w.since[key] = now
	}
}

// end notes that an instance waits no more.
func (w *waiting) end(key types.NamespacedName) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.since, key)
}

// forget empties it.
func (w *waiting) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since = nil
}

// oldest gives how long the longest has waited; 0 when none waits.
func (w *waiting) oldest(now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	var longest time.Duration
	for _, since := range w.since {
		longest = max(longest, now.Sub(since))
	}
	return longest
}
