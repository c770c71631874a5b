package instance

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// prune deletes what is certainly not wanted any more, wave by wave as long as the answers show that something is gone;
// what is only going tells by an event when it is. What cannot be seen now may need it.
func (c *Controller) prune(ctx context.Context, p *pass) (step.Outcome, error) {
	for len(p.plan.Prune) > 0 && len(p.unsynced) == 0 && ctx.Err() == nil {
		gone, faults := c.remove(ctx, p, p.plan.Prune[0], p.observed.Children)
		for _, key := range gone {
			delete(p.observed.Children, key)
		}
		if len(gone) > 0 {
			c.evaluatePlan(ctx, p)
		}
		if len(gone) == 0 || len(faults) > 0 {
			c.takePruneFaults(p, faults)
			break
		}
	}
	return step.Next(), ctx.Err()
}

func (c *Controller) takePruneFaults(p *pass, faults []removalFault) {
	for _, f := range faults {
		if f.fault.Passing {
			p.err = step.Joined(p.err, fmt.Errorf("pruning %s: %s", f.key, f.fault.Message))
			continue
		}
		p.stuck = append(p.stuck, f)
		p.lookAgain(firstRetry)
	}
}

// removalFault is a removal that did not succeed.
type removalFault struct {
	key   plan.Key
	fault plan.Fault
}

// removed is what became of one removal.
type removed struct {
	uid   types.UID // empty: nothing was tried
	gone  bool      // certainly, or released
	fault *plan.Fault
}

// remove deletes or releases children, some at a time. What is going already is left alone. It gives what is certainly
// gone or released, and the faults, in the order of the keys.
func (c *Controller) remove(ctx context.Context, p *pass, keys []plan.Key, children map[plan.Key]map[string]any) (gone []plan.Key, faults []removalFault) {
	results := make([]removed, len(keys))
	slots := make(chan struct{}, max(c.parallel, 1))
	var running sync.WaitGroup
	for i, key := range keys {
		live := children[key]
		u := unstructured.Unstructured{Object: live}
		if _, ours := p.memory.removed[u.GetUID()]; live == nil || ours || u.GetDeletionTimestamp() != nil {
			continue
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			results[i].uid = u.GetUID()
			results[i].gone, results[i].fault = c.removeOne(ctx, p, key, live)
		})
	}
	running.Wait()
	for i, r := range results {
		switch {
		case r.fault != nil:
			faults = append(faults, removalFault{keys[i], *r.fault})
		case r.uid != "":
			p.memory.removed[r.uid] = removal{at: c.now(), gone: r.gone}
		}
		if r.gone {
			gone = append(gone, keys[i])
		}
	}
	return gone, faults
}

func (c *Controller) removeOne(ctx context.Context, p *pass, key plan.Key, live map[string]any) (gone bool, fault *plan.Fault) {
	resource, err := c.resourceOf(ctx, p, live)
	if err != nil {
		return false, &plan.Fault{Reason: plan.ReasonApplyError, Passing: true, Message: err.Error()}
	}
	u := unstructured.Unstructured{Object: live}
	r := apply.Removal{
		Owner:  p.owner,
		Object: plan.Object{Key: key, GVK: u.GroupVersionKind(), Resource: resource, Secret: u.GetKind() == "Secret"},
		Live:   live, API: p.api, MayDo: c.mayDo(p),
	}
	if apply.IsOrphan(live) || p.orphanAll(c.config.DeletionPolicy) {
		fault = c.applier.Release(ctx, r)
		return fault == nil, fault
	}
	return c.applier.Delete(ctx, r)
}

// resourceOf finds how a child is served: the graph knows it as a rule, the cluster always.
func (c *Controller) resourceOf(ctx context.Context, p *pass, live map[string]any) (schema.GroupVersionResource, error) {
	u := unstructured.Unstructured{Object: live}
	kind := u.GroupVersionKind().GroupKind()
	resource, ok, err := c.locate(ctx, p, kind)
	if err != nil {
		return schema.GroupVersionResource{}, fmt.Errorf("finding out how %s is served: %w", kind, err)
	}
	if !ok {
		return schema.GroupVersionResource{}, fmt.Errorf("%s is not served any more", kind)
	}
	return resource, nil
}

// locate asks the graph, if there is one, and else the cluster.
func (c *Controller) locate(ctx context.Context, p *pass, kind schema.GroupKind) (resource schema.GroupVersionResource, ok bool, err error) {
	if p.graph != nil {
		for _, n := range p.graph.Nodes() {
			if n.Kind == graph.Template && n.Installed && n.GVK.GroupKind() == kind {
				return n.Resource, true, nil
			}
		}
	}
	return c.clients.Kinds.Locate(ctx, kind)
}
