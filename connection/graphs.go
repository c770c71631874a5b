package connection

import (
	"context"
	"maps"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	exports "github.com/plait-run/plait/connection/schema"
	"github.com/plait-run/plait/graph"
)

// uses is a graph consumer that knows which foreign kinds the graphs use, installed or not. Safe for concurrent use.
type uses struct {
	changed func() // asks for a look at every Connection

	mu      sync.Mutex
	byGraph map[string]map[schema.GroupKind]bool
}

var _ graph.Consumer = (*uses)(nil)

func newUses(changed func()) *uses {
	return &uses{changed: changed, byGraph: map[string]map[schema.GroupKind]bool{}}
}

// GraphPublished is part of graph.Consumer.
func (u *uses) GraphPublished(_ context.Context, g *graph.Graph) {
	kinds := map[schema.GroupKind]bool{}
	for _, n := range g.Nodes() {
		if n.Kind != graph.Def && exports.IsExportable(n.GVK.Group) {
			kinds[n.GVK.GroupKind()] = true
		}
	}
	u.set(g.Name(), kinds)
}

// GraphRemoved is part of graph.Consumer.
func (u *uses) GraphRemoved(_ context.Context, name string) { u.set(name, nil) }

func (u *uses) set(name string, kinds map[schema.GroupKind]bool) {
	u.mu.Lock()
	isSame := maps.Equal(u.byGraph[name], kinds)
	if len(kinds) == 0 {
		delete(u.byGraph, name)
	} else {
		u.byGraph[name] = kinds
	}
	u.mu.Unlock()
	if !isSame {
		u.changed()
	}
}

// has tells whether any graph uses a kind.
func (u *uses) has(kind schema.GroupKind) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, kinds := range u.byGraph {
		if kinds[kind] {
			return true
		}
	}
	return false
}
