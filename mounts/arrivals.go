package mounts

import (
	"sync"
	"time"
)

// arrivals remembers when the events came that are worked on, so that the time to the status can be told. Safe for
// concurrent use.
type arrivals struct {
	mu         sync.Mutex
	mounts     map[mountKey]time.Time
	workspaces map[workspaceKey]time.Time
}

func newArrivals() *arrivals {
	return &arrivals{mounts: map[mountKey]time.Time{}, workspaces: map[workspaceKey]time.Time{}}
}

// mount notes an event; of several that are not worked on yet the first counts.
func (a *arrivals) mount(m mountKey, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.mounts[m]; !ok {
		a.mounts[m] = now
	}
}

func (a *arrivals) takeMount(m mountKey) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	since := a.mounts[m]
	delete(a.mounts, m)
	return since
}

// wake hands an event on to a Workspace.
func (a *arrivals) wake(w workspaceKey, since time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if had, ok := a.workspaces[w]; !since.IsZero() && (!ok || since.Before(had)) {
		a.workspaces[w] = since
	}
}

// take gives when the first event came for a Workspace; zero: none did.
func (a *arrivals) take(w workspaceKey) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	since := a.workspaces[w]
	delete(a.workspaces, w)
	return since
}
