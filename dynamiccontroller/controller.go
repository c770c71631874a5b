package dynamiccontroller

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/dynamiccontroller/watch"
	"github.com/plait-run/plait/dynamiccontroller/wire"
)

// Controller serves kinds that come and go. Safe for concurrent use.
type Controller struct {
	cfg     Config
	client  dynamic.Interface
	slots   *slots
	passes  *track.Passes
	watcher *watch.Watcher

	measures *measures
	changes  changes // of specs that are not ACTIVE yet
	tenants  tenants

	mu     sync.RWMutex    // never held over I/O
	ctx    context.Context // of Start; nil before
	ended  bool
	kinds  map[schema.GroupVersionResource]*kind
	served map[schema.GroupKind]schema.GroupVersionResource
	runs   []func(schema.GroupKind)                          // told when the workers of a kind start
	told   []func(schema.GroupVersionResource, watch.Change) // of changes of instances
	joined sync.WaitGroup                                    // of the kinds; added to under mu while running
}

// New makes a controller that Start runs.
func New(cfg Config) (*Controller, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	client, err := newClient(cfg)
	if err != nil {
		return nil, err
	}
	c := &Controller{
		cfg:      cfg,
		client:   client,
		slots:    newSlots(cfg.Slots),
		passes:   track.NewPasses(),
		measures: newMeasures(),
		kinds:    map[schema.GroupVersionResource]*kind{},
		served:   map[schema.GroupKind]schema.GroupVersionResource{},
	}
	c.watcher, err = watch.New(watch.Config{
		Client:       client,
		Log:          cfg.Log,
		Enqueue:      func(o track.Owner) { c.Enqueue(o.Resource, o.NamespacedName, Change) },
		Passes:       c.passes,
		Served:       c.resourceOf,
		IsRelevant:   c.isRelevant,
		Namespaces:   cfg.WatchNamespaces,
		IsNamespaced: cfg.IsNamespaced,
		Linger:       cfg.Linger,
	})
	if err != nil {
		return nil, fmt.Errorf("making the watcher: %w", err)
	}
	return c, c.registerMetrics()
}

// newClient gives a client without limits of its own and without hidden waits.
func newClient(cfg Config) (dynamic.Interface, error) {
	config := identity.WithoutRetries(cfg.REST)
	httpClient := cfg.HTTPClient
	if httpClient == nil {
		made, err := rest.HTTPClientFor(config)
		if err != nil {
			return nil, fmt.Errorf("making the engine's HTTP client: %w", err)
		}
		httpClient = made
	}
	client, _, err := wire.NewClients(config, httpClient)
	if err != nil {
		return nil, fmt.Errorf("making the engine's client: %w", err)
	}
	return client, nil
}

// Start runs everything until ctx ends, and joins it. It may be called once.
func (c *Controller) Start(ctx context.Context) error {
	if err := c.begin(ctx); err != nil {
		return err
	}
	err := c.watcher.Start(ctx)
	c.end()
	c.joined.Wait()
	return err
}

// end sees to it that no kind is started any more.
func (c *Controller) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
}

func (c *Controller) begin(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx != nil {
		return errors.New("the controller was started before")
	}
	c.ctx = ctx
	for _, k := range c.kinds {
		c.startLocked(ctx, k)
	}
	return nil
}

// startLocked runs a kind; ctx is that of Start, and nil before.
func (c *Controller) startLocked(ctx context.Context, k *kind) {
	if ctx == nil || c.ended {
		return
	}
	c.joined.Go(func() { k.run(ctx) })
}

// Register serves a kind with a reconciler; of a kind that is served already it replaces the reconciler, and what
// waits in its queue stays. Never blocks. Before Start it only takes note.
func (c *Controller) Register(gvr schema.GroupVersionResource, gvk schema.GroupVersionKind, r reconcile.Reconciler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.served[gvk.GroupKind()] = gvr
	k, known := c.kinds[gvr]
	if !known {
		k = newKind(c, gvr)
		c.kinds[gvr] = k
	}
	k.gvk = gvk
	k.reconciler.Store(&r)
	k.setWanted(true)
	if !known {
		c.startLocked(c.ctx, k)
	}
}

// Deregister ends serving a kind; a kind that is not served is ignored. Never blocks: reconciles that run are joined in
// the background, and a kind that is registered again waits for them.
func (c *Controller) Deregister(gvr schema.GroupVersionResource) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.kinds[gvr]
	if !ok {
		return
	}
	if c.served[k.gvk.GroupKind()] == gvr {
		delete(c.served, k.gvk.GroupKind())
	}
	k.setWanted(false)
	if c.ctx == nil {
		delete(c.kinds, gvr)
	}
}

// drop forgets a kind that lingered; false when it was registered again meanwhile.
func (c *Controller) drop(k *kind) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.isWanted() {
		return false
	}
	delete(c.kinds, k.gvr)
	return true
}

// Enqueue asks for a reconcile of one instance; a kind that is not served is ignored.
func (c *Controller) Enqueue(gvr schema.GroupVersionResource, key types.NamespacedName, p Priority) {
	if k := c.kind(gvr); k != nil {
		k.enqueue(key, p)
	}
}

// Watcher gives the caches of children and externals.
func (c *Controller) Watcher() *watch.Watcher { return c.watcher }

// Judge is a reconciler that knows which changes of a child matter to its instance; with others every change does.
type Judge interface {
	// IsRelevant must return at once, and change neither object.
	IsRelevant(instance types.NamespacedName, old, now *unstructured.Unstructured) bool
}

func (c *Controller) isRelevant(owner track.Owner, old, now *unstructured.Unstructured) bool {
	k := c.kind(owner.Resource)
	if k == nil {
		return true
	}
	judge, ok := (*k.reconciler.Load()).(Judge)
	return !ok || judge.IsRelevant(owner.NamespacedName, old, now)
}

func (c *Controller) kind(gvr schema.GroupVersionResource) *kind {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.kinds[gvr]
}

func (c *Controller) resourceOf(gk schema.GroupKind) (schema.GroupVersionResource, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	gvr, ok := c.served[gk]
	return gvr, ok
}

// list gives the kinds by resource.
func (c *Controller) list() []*kind {
	c.mu.RLock()
	defer c.mu.RUnlock()
	out := make([]*kind, 0, len(c.kinds))
	for _, k := range c.kinds {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b *kind) int { return cmp.Compare(a.gvr.String(), b.gvr.String()) })
	return out
}
