package dynamiccontroller

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/watch"
)

// Why a kind's workers do not run, beside what the API server answered.
var (
	ErrNotRegistered = errors.New("the kind is not registered")
	ErrNotComplete   = errors.New("the instances of the kind have not been listed yet")
)

// Instance gives an instance from the cache. It is shared: callers copy it before they change it.
func (c *Controller) Instance(gvr schema.GroupVersionResource, key types.NamespacedName) (*unstructured.Unstructured, bool) {
	k := c.kind(gvr)
	if k == nil {
		return nil, false
	}
	return k.instance(key)
}

// Instances gives all instances in the cache, by namespace and name. They are shared.
func (c *Controller) Instances(gvr schema.GroupVersionResource) []*unstructured.Unstructured {
	k := c.kind(gvr)
	if k == nil {
		return nil
	}
	return k.instances()
}

// Count gives the number of instances in the cache.
func (c *Controller) Count(gvr schema.GroupVersionResource) int {
	k := c.kind(gvr)
	if k == nil {
		return 0
	}
	return k.count()
}

func (k *kind) count() int {
	n := 0
	for _, cache := range k.caches {
		n += cache.Len()
	}
	return n
}

// Wrote tells of the server's answer to a write of an instance (claim, status, finalizer). Instance gives it at once,
// and the event of the write does not reconcile the instance again. Answers that say that the object is gone are not
// told.
func (c *Controller) Wrote(gvr schema.GroupVersionResource, obj *unstructured.Unstructured) {
	k := c.kind(gvr)
	if k == nil {
		return
	}
	k.tellActive(obj)
	c.passes.Answer(k.ownerOf(obj), k.versionOf(obj))
	for i, namespace := range c.namespacesOf(gvr) {
		if namespace == "" || namespace == obj.GetNamespace() {
			k.caches[i].Wrote(obj)
		}
	}
}

// State tells whether a kind's workers run and its instances are known; if not, why: what the API server answered,
// ErrNotRegistered or ErrNotComplete.
func (c *Controller) State(gvr schema.GroupVersionResource) (running bool, why error) {
	k := c.kind(gvr)
	if k == nil || !k.isWanted() {
		return false, ErrNotRegistered
	}
	complete, fault := k.state()
	switch {
	case fault != nil:
		return false, fault
	case !complete || !k.running.Load():
		return false, ErrNotComplete
	default:
		return true, nil
	}
}

// OnRunning has f called whenever the instances of a kind have been listed and its workers start. It must return soon.
func (c *Controller) OnRunning(f func(schema.GroupKind)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs = append(c.runs, f)
}

// OnInstance has f called with every change of an instance that its cache sees. It must return at once.
func (c *Controller) OnInstance(f func(schema.GroupVersionResource, watch.Change)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = append(c.told, f)
}

func (c *Controller) tellChange(gvr schema.GroupVersionResource, change watch.Change) {
	c.mu.RLock()
	told := c.told
	c.mu.RUnlock()
	for _, f := range told {
		f(gvr, change)
	}
}

func (c *Controller) tellRunning(k *kind) {
	c.mu.RLock()
	runs, gk := c.runs, k.gvk.GroupKind()
	c.mu.RUnlock()
	for _, f := range runs {
		f(gk)
	}
}

// KindChanged makes caches of the kind's group that have failed try again at once. Discovery calls it when a kind
// appears or changes.
func (c *Controller) KindChanged(gk schema.GroupKind) {
	c.watcher.Retry(gk.Group)
	for _, k := range c.list() {
		if k.gvr.Group != gk.Group {
			continue
		}
		for _, cache := range k.caches {
			if complete, _ := cache.State(); !complete {
				cache.Retry()
			}
		}
	}
}

// WaitServed returns as soon as the API server serves lists of a resource, whose CRD was just established: for a
// moment it answers 429, with a Retry-After of a second that is much too long. It gives the last answer when ctx ends
// before, and at once when the engine may not list.
func (c *Controller) WaitServed(ctx context.Context, gvr schema.GroupVersionResource) error {
	return waitServed(ctx, c.client.Resource(gvr), c.namespacesOf(gvr)[0])
}
