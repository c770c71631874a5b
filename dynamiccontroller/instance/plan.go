package instance

import (
	"context"
	"slices"

	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// maxReadings bounds how often one evaluation may ask for further externals: each answer may lead to the next question,
// and a graph has no longer chain than it has nodes.
const maxReadings = 2000

// plan evaluates the instance.
func (c *Controller) plan(ctx context.Context, p *pass) (step.Outcome, error) {
	c.evaluatePlan(ctx, p)
	return step.Next(), nil
}

// evaluatePlan evaluates until every external that the plan asks for was read, or cannot be.
func (c *Controller) evaluatePlan(ctx context.Context, p *pass) {
	for range maxReadings {
		p.plan, p.memory.memo = c.evaluate(ctx, runtime.Input{
			Graph: p.graph, Instance: p.instance.Object, Observed: p.observed, Memo: p.memory.memo, Limits: c.limits,
			IsCurrent: p.isCurrent,
		})
		denied, read := c.reviewReads(ctx, p), c.readNew(ctx, p)
		if !denied && !read {
			break
		}
	}
	p.evaluated = true
	p.memory.wants = p.plan.Wants
	p.markWaits()
}

// readNew reads the externals that were not read yet; they are wanted before they are read, so that no event is missed.
func (c *Controller) readNew(ctx context.Context, p *pass) bool {
	var fresh []plan.Want
	for _, w := range p.plan.Wants {
		if _, known := p.observed.Externals[w]; !known {
			fresh = append(fresh, w)
		}
	}
	if len(fresh) == 0 {
		return false
	}
	c.clients.Wishes.AddWanted(p.trackOwner(c.gvr), p.resources, externals(fresh))
	for _, w := range fresh {
		p.observed.Externals[w] = c.readExternal(ctx, p, w)
	}
	return true
}

// isCurrent is the skip decision of a plan.
func (p *pass) isCurrent(wanted plan.Object, live map[string]any) bool {
	if p.settled[wanted.Key].isOf(wanted, resourceVersion(live)) {
		return true
	}
	return p.owner.Compare(wanted, live).IsNone(p.memory.accepted[uidOf(live)])
}

// markWaits turns nodes with a fault that is none, and nodes whose children cannot be seen, into waiting ones.
func (p *pass) markWaits() {
	p.plan.Nodes = slices.Clone(p.plan.Nodes)
	for i := range p.plan.Nodes {
		n := &p.plan.Nodes[i]
		for _, o := range n.Objects {
			switch f, ok := p.waits[o.Key]; {
			case ok && n.State == plan.Failed:
				wait(n, f.Message)
			case o.Action != plan.Keep && n.State == plan.Applied && p.isUnsynced(o.Resource):
				wait(n, "the cache of "+o.Resource.GroupResource().String())
			}
		}
	}
}

func wait(n *plan.Node, subject string) {
	n.State, n.Reason, n.Passing = plan.Waiting, "", false
	n.WaitingFor, n.Message = []string{subject}, "waiting for "+subject
}
