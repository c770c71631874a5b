package sync

import (
	"context"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"

	"github.com/plait-run/plait/connection/sync/mirror"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/dynamiccontroller/watch"
)

// The waits between two attempts at one object.
const (
	firstDelay = 200 * time.Millisecond
	lastDelay  = time.Minute
)

// syncer does one task over one way to the provider.
type syncer struct {
	task   Task
	remote Remote
	cfg    Config
	log    logr.Logger
	maker  mirror.Maker

	consumer *watch.Cache
	provider *watch.Cache // nil: the task needs no provider
	queue    workqueue.TypedRateLimitingInterface[types.NamespacedName]
	ledger   *ledger
	origins  *origins
	reviews  *reviews
}

func newSyncer(task Task, remote Remote, cfg Config) *syncer {
	s := &syncer{
		task: task, remote: remote, cfg: cfg, ledger: newLedger(), origins: newOrigins(), reviews: newReviews(remote.Dynamic, cfg.Now),
		log:   cfg.Log.WithValues("api", task.API, "binding", task.Binding.Name, "namespace", task.Binding.Namespace, "connection", task.Connection),
		maker: mirror.Maker{Cluster: remote.LocalUID, Binding: task.UID, Prefix: task.Prefix},
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[types.NamespacedName](firstDelay, lastDelay)),
	}
	s.consumer = watch.NewCache(watch.CacheConfig{
		Client: cfg.Consumer, Log: s.log, Scope: track.Scope{Resource: task.Resource, Namespace: task.Binding.Namespace},
		Changed: s.objectChanged, Complete: s.completed, Failed: s.tell,
	})
	if task.Mode == Releasing {
		return s
	}
	scope := track.Scope{Resource: task.Resource, Selector: s.maker.Selector()}
	if task.Binding.Namespace != "" {
		scope.Namespace = s.maker.Namespace(task.Binding.Namespace)
	}
	s.provider = watch.NewCache(watch.CacheConfig{
		Client: remote.Dynamic, Log: s.log, Scope: scope, KeepOwnFields: true, Manager: s.maker.Manager(),
		Changed: s.copyChanged, Complete: s.completed, Failed: s.tell,
	})
	return s
}

// run works until ctx or the way to the provider ends, and joins all that it started.
func (s *syncer) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { s.consumer.Run(ctx) })
	if s.provider != nil {
		running.Go(func() { s.provider.Run(ctx) })
	}
	for range s.cfg.Workers {
		running.Go(func() {
			for s.work(ctx) {
			}
		})
	}
	defer s.queue.ShutDown()
	select {
	case <-ctx.Done():
	case <-s.remote.Done: // nil, and never ready, without a provider
	}
}

// work takes one object from the queue; false: the queue has ended.
func (s *syncer) work(ctx context.Context) bool {
	key, ended := s.queue.Get()
	if ended {
		return false
	}
	defer s.queue.Done(key)
	after, err := s.sync(ctx, key)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.log.V(1).Info("Trying again", "object", key.String(), "cause", err.Error())
		s.queue.AddRateLimited(key)
	default:
		s.queue.Forget(key)
		if after > 0 {
			s.queue.AddAfter(key, after)
		}
	}
	return true
}

// isComplete tells whether both lists can be read; if not, why.
func (s *syncer) isComplete() (bool, error) {
	complete, err := s.consumer.State()
	if !complete || s.provider == nil {
		return complete, err
	}
	return s.provider.State()
}

// completed looks at everything once both lists are there, and again after a failure.
func (s *syncer) completed() {
	defer s.tell()
	if complete, _ := s.isComplete(); !complete {
		return
	}
	for _, obj := range s.consumer.Select("", everything) {
		s.enqueue(keyOf(obj))
	}
	if s.provider == nil {
		return
	}
	for _, live := range s.provider.Select("", everything) {
		s.origins.learn(live)
		s.copyChanged(watch.Change{New: live})
	}
}

func (s *syncer) tell() { s.cfg.Changed(s.task.Binding) }

func (s *syncer) objectChanged(c watch.Change) {
	if c.Initial || c.Echo {
		return
	}
	s.enqueue(keyOf(c.Object()))
}

func (s *syncer) copyChanged(c watch.Change) {
	if c.Initial || c.Echo {
		return
	}
	if key, ok := s.originOf(c.Object()); ok {
		s.enqueue(key)
	}
}

// originOf gives the object that a copy is of.
func (s *syncer) originOf(live *unstructured.Unstructured) (types.NamespacedName, bool) {
	key := keyOf(live)
	if s.task.Prefix != "" && key.Namespace != "" {
		key.Namespace = s.origins.of(live)
	}
	isMissing := live.GetNamespace() != "" && key.Namespace == ""
	isElsewhere := s.task.Binding.Namespace != "" && key.Namespace != s.task.Binding.Namespace
	return key, !isMissing && !isElsewhere
}

func (s *syncer) enqueue(key types.NamespacedName) {
	s.ledger.change(key, s.cfg.Now())
	s.queue.Add(key)
}

func keyOf(obj *unstructured.Unstructured) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}
