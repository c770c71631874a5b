package dynamiccontroller

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/dynamiccontroller/watch"
)

type queue = priorityqueue.PriorityQueue[reconcile.Request]

// kind is one kind of instances: a cache for each watched namespace, and while it is wanted a queue and workers. One
// goroutine, run, owns its life.
type kind struct {
	owner      *Controller
	gvr        schema.GroupVersionResource
	gvk        schema.GroupVersionKind // guarded by owner.mu
	name       string                  // in logs and metrics: resource.version.group
	caches     []*watch.Cache
	completed  chan struct{} // of one; some cache was completed
	reconciler atomic.Pointer[reconcile.Reconciler]
	running    atomic.Bool // workers take from the queue
	waiting    waiting     // instances in the queue

	mu      sync.Mutex
	wanted  bool
	changed chan struct{} // closed and replaced when wanted changes
	queue   queue         // nil while not wanted
}

func newKind(c *Controller, gvr schema.GroupVersionResource) *kind {
	k := &kind{
		owner:     c,
		gvr:       gvr,
		name:      track.ResourceName(gvr),
		completed: make(chan struct{}, 1),
		changed:   make(chan struct{}),
	}
	for _, namespace := range c.namespacesOf(gvr) {
		k.caches = append(k.caches, watch.NewCache(watch.CacheConfig{
			Client:        c.client,
			Log:           c.cfg.Log,
			Scope:         track.Scope{Resource: gvr, Namespace: namespace},
			Resync:        c.cfg.Resync,
			KeepOwnFields: true,
			Changed:       k.instanceChanged,
			Complete:      k.cacheCompleted,
		}))
	}
	return k
}

func (c *Controller) namespacesOf(gvr schema.GroupVersionResource) []string {
	if len(c.cfg.WatchNamespaces) == 0 || !c.cfg.IsNamespaced(gvr) {
		return []string{""}
	}
	return c.cfg.WatchNamespaces
}

func (k *kind) setWanted(wanted bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.wanted == wanted {
		return
	}
	k.wanted = wanted
	close(k.changed)
	k.changed = make(chan struct{})
}

func (k *kind) isWanted() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.wanted
}

// run keeps the caches filled, and serves while the kind is wanted, until it was unwanted for the linger or ctx ends.
func (k *kind) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var caches sync.WaitGroup
	defer k.forgetAll()
	defer caches.Wait()
	defer cancel()
	for _, cache := range k.caches {
		caches.Go(func() { cache.Run(ctx) })
	}
	for ctx.Err() == nil {
		if k.isWanted() {
			k.serve(ctx)
			k.forgetMeasures()
			continue
		}
		if k.linger(ctx) && k.owner.drop(k) {
			return
		}
	}
}

// linger waits; true when nobody wanted the kind all the time.
func (k *kind) linger(ctx context.Context) bool {
	k.mu.Lock()
	wanted, changed := k.wanted, k.changed
	k.mu.Unlock()
	if wanted {
		return false
	}
	timer := time.NewTimer(k.owner.cfg.Linger)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer.C:
		return true
	}
	return false
}

// serve runs workers until the kind is not wanted any more or ctx ends, and joins them.
func (k *kind) serve(ctx context.Context) {
	ctx, stop := k.whileWanted(ctx)
	defer stop()
	q := priorityqueue.New(k.name, func(o *priorityqueue.Opts[reconcile.Request]) {
		o.Log = k.owner.cfg.Log.WithValues("controller", k.name)
		o.RateLimiter = newRetries(k.owner.cfg.FirstRetry, k.owner.cfg.LastRetry)
	})
	k.setQueue(q)
	defer k.setQueue(nil)
	k.enqueueAll()
	if !k.waitComplete(ctx) {
		q.ShutDown()
		return
	}
	if err := k.work(ctx, q); err != nil {
		k.owner.cfg.Log.Error(err, "A controller ended", "controller", k.name)
	}
}

// work runs the workers; q is shut down when it returns.
func (k *kind) work(ctx context.Context, q queue) error {
	c, err := controller.NewUnmanaged(k.name, controller.Options{
		Reconciler:              reconcile.Func(k.reconcile),
		SkipNameValidation:      new(true), // the name comes back when a kind is registered again
		RecoverPanic:            new(true),
		MaxConcurrentReconciles: k.owner.slots.limit,
		Logger:                  k.owner.cfg.Log,
		LogConstructor:          step.LogConstructor(k.owner.cfg.Log, k.name),
		NewQueue: func(string, workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
			return q // it has been filling since before the workers
		},
	})
	if err != nil {
		q.ShutDown()
		return err
	}
	k.running.Store(true)
	k.owner.tellRunning(k)
	defer k.running.Store(false)
	return c.Start(ctx)
}

// reconcile is one pass over an instance.
func (k *kind) reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	k.waiting.end(req.NamespacedName)
	owner := track.Owner{Resource: k.gvr, NamespacedName: req.NamespacedName}
	k.owner.passes.Begin(owner)
	defer func() {
		if k.owner.passes.End(owner) {
			k.enqueue(req.NamespacedName, Change)
		}
	}()
	result, err := k.owner.slots.run(ctx, k.owner.measures.measured(k.name, *k.reconciler.Load()), req)
	if _, exists := k.instance(req.NamespacedName); !exists { // it may have wished after it was gone
		k.owner.watcher.SetWanted(owner, nil, nil)
	}
	return result, err
}

func (k *kind) enqueue(key types.NamespacedName, p Priority) {
	k.mu.Lock()
	q := k.queue
	k.mu.Unlock()
	if q != nil {
		k.waiting.begin(key, time.Now())
		q.AddWithOpts(priorityqueue.AddOpts{Priority: new(int(p))}, reconcile.Request{NamespacedName: key})
	}
}
