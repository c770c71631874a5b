package mounts

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

const (
	// restartGrace is how long a refusal is not believed that would take a Workspace down: an API server that has just
	// started refuses for a moment.
	restartGrace = 10 * time.Second

	// A refusal is asked about again after firstAsk, and then after twice the time, up to lastAsk.
	firstAsk = 15 * time.Second
	lastAsk  = 5 * time.Minute
)

// memory is what is known of a Workspace beside what it says. It is used by one pass at a time.
type memory struct {
	uid          types.UID // of the Workspace
	refusals     int       // in a row that were believed
	refusedSince time.Time // zero: reading the object is not refused
	askAt        time.Time // when a refusal is asked about again
	rivalry      rivalry
}

// refuse takes a refusal. It tells whether that is believed, which it is not at once for a Workspace that is up, and when
// it is asked about again.
func (m *memory) refuse(isUp bool, now time.Time) (believed bool, again time.Duration) {
	if m.refusedSince.IsZero() {
		m.refusedSince = now
	}
	believed = !isUp || now.Sub(m.refusedSince) >= restartGrace
	switch {
	case now.Before(m.askAt):
	case !believed:
		m.askAt = m.refusedSince.Add(restartGrace)
	default:
		m.askAt = now.Add(min(firstAsk<<min(m.refusals, 10), lastAsk))
		m.refusals++
	}
	return believed, m.askAt.Sub(now)
}

// isDue tells whether a refusal is to be asked about again.
func (m *memory) isDue(now time.Time) bool { return !m.askAt.IsZero() && !now.Before(m.askAt) }

// allow forgets refusals.
func (m *memory) allow() { m.refusals, m.refusedSince, m.askAt = 0, time.Time{}, time.Time{} }

// memories are those of all Workspaces. Safe for concurrent use.
type memories struct {
	mu sync.Mutex
	of map[workspaceKey]*memory
}

func newMemories() *memories { return &memories{of: map[workspaceKey]*memory{}} }

// get gives the memory of a Workspace; one that was made anew has none.
func (m *memories) get(w workspaceKey, uid types.UID) *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of[w] == nil || m.of[w].uid != uid {
		m.of[w] = &memory{uid: uid}
	}
	return m.of[w]
}

func (m *memories) drop(w workspaceKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.of, w)
}
