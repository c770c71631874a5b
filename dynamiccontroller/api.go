package dynamiccontroller

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/dynamiccontroller/watch"
)

// CONTRACT (skeleton; replaced by the implementation).

// Priority orders what waits in a kind's queue.
type Priority int

// From the last to the first.
const (
	Background Priority = -100 // start-up, resync
	Normal     Priority = 0
	Change     Priority = 100 // changes of the spec, drift
)

// Controller serves kinds that come and go. Safe for concurrent use.
type Controller struct{}

// Start runs everything until ctx ends, and joins it.
func (c *Controller) Start(ctx context.Context) error { panic("skeleton") }

// Register serves a kind with a reconciler; of a kind that runs already it replaces the reconciler. Never blocks.
func (c *Controller) Register(gvr schema.GroupVersionResource, gvk schema.GroupVersionKind, r reconcile.Reconciler) {
	panic("skeleton")
}

// Deregister ends serving a kind. Never blocks; Wait tells when its workers are done.
func (c *Controller) Deregister(gvr schema.GroupVersionResource) { panic("skeleton") }

// Instance gives an instance from the cache. Shared: callers copy before they change it.
func (c *Controller) Instance(gvr schema.GroupVersionResource, key types.NamespacedName) (*unstructured.Unstructured, bool) {
	panic("skeleton")
}

// Instances gives all instances in the cache, sorted by namespace and name. Shared objects.
func (c *Controller) Instances(gvr schema.GroupVersionResource) []*unstructured.Unstructured {
	panic("skeleton")
}

// Enqueue asks for a reconcile of one instance; a kind that is not served is ignored.
func (c *Controller) Enqueue(gvr schema.GroupVersionResource, key types.NamespacedName, p Priority) {
	panic("skeleton")
}

// Wrote tells of the server's answer to a write of the instance itself (claim, status): Instance gives it at once, and
// its own event does not reconcile again.
func (c *Controller) Wrote(gvr schema.GroupVersionResource, obj *unstructured.Unstructured) {
	panic("skeleton")
}

// State tells whether a kind's workers run; if not, why.
func (c *Controller) State(gvr schema.GroupVersionResource) (running bool, why string) {
	panic("skeleton")
}

// Watcher gives the caches of children and externals.
func (c *Controller) Watcher() *watch.Watcher { panic("skeleton") }

// WaitServed returns as soon as the API server serves lists of a resource whose CRD was just established, or ctx ends.
func (c *Controller) WaitServed(ctx context.Context, gvr schema.GroupVersionResource) error {
	panic("skeleton")
}
