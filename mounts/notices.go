package mounts

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/dynamiccontroller/watch"
	"github.com/plait-run/plait/graph"
)

var _ graph.Consumer = (*Controller)(nil)

// KindChanged is told of kinds that appeared, changed or went; an empty Kind stands for any of the group. The Workspaces
// that refer to them are looked at at once.
func (c *Controller) KindChanged(kind schema.GroupKind) {
	c.wakeAll(c.sources.ofKind(kind))
	c.watcher.Retry(kind.Group)
	for api, cache := range c.caches {
		if complete, _ := cache.State(); api.Group == kind.Group && !complete {
			cache.Retry()
		}
	}
}

// InstanceChanged is told of changes of the instances of graphs.
func (c *Controller) InstanceChanged(resource schema.GroupVersionResource, change watch.Change) {
	if !change.Initial && !change.Resync {
		c.mountChanged(resource, change)
	}
}

// GraphPublished is part of graph.Consumer: the kind's instances are read from the copy that its controller keeps.
func (c *Controller) GraphPublished(_ context.Context, g *graph.Graph) {
	c.sources.publish(g.Resource(), g.Name())
	c.wakeAll(c.sources.ofKind(g.Kind().GroupKind()))
}

// GraphRemoved is part of graph.Consumer.
func (c *Controller) GraphRemoved(_ context.Context, name string) {
	c.wakeAll(c.sources.withdraw(name))
}

// kindListed is told when the copy of a kind can be read.
func (c *Controller) kindListed(kind track.Owner) { c.wakeAll(c.sources.ofResource(kind.Resource)) }

// kindFailed is told when it cannot.
func (c *Controller) kindFailed(resource schema.GroupVersionResource, err error) {
	c.log.V(1).Info("Mount objects cannot be read now", "resource", track.ResourceName(resource), "cause", err.Error())
	c.wakeAll(c.sources.failed(resource, err))
}

func (c *Controller) wakeAll(all []workspaceKey) {
	for _, w := range all {
		c.wake(w, time.Time{})
	}
}
