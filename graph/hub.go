package graph

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Consumer is told of compiled graphs. Calls for one consumer come one at a time and in order; they must
// return soon and do no I/O (put the name in a queue of your own).
type Consumer interface {
	// GraphPublished tells of a new or changed graph.
	GraphPublished(ctx context.Context, g *Graph)
	// GraphRemoved tells that a group is gone.
	GraphRemoved(ctx context.Context, name string)
}

// Hub holds the graph that each group is served with and tells consumers of changes. Safe for concurrent use.
type Hub struct {
	telling   sync.Mutex // orders what consumers hear; taken before mu
	mu        sync.RWMutex
	graphs    map[string]*Graph
	consumers []Consumer
}

// NewHub gives an empty hub.
func NewHub() *Hub { return &Hub{graphs: map[string]*Graph{}} }

// Subscribe adds a consumer and tells it of all graphs that are there.
func (h *Hub) Subscribe(ctx context.Context, c Consumer) {
	h.telling.Lock()
	defer h.telling.Unlock()
	h.mu.Lock()
	h.consumers = append(h.consumers, c)
	h.mu.Unlock()
	for _, g := range h.List() {
		c.GraphPublished(ctx, g)
	}
}

// Publish makes g the graph of its group.
func (h *Hub) Publish(ctx context.Context, g *Graph) {
	h.telling.Lock()
	defer h.telling.Unlock()
	h.mu.Lock()
	h.graphs[g.Name()] = g
	consumers := h.consumers
	h.mu.Unlock()
	for _, c := range consumers {
		c.GraphPublished(ctx, g)
	}
}

// Remove forgets a group; a name that is not there is ignored.
func (h *Hub) Remove(ctx context.Context, name string) {
	h.telling.Lock()
	defer h.telling.Unlock()
	h.mu.Lock()
	_, known := h.graphs[name]
	delete(h.graphs, name)
	consumers := h.consumers
	h.mu.Unlock()
	if !known {
		return
	}
	for _, c := range consumers {
		c.GraphRemoved(ctx, name)
	}
}

// Get gives the graph of a group, nil when there is none.
func (h *Hub) Get(name string) *Graph {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.graphs[name]
}

// List gives all graphs by name.
func (h *Hub) List() []*Graph {
	h.mu.RLock()
	defer h.mu.RUnlock()
	out := make([]*Graph, 0, len(h.graphs))
	for _, g := range h.graphs {
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b *Graph) int { return cmp.Compare(a.Name(), b.Name()) })
	return out
}
