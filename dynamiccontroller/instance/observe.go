package instance

import (
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// How long a pass without a complete cache says nothing: a new cache takes a moment, and its event comes. An instance whose
// status tells of its present spec can wait longer, or every restart of the engine would make thousands of them look as if
// something had happened.
const (
	syncPatience    = 2 * time.Second
	settledPatience = 30 * time.Second
)

// observe reads children and the externals of the last pass from the caches.
func (c *Controller) observe(ctx context.Context, p *pass) (step.Outcome, error) {
	p.resources = c.childResources(ctx, p)
	c.clients.Wishes.AddWanted(p.trackOwner(c.gvr), p.resources, externals(p.memory.wants))
	children := c.readChildren(p)
	if c.isStillSyncing(p) {
		p.instance = nil
		return step.StopFor(syncPatience), nil
	}
	p.observed = runtime.Observed{
		Children: children, Externals: map[plan.Want]runtime.Reading{},
		Faults: map[plan.Key]plan.Fault{}, Denied: map[plan.Key]string{},
	}
	p.writes, p.waits, p.settled = map[plan.Key]int{}, map[plan.Key]plan.Fault{}, map[plan.Key]settled{}
	for _, w := range p.memory.wants {
		p.observed.Externals[w] = c.readExternal(ctx, p, w)
	}
	return step.Next(), nil
}

// isStillSyncing tells whether a cache is incomplete and has not been for long.
func (c *Controller) isStillSyncing(p *pass) bool {
	if len(p.unsynced) == 0 {
		p.memory.unsynced = time.Time{}
		return false
	}
	if p.memory.unsynced.IsZero() {
		p.memory.unsynced = p.began
	}
	return p.began.Sub(p.memory.unsynced) < patienceFor(p.instance)
}

func patienceFor(instance *unstructured.Unstructured) time.Duration {
	observed, _, _ := unstructured.NestedInt64(instance.Object, "status", "observedGeneration")
	if observed == instance.GetGeneration() && instance.GetDeletionTimestamp() == nil {
		return settledPatience
	}
	return syncPatience
}

// childResources gives where children may be: what the graph writes, and what the inventory names beside it.
func (c *Controller) childResources(ctx context.Context, p *pass) []schema.GroupVersionResource {
	var out []schema.GroupVersionResource
	known := map[schema.GroupKind]bool{}
	for _, n := range p.graph.Nodes() {
		if n.Kind == graph.Template && n.Installed && !slices.Contains(out, n.Resource) {
			out, known[n.GVK.GroupKind()] = append(out, n.Resource), true
		}
	}
	for _, kind := range inventoryOf(p.instance).kinds {
		if known[kind] {
			continue
		}
		resource, ok, err := c.clients.Kinds.Locate(ctx, kind)
		if err != nil {
			c.log.V(1).Info("cannot tell how a kind of the inventory is served", "kind", kind, "cause", err.Error())
			continue
		}
		if ok {
			out = append(out, resource)
		}
	}
	slices.SortFunc(out, compareResources)
	return slices.Compact(out)
}

// readChildren gives what is ours of what the caches hold, without what is certainly gone.
func (c *Controller) readChildren(p *pass) map[plan.Key]map[string]any {
	objs, unsynced := c.clients.Cache.Children(p.owner.UID, p.resources)
	p.unsynced = unsynced
	namespaces := inventoryOf(p.instance).namespaces
	out := make(map[plan.Key]map[string]any, len(objs))
	p.memory.noteRemoved(objs, p.began)
	for _, u := range objs {
		if p.memory.removed[u.GetUID()].gone {
			continue
		}
		ns := u.GetNamespace()
		inside := ns == "" || ns == p.owner.Namespace || slices.Contains(namespaces, ns)
		if !inside || p.owner.Judge(u.Object, "") != apply.Ours {
			p.strays = append(p.strays, keyOf(u).String())
			continue
		}
		out[keyOf(u)] = u.Object
	}
	slices.Sort(p.strays)
	return out
}

// removedTime is how long a deletion of ours is believed although the cache still shows the object as it was.
const removedTime = 10 * time.Second

// noteRemoved forgets deletions that the cache has caught up with.
func (m *memory) noteRemoved(objs []*unstructured.Unstructured, now time.Time) {
	for uid, r := range m.removed {
		i := slices.IndexFunc(objs, func(u *unstructured.Unstructured) bool { return u.GetUID() == uid })
		if i < 0 || objs[i].GetDeletionTimestamp() != nil || now.Sub(r.at) > removedTime {
			delete(m.removed, uid)
		}
	}
}

func externals(wants []plan.Want) []track.External {
	out := make([]track.External, len(wants))
	for i, w := range wants {
		out[i] = external(w)
	}
	return out
}

func external(w plan.Want) track.External {
	return track.External{Resource: w.Resource, Namespace: w.Namespace, Name: w.Name, Selector: w.Selector}
}

func compareResources(a, b schema.GroupVersionResource) int {
	return track.External{Resource: a}.Compare(track.External{Resource: b})
}
