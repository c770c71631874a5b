package watch

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/track"
)

// Change is one event of a cache.
type Change struct {
	Old     *unstructured.Unstructured // nil: the object is new
	New     *unstructured.Unstructured // nil: the object is gone
	Initial bool                       // part of the first list
	Resync  bool                       // nothing happened; a reminder
	Echo    bool                       // the effect of a write whose answer was told with Wrote, or of an earlier one
}

// Object is the newest state that a change shows.
func (c Change) Object() *unstructured.Unstructured {
	if c.New != nil {
		return c.New
	}
	return c.Old
}

// CacheConfig says what a cache holds and whom it tells. Callbacks may be nil, come from the cache's own goroutines,
// and must return soon.
type CacheConfig struct {
	Client        dynamic.Interface
	Log           logr.Logger
	Scope         track.Scope
	Resync        time.Duration // between reminders of every object; zero: never
	KeepOwnFields bool          // keep the managedFields of our manager and of the scale subresource
	Manager       string        // who we are in managedFields; empty: v1alpha1.FieldManager
	StatusOnly    bool          // keep metadata and status only
	Changed       func(Change)
	Complete      func() // the first list is there and all its changes were told, or a failure is over
	Failed        func() // the copy cannot be kept up to date from now on, or is refused from now on; State says why
	pool          *pool
}

// Cache is a live copy of one list. Safe for concurrent use. Objects that it gives are shared: never to be changed.
type Cache struct {
	cfg     CacheConfig
	feed    *feed
	store   *store
	overlay *overlay
	written chan struct{} // of one; wakes the loop that expires answers
}

// NewCache makes a cache that Run fills.
func NewCache(cfg CacheConfig) *Cache {
	if cfg.pool == nil {
		cfg.pool = newPool()
	}
	c := &Cache{cfg: cfg, overlay: newOverlay(), written: make(chan struct{}, 1)}
	c.feed = newFeed(cfg, c.complete)
	c.store = newStore(trimmer{
		keepOwnFields: cfg.KeepOwnFields, manager: cmp.Or(cfg.Manager, v1alpha1.FieldManager), statusOnly: cfg.StatusOnly, pool: cfg.pool,
	}, c.changed)
	return c
}

func newFeed(cfg CacheConfig, recovered func()) *feed {
	f := &feed{recovered: recovered, failed: cfg.Failed, retry: make(chan struct{}, 1), selection: selectionOf(cfg.Scope)}
	f.resource = cfg.Client.Resource(cfg.Scope.Resource)
	if cfg.Scope.Namespace != "" {
		f.resource = cfg.Client.Resource(cfg.Scope.Resource).Namespace(cfg.Scope.Namespace)
	}
	return f
}

func selectionOf(s track.Scope) metav1.ListOptions {
	out := metav1.ListOptions{LabelSelector: s.Selector}
	if s.Children {
		out.LabelSelector = v1alpha1.LabelOwned + "=" + v1alpha1.True
	}
	if s.Name != "" {
		out.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, s.Name).String()
	}
	return out
}

// label reads one label without copying them all.
func label(u *unstructured.Unstructured, key string) string {
	value, _, _ := unstructured.NestedString(u.Object, "metadata", "labels", key)
	return value
}

// Run fills the cache and keeps it up to date until ctx ends; it joins all that it started.
func (c *Cache) Run(ctx context.Context) {
	ctx = logr.NewContext(ctx, c.cfg.Log)
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { c.follow(ctx) })
	select {
	case <-ctx.Done():
		return
	case <-c.store.synced:
		c.complete()
	}
	c.expireAnswers(ctx)
}

// How long the reflector waits before it lists again, when that is the cure: what can be tried again is tried by the feed.
var relisting = wait.Backoff{Duration: 800 * time.Millisecond, Cap: 30 * time.Second, Steps: 38, Factor: 2, Jitter: 1}

// follow keeps the store up to date until ctx ends.
func (c *Cache) follow(ctx context.Context) {
	reflector := cache.NewReflectorWithOptions(c.feed, &unstructured.Unstructured{}, c.store, cache.ReflectorOptions{
		Name: c.cfg.Scope.String(), TypeDescription: c.cfg.Scope.String(), ResyncPeriod: c.cfg.Resync,
	})
	list := func(ctx context.Context) (bool, error) {
		if err := reflector.ListAndWatchWithContext(ctx); err != nil {
			c.cfg.Log.V(1).Info("A watch ended", "list", c.cfg.Scope.String(), "cause", err.Error())
		}
		return false, nil
	}
	_ = relisting.DelayWithReset(clock.RealClock{}, 2*time.Minute).Until(ctx, true, true, list) // ends with ctx only
}

func (c *Cache) expireAnswers(ctx context.Context) {
	timer := time.NewTimer(overlayTime)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.written:
		case <-timer.C:
		}
		if since := c.feed.watchingSince(); c.feed.why() != nil || since.IsZero() || time.Since(since) < overlayTime {
			timer.Reset(overlayTime)
			continue
		}
		dropped, next := c.overlay.expire(time.Now())
		for _, obj := range dropped {
			current, _ := c.Get(keyOf(obj))
			c.tell(Change{Old: obj, New: current})
		}
		timer.Stop()
		if !next.IsZero() {
			timer.Reset(time.Until(next))
		}
	}
}

// State tells whether the cache can be read; if not, why. An error that is nil means that the first list is under way.
func (c *Cache) State() (complete bool, err error) {
	if err := c.feed.why(); err != nil {
		return false, err
	}
	return c.store.isSynced(), nil
}

// Retry ends a wait between two attempts: something has changed that may make the next one succeed.
func (c *Cache) Retry() {
	select {
	case c.feed.retry <- struct{}{}:
	default:
	}
}

// Wrote tells of the server's answer to a write, which nobody may change afterwards. Reads give it until the watch has caught up; the event of the write
// is then marked as an echo.
func (c *Cache) Wrote(obj *unstructured.Unstructured) {
	c.overlay.put(c.store.trimmer.cut(obj), time.Now(), c.stored)
	select {
	case c.written <- struct{}{}:
	default:
	}
}

func (c *Cache) complete() {
	if c.cfg.Complete != nil && c.store.isSynced() {
		c.cfg.Complete()
	}
}

func (c *Cache) stored(key types.NamespacedName) *unstructured.Unstructured {
	return c.store.get(storeKey(key))
}

func storeKey(key types.NamespacedName) string {
	if key.Namespace == "" {
		return key.Name
	}
	return key.Namespace + "/" + key.Name
}
