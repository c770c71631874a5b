package watch

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/track"
)

// Watcher keeps caches for what instances want to read. Safe for concurrent use.
type Watcher struct {
	cfg  Config
	pool *pool
	wake chan struct{} // of one; the wanted set has changed

	mu     sync.RWMutex // never held over I/O
	index  *track.Index
	stale  bool // the wanted set has changed since scopes was made
	caches map[track.Scope]*entry
}

// entry is a cache that runs.
type entry struct {
	cache     *Cache
	cancel    context.CancelFunc
	idleSince time.Time   // zero while somebody wants it
	refused   atomic.Bool // a read found it unable to tell, or nobody could read it yet
}

// New makes a watcher that Start runs.
func New(cfg Config) (*Watcher, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	return &Watcher{
		cfg:    cfg,
		pool:   newPool(),
		wake:   make(chan struct{}, 1),
		index:  track.NewIndex(),
		caches: map[track.Scope]*entry{},
	}, nil
}

// Start runs caches as they are wanted until ctx ends, and joins them all.
func (w *Watcher) Start(ctx context.Context) error {
	var running sync.WaitGroup
	defer running.Wait()
	timer := time.NewTimer(w.cfg.Linger)
	defer timer.Stop()
	for {
		next := w.settle(ctx, &running, time.Now())
		timer.Stop()
		if !next.IsZero() {
			timer.Reset(time.Until(next))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-w.wake:
		case <-timer.C:
		}
	}
}

// AddWanted adds to what an owner wants; to be called before it reads. Never blocks.
func (w *Watcher) AddWanted(owner track.Owner, children []schema.GroupVersionResource, externals []track.External) {
	w.change(func(x *track.Index) bool { return x.Add(owner, children, externals) })
}

// SetWanted replaces what an owner wants; to be called at the end of a pass with what the pass has read. With empty
// lists the owner is forgotten. Never blocks.
func (w *Watcher) SetWanted(owner track.Owner, children []schema.GroupVersionResource, externals []track.External) {
	w.change(func(x *track.Index) bool { return x.Set(owner, children, externals) })
}

// Bind makes an instance known by its UID, so that events of its children reach it.
func (w *Watcher) Bind(uid types.UID, owner track.Owner) {
	w.change(func(x *track.Index) bool { x.Bind(uid, owner); return false })
}

// Unbind forgets an instance and what it wanted.
func (w *Watcher) Unbind(uid types.UID, owner track.Owner) {
	w.change(func(x *track.Index) bool { x.Unbind(uid); return x.Set(owner, nil, nil) })
}

func (w *Watcher) change(edit func(*track.Index) bool) {
	w.mu.Lock()
	changed := edit(w.index)
	w.stale = w.stale || changed
	w.mu.Unlock()
	if changed {
		w.poke()
	}
}

func (w *Watcher) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Wrote tells of the server's answer to a write of a child. Reads give it at once, and the event of the write does not
// come back; so whoever calls it must have the answer evaluated in the same pass.
func (w *Watcher) Wrote(resource schema.GroupVersionResource, obj *unstructured.Unstructured) {
	if owner, ok := w.parent(obj); ok {
		w.cfg.Passes.Answer(owner, versionOf(resource, obj))
	}
	for _, e := range w.childCaches(resource) {
		if s := e.cache.cfg.Scope; s.Namespace == "" || s.Namespace == obj.GetNamespace() {
			e.cache.Wrote(obj)
		}
	}
}

// Retry makes the caches of a group that have failed try again at once: its kinds have changed.
func (w *Watcher) Retry(group string) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	for scope, e := range w.caches {
		if complete, _ := e.cache.State(); scope.Resource.Group == group && !complete {
			e.cache.Retry()
		}
	}
}

// settle starts the caches that are wanted, ends those that lingered long enough, and tells when the next one will
// have; zero: never.
func (w *Watcher) settle(ctx context.Context, running *sync.WaitGroup, now time.Time) (next time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stale {
		w.stale = false
		w.followLocked(ctx, running, now)
	}
	for scope, e := range w.caches {
		if e.idleSince.IsZero() {
			continue
		}
		due := e.idleSince.Add(w.cfg.Linger)
		if !due.After(now) {
			e.cancel()
			delete(w.caches, scope)
			continue
		}
		if next.IsZero() || due.Before(next) {
			next = due
		}
	}
	return next
}

func (w *Watcher) followLocked(ctx context.Context, running *sync.WaitGroup, now time.Time) {
	wanted := map[track.Scope]bool{}
	for _, scope := range w.index.Scopes() {
		for _, s := range w.cfg.expand(scope) {
			wanted[s] = true
		}
	}
	for scope, e := range w.caches {
		switch {
		case wanted[scope]:
			e.idleSince = time.Time{}
		case e.idleSince.IsZero():
			e.idleSince = now
		}
	}
	for scope := range wanted {
		if _, ok := w.caches[scope]; !ok {
			w.startLocked(ctx, running, scope)
		}
	}
}

func (w *Watcher) startLocked(ctx context.Context, running *sync.WaitGroup, scope track.Scope) {
	ctx, cancel := context.WithCancel(ctx)
	e := &entry{cancel: cancel}
	e.refused.Store(true)
	e.cache = NewCache(CacheConfig{
		Client:        w.cfg.Client,
		Log:           w.cfg.Log,
		Scope:         scope,
		KeepOwnFields: scope.Children,
		StatusOnly:    w.cfg.StatusOnly && !scope.Children,
		Changed:       func(c Change) { w.changed(scope, c) },
		Complete:      func() { w.completed(scope, e) },
		Failed:        func() { w.failed(scope, e) },
		pool:          w.pool,
	})
	w.caches[scope] = e
	running.Go(func() {
		defer cancel()
		e.cache.Run(ctx)
	})
}

// Stat is what metrics say of one cache.
type Stat struct {
	Scope    track.Scope
	Objects  int
	Complete bool
	Fault    error // why it is not complete; nil while the first list is under way
}

// Stats gives the caches that run, sorted by scope.
func (w *Watcher) Stats() []Stat {
	w.mu.RLock()
	defer w.mu.RUnlock()
	out := make([]Stat, 0, len(w.caches))
	for scope, e := range w.caches {
		complete, err := e.cache.State()
		out = append(out, Stat{Scope: scope, Objects: e.cache.Len(), Complete: complete, Fault: err})
	}
	slices.SortFunc(out, func(a, b Stat) int { return a.Scope.Compare(b.Scope) })
	return out
}
