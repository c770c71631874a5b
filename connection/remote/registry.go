package remote

import (
	"maps"
	"slices"
	"sync"
)

// Registry holds the verified Provider of each Connection. Safe for concurrent use.
type Registry struct {
	mu        sync.Mutex
	providers map[string]*Provider
	listeners []func(connection string)
}

// NewRegistry gives an empty registry.
func NewRegistry() *Registry { return &Registry{providers: map[string]*Provider{}} }

// Get gives the Provider of a Connection; ok is false while there is none that is verified.
func (r *Registry) Get(connection string) (p *Provider, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok = r.providers[connection]
	return p, ok
}

// OnChange has f called with the name of a Connection whose Provider came, went or was replaced. f must return soon, and
// may call Get.
func (r *Registry) OnChange(f func(connection string)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listeners = append(r.listeners, f)
}

// Put makes p the Provider of its Connection, and closes the one that was.
func (r *Registry) Put(p *Provider) { r.set(p.Connection, p) }

// Drop leaves a Connection without a Provider, and closes the one that was.
func (r *Registry) Drop(connection string) { r.set(connection, nil) }

// Close drops all.
func (r *Registry) Close() {
	r.mu.Lock()
	names := slices.Sorted(maps.Keys(r.providers))
	r.mu.Unlock()
	for _, name := range names {
		r.Drop(name)
	}
}

func (r *Registry) set(connection string, now *Provider) {
	r.mu.Lock()
	was := r.providers[connection]
	if was == now {
		r.mu.Unlock()
		return
	}
	if now == nil {
		delete(r.providers, connection)
	} else {
		r.providers[connection] = now
	}
	listeners := slices.Clone(r.listeners)
	r.mu.Unlock()
	if was != nil {
		was.close()
	}
	for _, f := range listeners {
		f(connection)
	}
}
