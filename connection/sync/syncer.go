package sync

import (
	"context"
	"slices"
	"sync"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/connection/sync/mirror"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/dynamiccontroller/watch"
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
	line     line
	tidying  line // namespaces of the provider, by name
	copies   door
	ledger   *ledger
	origins  *origins
	reviews  *reviews
}

func newSyncer(task Task, remote Remote, cfg Config) *syncer {
	s := &syncer{
		task: task, remote: remote, cfg: cfg, ledger: newLedger(), origins: newOrigins(), reviews: newReviews(remote.Dynamic, cfg.Now),
		log:   cfg.Log.WithValues("api", task.API, "binding", task.Binding.Name, "namespace", task.Binding.Namespace, "connection", task.Connection),
		maker: mirror.Maker{Cluster: remote.LocalUID, Binding: task.UID, Prefix: task.Prefix},
	}
	s.line = newLine(s.log, cfg.Workers)
	s.line.do = s.sync
	s.tidying = newLine(s.log, 1)
	s.tidying.do = s.tidy
	s.copies = door{remote.Dynamic, task.Resource, s.maker.Manager(), func(err error) { cfg.Metrics.wrote(task, up, err) }}
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
	caches := []*watch.Cache{s.consumer}
	if s.provider != nil {
		caches = append(caches, s.provider)
	}
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { s.tidying.run(ctx, s.remote.Done) })
	s.line.run(ctx, s.remote.Done, caches...)
}

func (s *syncer) about() (Task, Remote) { return s.task, s.remote }

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

// spaces adds the namespaces in which there are objects.
func (s *syncer) spaces(to map[string]bool) {
	for _, obj := range s.consumer.Select("", everything) {
		if obj.GetNamespace() != "" && obj.GetDeletionTimestamp() == nil && !s.isKept(obj.GetNamespace()) {
			to[obj.GetNamespace()] = true
		}
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

// isInPlace tells whether a copy is where it would be made now: one that was made under another prefix is seen to by nobody.
func (s *syncer) isInPlace(live *unstructured.Unstructured) bool {
	key, ok := s.originOf(live)
	return ok && s.placeOf(key) == keyOf(live)
}

func (s *syncer) enqueue(key types.NamespacedName) {
	if s.isKept(key.Namespace) {
		return
	}
	s.ledger.change(key, s.cfg.Now())
	s.line.queue.Add(key)
}

// isKept tells whether another binding sees to the objects of a namespace.
func (s *syncer) isKept(namespace string) bool { return slices.Contains(s.task.Kept, namespace) }

func keyOf(obj *unstructured.Unstructured) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}
