package console

import (
	"context"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"

	"github.com/plait-run/plait/cmd/plait/inspect"
)

// store is a Reader that keeps the kinds that lists show. Whatever it does not keep, or may not watch, is read anew. Safe for
// concurrent use; what it gives must not be changed.
type store struct {
	*inspect.Cluster
	tell func(path string) // of an object that changed

	ctx     context.Context // of run
	running sync.WaitGroup
	mu      sync.Mutex // never held over I/O
	kept    map[schema.GroupVersionResource]cache.SharedIndexInformer
}

func newStore(cluster *inspect.Cluster, tell func(string)) *store {
	return &store{Cluster: cluster, tell: tell, kept: map[schema.GroupVersionResource]cache.SharedIndexInformer{}}
}

// run keeps watching until ctx ends, and joins what it started.
func (s *store) run(ctx context.Context) {
	<-ctx.Done()
	s.running.Wait()
}

// keep begins to watch a kind, unless it is watched already.
func (s *store) keep(kind inspect.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil || s.kept[kind.Resource] != nil {
		return
	}
	informer := dynamicinformer.NewFilteredDynamicInformer(s.Dynamic, kind.Resource, "", 0, cache.Indexers{}, nil).Informer()
	told := func(object any) {
		if u := objectOf(object); u != nil {
			s.tell(pathOf(kind, u.GetNamespace(), u.GetName()))
		}
	}
	// The handlers cannot be refused by an informer that has not started.
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: told, DeleteFunc: told, UpdateFunc: func(_, now any) { told(now) },
	})
	// A kind that may not be watched is read anew each time; the page says what may not be read.
	_ = informer.SetWatchErrorHandlerWithContext(func(context.Context, *cache.Reflector, error) {})
	s.kept[kind.Resource] = informer
	s.running.Go(func() { informer.RunWithContext(s.ctx) })
}

func objectOf(object any) *unstructured.Unstructured {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	u, _ := object.(*unstructured.Unstructured)
	return u
}

// complete gives the informer of a kind once it holds everything.
func (s *store) complete(kind inspect.Kind) (cache.SharedIndexInformer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	informer := s.kept[kind.Resource]
	return informer, informer != nil && informer.HasSynced()
}

// Get is part of inspect.Reader.
func (s *store) Get(ctx context.Context, kind inspect.Kind, namespace, name string) (*unstructured.Unstructured, error) {
	informer, ok := s.complete(kind)
	if !ok {
		return s.Cluster.Get(ctx, kind, namespace, name)
	}
	key := name
	if kind.Namespaced {
		key = namespace + "/" + name
	}
	found, exists, err := informer.GetStore().GetByKey(key)
	if u := objectOf(found); err == nil && exists && u != nil {
		return u, nil
	}
	return nil, apierrors.NewNotFound(kind.Resource.GroupResource(), name)
}

// List is part of inspect.Reader.
func (s *store) List(ctx context.Context, kind inspect.Kind, namespace string, options metav1.ListOptions) ([]unstructured.Unstructured, error) {
	informer, ok := s.complete(kind)
	if !ok || options.FieldSelector != "" {
		return s.Cluster.List(ctx, kind, namespace, options)
	}
	selector, err := labels.Parse(options.LabelSelector)
	if err != nil {
		return s.Cluster.List(ctx, kind, namespace, options)
	}
	var out []unstructured.Unstructured
	for _, object := range informer.GetStore().List() {
		u := objectOf(object)
		if u != nil && (namespace == "" || u.GetNamespace() == namespace) && selector.Matches(labels.Set(u.GetLabels())) {
			out = append(out, *u)
		}
	}
	return out, nil
}

// none stands for no namespace in a path.
const none = "-"

// pathOf is where an object is shown: /o/webapps.apps.plait.run/team-a/shop.
func pathOf(kind inspect.Kind, namespace, name string) string {
	if namespace == "" {
		namespace = none
	}
	return strings.Join([]string{"/o", kind.Resource.GroupResource().String(), namespace, name}, "/")
}
