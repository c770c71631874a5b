package instance

import (
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/runtime/plan"
)

// doubtTime is how long the caches have to show what a write did that was not answered.
const doubtTime = time.Minute

// tidyInventory takes entries out of the inventory whose objects are certainly gone: the caches have shown some and show
// none any more, or the kind itself is gone; and nothing in the plan may make them again. A list of an API server that
// lags may lack objects, so that an entry of which no object was ever seen stays.
func (c *Controller) tidyInventory(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.instance == nil || !p.evaluated || p.err != nil || len(p.unsynced) > 0 {
		return step.Next(), nil
	}
	now := inventory{}.with(childrenOf(p))
	have, seen := inventoryOf(p.instance), p.memory.seen
	p.memory.seen = seen.with(now.kinds, now.namespaces)
	if p.began.Sub(p.memory.doubtful) < doubtTime {
		return step.Next(), nil
	}
	needed := now.with(kindsOf(p.graph), p.foreignNamespaces(objectsOf(p.plan)))
	isGone := func(kind schema.GroupKind) bool {
		return slices.Contains(seen.kinds, kind) || c.isNotServed(ctx, kind)
	}
	rest := inventory{
		kinds: slices.DeleteFunc(slices.Clone(have.kinds), func(kind schema.GroupKind) bool {
			return !slices.Contains(needed.kinds, kind) && isGone(kind)
		}),
		namespaces: slices.DeleteFunc(slices.Clone(have.namespaces), func(namespace string) bool {
			return !slices.Contains(needed.namespaces, namespace) && slices.Contains(seen.namespaces, namespace)
		}),
	}
	if len(rest.kinds) == len(have.kinds) && len(rest.namespaces) == len(have.namespaces) {
		return step.Next(), nil
	}
	p.memory.seen = now
	return c.writeClaim(ctx, p, rest)
}

func (c *Controller) isNotServed(ctx context.Context, kind schema.GroupKind) bool {
	_, ok, err := c.clients.Kinds.Locate(ctx, kind)
	return err == nil && !ok
}

// childrenOf gives the kinds of the children that are there, and their namespaces beside the instance's own.
func childrenOf(p *pass) (kinds []schema.GroupKind, namespaces []string) {
	for key := range p.observed.Children {
		if kind := (schema.GroupKind{Group: key.Group, Kind: key.Kind}); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		if ns := key.Namespace; ns != "" && ns != p.owner.Namespace && !slices.Contains(namespaces, ns) {
			namespaces = append(namespaces, ns)
		}
	}
	return kinds, namespaces
}

func objectsOf(pl plan.Plan) []plan.Object {
	var out []plan.Object
	for _, n := range pl.Nodes {
		out = append(out, n.Objects...)
	}
	return out
}
