package lease

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"

	"github.com/plait-run/plait/connection/remote"
)

// Config is what a Keeper needs. Interval and Duration have defaults.
type Config struct {
	Providers Providers
	Log       logr.Logger
	Interval  time.Duration                          // between renewals; 15 s by default
	Duration  time.Duration                          // after which a Lease has expired; 60 s by default
	Renewed   func(connection string, failure error) // told of every renewal; nil: nobody
}

// Providers gives verified ways to providers; *remote.Registry is one.
type Providers interface {
	// Get gives the Provider of a Connection; ok is false while there is none.
	Get(connection string) (p *remote.Provider, ok bool)
}

// Defaults of Config.
const (
	defaultInterval = 15 * time.Second
	defaultDuration = 60 * time.Second
)

// errNoProvider is a renewal while there is no verified way to the provider.
var errNoProvider = errors.New("there is no verified way to the provider now")

// Keeper runs the loops. Safe for concurrent use.
type Keeper struct {
	cfg Config

	mu    sync.Mutex
	ctx   context.Context // of Start; nil before
	loops map[string]*loop
	all   sync.WaitGroup
}

// loop renews one Lease.
type loop struct {
	beat   Beat
	cancel context.CancelFunc // nil until it runs
	done   chan struct{}

	mu   sync.Mutex
	last time.Time // of the last renewal that succeeded
	err  error     // of the last one
}

// NewKeeper gives a keeper whose loops run while Start does.
func NewKeeper(cfg Config) *Keeper {
	if cfg.Interval == 0 {
		cfg.Interval = defaultInterval
	}
	if cfg.Duration == 0 {
		cfg.Duration = defaultDuration
	}
	if cfg.Renewed == nil {
		cfg.Renewed = func(string, error) {}
	}
	return &Keeper{cfg: cfg, loops: map[string]*loop{}}
}

// Start runs the loops until ctx ends, and joins them.
func (k *Keeper) Start(ctx context.Context) error {
	k.mu.Lock()
	k.ctx = ctx
	for _, l := range k.loops {
		k.runLocked(ctx, l)
	}
	k.mu.Unlock()
	<-ctx.Done()
	k.mu.Lock()
	k.ctx = nil
	k.mu.Unlock()
	k.all.Wait()
	return nil
}

// Keep sees that the loop of a Lease runs, and ends the one of another Lease of the same Connection.
func (k *Keeper) Keep(b Beat) {
	k.mu.Lock()
	was := k.loops[b.Connection]
	if was != nil && was.beat == b {
		k.mu.Unlock()
		return
	}
	now := &loop{beat: b, done: make(chan struct{})}
	k.loops[b.Connection] = now
	k.runLocked(k.ctx, now)
	k.mu.Unlock()
	was.end()
}

// runLocked begins a loop unless nobody runs.
func (k *Keeper) runLocked(ctx context.Context, l *loop) {
	if ctx == nil || l.cancel != nil {
		return
	}
	ctx, l.cancel = context.WithCancel(ctx)
	k.all.Go(func() {
		defer close(l.done)
		k.renewals(ctx, l)
	})
}

// end ends a loop and joins it.
func (l *loop) end() {
	if l == nil || l.cancel == nil {
		return
	}
	l.cancel()
	<-l.done
}

// Last tells when the Lease of a Connection was last renewed, and what the last attempt ended with. A zero time: never.
func (k *Keeper) Last(connection string) (time.Time, error) {
	k.mu.Lock()
	l := k.loops[connection]
	k.mu.Unlock()
	if l == nil {
		return time.Time{}, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last, l.err
}

// Stop ends the loop of a Connection and joins it; the Lease expires by itself.
func (k *Keeper) Stop(connection string) {
	k.mu.Lock()
	l := k.loops[connection]
	delete(k.loops, connection)
	k.mu.Unlock()
	l.end()
}

// Release ends the loop of a Lease and deletes it, if this cluster holds it. One that is gone is no error.
func (k *Keeper) Release(ctx context.Context, b Beat) error {
	k.Stop(b.Connection)
	provider, ok := k.cfg.Providers.Get(b.Connection)
	if !ok {
		return errNoProvider
	}
	w, err := newWriter(provider, k.cfg.Duration)
	if err != nil {
		return err
	}
	return w.remove(ctx, b)
}

// renewals renews a Lease at once, whenever the time has come, and with each new Provider.
func (k *Keeper) renewals(ctx context.Context, l *loop) {
	var w *writer
	tick := time.NewTicker(k.cfg.Interval)
	defer tick.Stop()
	for {
		provider, ok := k.cfg.Providers.Get(l.beat.Connection)
		err := errNoProvider
		if ok {
			w, err = renew(ctx, w, provider, l.beat, k.cfg.Duration)
		}
		if ctx.Err() != nil {
			return
		}
		k.note(l, err)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// renew renews by the writer of the provider, which it makes anew when the provider is another one.
func renew(ctx context.Context, w *writer, provider *remote.Provider, b Beat, duration time.Duration) (*writer, error) {
	if w == nil || w.provider != provider {
		var err error
		if w, err = newWriter(provider, duration); err != nil {
			return nil, err
		}
	}
	return w, w.renew(ctx, b, time.Now())
}

func (k *Keeper) note(l *loop, err error) {
	l.mu.Lock()
	isNews := fmt.Sprint(l.err) != fmt.Sprint(err)
	if l.err = err; err == nil {
		l.last = time.Now()
	}
	l.mu.Unlock()
	k.cfg.Renewed(l.beat.Connection, err)
	if isNews && err != nil {
		k.cfg.Log.Info("The heartbeat Lease is not renewed", "connection", l.beat.Connection, "lease", l.beat.Namespace+"/"+l.beat.Name, "cause", err.Error())
	}
}
