package instance

import (
	"context"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// load reads the instance; of one that is gone everything is forgotten.
func (c *Controller) load(_ context.Context, p *pass) (step.Outcome, error) {
	p.began = c.now()
	instance, ok := c.clients.Instances.Instance(c.gvr, p.key)
	if !ok {
		c.memories.drop(p.key)
		c.clients.Wishes.SetWanted(p.trackOwner(c.gvr), nil, nil)
		c.finished(p.key)
		return step.Stop(), nil
	}
	p.instance = instance
	p.memory = c.memories.of(p.key, instance.GetUID())
	p.graph, p.revision = p.serving.Graph, p.serving.Revision
	p.owner = apply.Owner{
		GVK:       instance.GroupVersionKind(),
		Namespace: instance.GetNamespace(), Name: instance.GetName(), UID: instance.GetUID(),
	}
	if p.graph != nil {
		p.owner.References = p.graph.Policies().OwnerReferences != "None"
	}
	if c.labeler != nil {
		p.owner.Labels = c.labeler(p.owner)
	}
	return step.Next(), nil
}
