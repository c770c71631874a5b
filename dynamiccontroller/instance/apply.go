package instance

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/runtime/plan"
)

// maxWrites bounds how often one pass writes one object: a node that reads another softly may change twice; more would
// be two writers fighting, and is left to later passes.
const maxWrites = 3

// apply writes layer after layer: everything whose dependencies are settled at once, and the answers fed back, until
// nothing is left to do.
func (c *Controller) apply(ctx context.Context, p *pass) (step.Outcome, error) {
	for {
		todo := c.todo(p)
		if len(todo) == 0 {
			return step.Next(), ctx.Err()
		}
		if p.holdBack(todo, c.now()) || c.yieldToRivals(ctx, p, todo) {
			c.evaluatePlan(ctx, p)
			continue
		}
		if out, err := c.extendClaim(ctx, p, p.foreignNamespaces(todo)); err != nil || p.instance == nil {
			return out, err
		}
		c.write(ctx, p, todo)
		c.evaluatePlan(ctx, p)
	}
}

// todo gives the objects that may be written now, in topological order.
func (c *Controller) todo(p *pass) []plan.Object {
	var out []plan.Object
	for _, i := range p.plan.Order {
		n := p.plan.Nodes[i]
		if n.State != plan.Applied {
			continue
		}
		for _, o := range n.Objects {
			_, failed := p.observed.Faults[o.Key]
			if o.Action != plan.Keep && !failed && !p.isUnsynced(o.Resource) && p.writes[o.Key] < maxWrites {
				out = append(out, o)
			}
		}
	}
	return out
}

// holdBack takes the fault of the last attempt instead of a new attempt, where nothing has changed and it is too early.
func (p *pass) holdBack(todo []plan.Object, now time.Time) (held bool) {
	for _, o := range todo {
		s, ok := p.memory.setbacks[o.Key]
		if !ok || !s.until.After(now) || s.attempt != attemptOf(p.owner, o, p.observed.Children[o.Key]) {
			continue
		}
		p.note(o.Key, s.fault)
		p.lookAgain(s.until.Sub(now))
		held = true
	}
	return held
}

// note gives a fault to the next evaluation. What only waits is told apart afterwards.
func (p *pass) note(key plan.Key, fault plan.Fault) {
	p.observed.Faults[key] = fault
	if fault.Reason == plan.ReasonProgressing {
		p.waits[key] = fault
	}
}

// foreignNamespaces gives the namespaces beside the instance's own that the objects are in.
func (p *pass) foreignNamespaces(todo []plan.Object) []string {
	var out []string
	for _, o := range todo {
		if ns := o.Key.Namespace; ns != "" && ns != p.owner.Namespace && !slices.Contains(out, ns) {
			out = append(out, ns)
		}
	}
	return out
}

type answer struct {
	body   map[string]any // the object as it was to be applied, with its marks
	object map[string]any
	fault  *plan.Fault
}

// write writes the objects, some at a time, and takes all answers.
func (c *Controller) write(ctx context.Context, p *pass, todo []plan.Object) {
	known := p.known()
	answers := make([]answer, len(todo))
	slots := make(chan struct{}, max(c.parallel, 1))
	var running sync.WaitGroup
	for i, o := range todo {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			ctx, end := c.startNode(ctx, o)
			defer func() { end(answers[i].fault) }()
			answers[i].body = p.owner.Marked(o)
			answers[i].object, answers[i].fault = c.applier.Apply(ctx, apply.Request{
				Owner: p.owner, Object: o, Body: answers[i].body, Live: p.observed.Children[o.Key], Known: known[o.Key], API: p.api, MayDo: c.mayDo(p),
				Replacing: c.tellReplacing(p, o),
			})
		})
	}
	running.Wait()
	for i, o := range todo {
		p.writes[o.Key]++
		c.metrics.applied(c.gvr, answers[i].fault)
		if answers[i].fault != nil {
			c.takeFault(p, o, *answers[i].fault)
			continue
		}
		c.takeAnswer(p, o, answers[i])
	}
}

// tellReplacing says, before an object is deleted to be created anew, that it is.
func (c *Controller) tellReplacing(p *pass, o plan.Object) func(cause string) {
	return func(cause string) {
		c.event(p, "Warning", "Replacing", fmt.Sprintf("node %q: deleting %s to create it anew: %s", o.Node, o.Key, cause))
	}
}

func (c *Controller) mayDo(p *pass) apply.AccessFunc {
	if p.acting.Self {
		return nil
	}
	return func(ctx context.Context, verb string, at apply.Place) (bool, error) {
		allowed, _, err := c.clients.Rights.May(ctx, p.acting, identity.Request{
			Verb: verb, Resource: at.Resource, Subresource: at.Subresource, Namespace: at.Namespace, Name: at.Name,
		})
		return allowed, err
	}
}

// takeAnswer makes the server's answer what is observed, here and in later passes. What admission changed in it is
// accepted.
func (c *Controller) takeAnswer(p *pass, o plan.Object, a answer) {
	object := a.object
	delete(p.memory.setbacks, o.Key)
	difference := apply.DifferenceOf(o, a.body, object)
	if len(difference.Lost) > 0 {
		p.memory.accepted[uidOf(object)] = difference.Lost
	}
	if !difference.Content {
		p.settled[o.Key] = settled{wanted: o, version: resourceVersion(object)}
	}
	p.observed.Children[o.Key] = object
	c.clients.Cache.Wrote(o.Resource, &unstructured.Unstructured{Object: object})
}

func uidOf(object map[string]any) types.UID {
	u := unstructured.Unstructured{Object: object}
	return u.GetUID()
}
