package console

import (
	"sync"

	"github.com/plait-run/plait/graph"
)

// graphs keeps the newest compiled graph of each ResourceGroup. The zero value is empty; safe for concurrent use.
type graphs struct {
	mu   sync.Mutex
	kept map[string]keptGraph // by name of the group
}

type keptGraph struct {
	key   string // identity and version of the group
	graph *graph.Graph
}

func (g *graphs) get(name, key string) (*graph.Graph, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	kept, ok := g.kept[name]
	return kept.graph, ok && kept.key == key
}

func (g *graphs) set(name, key string, compiled *graph.Graph) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.kept == nil {
		g.kept = map[string]keptGraph{}
	}
	g.kept[name] = keptGraph{key, compiled}
}
