package mounts

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/dynamiccontroller/watch"
	"github.com/plait-run/plait/mounts/contract"
)

// ControllerName names the controller in logs, metrics and events.
const ControllerName = v1alpha1.MountsControllerName

// linger is how long the copy of a kind is kept that no Workspace refers to any more.
const linger = 5 * time.Second

// Controller keeps Workspaces true to their mount objects. Safe for concurrent use.
type Controller struct {
	cfg        Config
	log        logr.Logger
	caches     map[contract.API]*watch.Cache // of Workspaces
	watcher    *watch.Watcher                // of mount objects
	sources    *sources
	memories   *memories
	arrivals   *arrivals
	measures   *measures
	mounts     workqueue.TypedRateLimitingInterface[mountKey]
	workspaces workqueue.TypedRateLimitingInterface[workspaceKey]
}

// NewController makes a controller that Start runs.
func NewController(cfg Config) (*Controller, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	c := &Controller{
		cfg: cfg, log: cfg.Log.WithName(ControllerName), caches: map[contract.API]*watch.Cache{},
		memories: newMemories(), arrivals: newArrivals(), measures: newMeasures(),
		mounts:     newQueue[mountKey](),
		workspaces: newQueue[workspaceKey](),
	}
	for _, api := range cfg.APIs {
		c.caches[api] = watch.NewCache(watch.CacheConfig{
			Client: cfg.Client, Log: c.log, Scope: track.Scope{Resource: api.Resource()}, Resync: cfg.Resync,
			Changed: func(change watch.Change) { c.workspaceChanged(api, change) },
		})
	}
	var err error
	c.watcher, err = watch.New(watch.Config{
		Client: cfg.Client, Log: c.log, Enqueue: c.kindListed, Observe: c.mountChanged, Failed: c.kindFailed, StatusOnly: true,
		Namespaces: cfg.WatchNamespaces, IsNamespaced: cfg.IsNamespaced, Linger: linger,
	})
	if err != nil {
		return nil, fmt.Errorf("making the watcher of mount objects: %w", err)
	}
	c.sources = newSources(cfg.Instances, c.watcher, cfg.Now)
	return c, c.registerMetrics()
}

const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 5 * time.Minute
)

func newQueue[K comparable]() workqueue.TypedRateLimitingInterface[K] {
	return workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[K](firstRetry, lastRetry))
}

// Start runs both loops, that of Workspaces with a number of workers, until ctx ends, and joins all that it started.
func (c *Controller) Start(ctx context.Context, workers int) error {
	var running sync.WaitGroup
	for _, cache := range c.caches {
		running.Go(func() { cache.Run(ctx) })
	}
	var err error
	running.Go(func() { err = c.watcher.Start(ctx) })
	running.Go(func() { loop(c.mounts, c.resolve) })
	for range max(workers, 1) {
		running.Go(func() { loop(c.workspaces, func(w workspaceKey) { c.work(ctx, w) }) })
	}
	<-ctx.Done()
	c.mounts.ShutDown()
	c.workspaces.ShutDown()
	running.Wait()
	return err
}

// loop takes keys until the queue is shut down.
func loop[K comparable](queue workqueue.TypedRateLimitingInterface[K], do func(K)) {
	for {
		key, ended := queue.Get()
		if ended {
			return
		}
		do(key)
		queue.Done(key)
	}
}

// resolve is the loop of mount objects: it wakes the Workspaces on one, and the one that it names as its owner.
func (c *Controller) resolve(m mountKey) {
	since := c.arrivals.takeMount(m)
	for _, w := range c.sources.ofMount(m) {
		c.wake(w, since)
	}
	u, _, _ := c.sources.read(m)
	if u == nil {
		return
	}
	if api, name, ok := contract.OwningWorkspace(u); ok && c.caches[api] != nil {
		c.wake(workspaceKey{api, name}, since)
	}
}

func (c *Controller) wake(w workspaceKey, since time.Time) {
	c.arrivals.wake(w, since)
	c.workspaces.Add(w)
}

// work is the loop of Workspaces.
func (c *Controller) work(ctx context.Context, w workspaceKey) {
	again, err := c.safely(ctx, w)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		c.log.V(level(err)).Info("A Workspace is looked at again", "workspace", w.Name, "api", w.API.String(), "cause", err.Error())
		c.workspaces.AddRateLimited(w)
	case again > 0:
		c.workspaces.Forget(w)
		c.workspaces.AddAfter(w, again)
	default:
		c.workspaces.Forget(w)
	}
}

// safely makes a panic in the work on one Workspace that one's error.
func (c *Controller) safely(ctx context.Context, w workspaceKey) (again time.Duration, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			again, err = 0, fmt.Errorf("working on Workspace %q: panic: %v", w.Name, cause)
		}
	}()
	return c.reconcile(ctx, w)
}

func (c *Controller) workspaceChanged(api contract.API, change watch.Change) {
	if change.Echo {
		return
	}
	c.workspaces.Add(workspaceKey{api, change.Object().GetName()})
}

// mountChanged takes an event of a mount object's kind.
func (c *Controller) mountChanged(resource schema.GroupVersionResource, change watch.Change) {
	u := change.Object()
	m := mountKey{Resource: resource, NamespacedName: types.NamespacedName{Namespace: u.GetNamespace(), Name: u.GetName()}}
	if !c.sources.isMounted(m) || saysTheSame(change) {
		return
	}
	c.arrivals.mount(m, c.cfg.Now())
	c.mounts.Add(m)
}

// saysTheSame tells whether a change is none to Workspaces, such as a heartbeat.
func saysTheSame(change watch.Change) bool {
	if change.Old == nil || change.New == nil {
		return false
	}
	return contract.ReadMount(change.Old) == contract.ReadMount(change.New) && ownerMark(change.Old) == ownerMark(change.New)
}

func ownerMark(u *unstructured.Unstructured) string {
	return u.GetAnnotations()[v1alpha1.AnnotationOwningWorkspace]
}
