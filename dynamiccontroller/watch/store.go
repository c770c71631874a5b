package watch

import (
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"

	"github.com/plait-run/plait/api/v1alpha1"
)

const byInstance = "instance"

// store is where a reflector puts what it reads: the copy of a list, which tells of each change as soon as it holds it. An
// informer of client-go would hand every event through two more queues. Reads are safe for concurrent use; changes and
// what is told of them come one after the other.
type store struct {
	indexer cache.Indexer
	trimmer trimmer
	told    func(Change)
	synced  chan struct{} // closed when the first list is held and told

	mu sync.Mutex // held while a change is told: what is told must not call what changes the store
}

func newStore(t trimmer, told func(Change)) *store {
	return &store{
		indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{byInstance: instanceUID}),
		trimmer: t, told: told, synced: make(chan struct{}),
	}
}

// isSynced tells whether the first list is held and told.
func (s *store) isSynced() bool {
	select {
	case <-s.synced:
		return true
	default:
		return false
	}
}

// Transformer has a list that is streamed made small object by object.
func (s *store) Transformer() cache.TransformFunc { return s.trimmer.trim }

// Add is part of cache.ReflectorStore.
func (s *store) Add(obj any) error { return s.Update(obj) }

// Update is part of cache.ReflectorStore.
func (s *store) Update(obj any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.putLocked(obj, false)
	return err
}

// Delete is part of cache.ReflectorStore. The object is in its last state.
func (s *store) Delete(obj any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, err := s.trimmed(obj)
	if err != nil || u == nil {
		return err
	}
	return s.dropLocked(u)
}

// Replace is part of cache.ReflectorStore: of a list that is not the first, only what differs is a change.
func (s *store) Replace(list []any, _ string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	isFirst := !s.isSynced()
	held := make(map[string]bool, len(list))
	for _, obj := range list {
		key, err := s.putLocked(obj, isFirst)
		if err != nil {
			return err
		}
		held[key] = true
	}
	for _, obj := range s.indexer.List() {
		if u, ok := obj.(*unstructured.Unstructured); ok && !held[storeKey(keyOf(u))] {
			if err := s.dropLocked(u); err != nil {
				return err
			}
		}
	}
	if isFirst {
		close(s.synced)
	}
	return nil
}

// Resync is part of cache.ReflectorStore: it reminds of every object.
func (s *store) Resync() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, obj := range s.indexer.List() {
		if u, ok := obj.(*unstructured.Unstructured); ok {
			s.told(Change{Old: u, New: u, Resync: true})
		}
	}
	return nil
}

func (s *store) putLocked(obj any, isInitial bool) (key string, err error) {
	u, err := s.trimmed(obj)
	if err != nil || u == nil {
		return "", err
	}
	key = storeKey(keyOf(u))
	old := s.get(key)
	if err := s.indexer.Update(u); err != nil {
		return key, err
	}
	switch {
	case old == nil:
		s.told(Change{New: u, Initial: isInitial})
	case old.GetUID() != u.GetUID():
		s.told(Change{Old: old})
		s.told(Change{New: u})
	default:
		s.told(Change{Old: old, New: u, Resync: old.GetResourceVersion() == u.GetResourceVersion()})
	}
	return key, nil
}

func (s *store) dropLocked(u *unstructured.Unstructured) error {
	held := s.get(storeKey(keyOf(u)))
	if err := s.indexer.Delete(u); err != nil {
		return err
	}
	if held != nil {
		s.told(Change{Old: u})
	}
	return nil
}

// trimmed gives nil for what is no object.
func (s *store) trimmed(obj any) (*unstructured.Unstructured, error) {
	small, err := s.trimmer.trim(obj)
	u, _ := small.(*unstructured.Unstructured)
	return u, err
}

// get gives the object that is held under a key, nil when there is none.
func (s *store) get(key string) *unstructured.Unstructured {
	obj, ok, err := s.indexer.GetByKey(key)
	if !ok || err != nil {
		return nil
	}
	u, _ := obj.(*unstructured.Unstructured)
	return u
}

func instanceUID(obj any) ([]string, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return nil, nil
	}
	if uid := label(u, v1alpha1.LabelInstanceUID); uid != "" {
		return []string{uid}, nil
	}
	return nil, nil
}
