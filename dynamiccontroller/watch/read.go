package watch

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/track"
)

// Children gives the live children of an instance, sorted by resource in the order given, namespace and name, and the
// resources whose cache cannot tell now; the instance is enqueued when it can. What is known of these is given as well.
func (w *Watcher) Children(uid types.UID, resources []schema.GroupVersionResource) (objs []*unstructured.Unstructured, unsynced []schema.GroupVersionResource) {
	for _, r := range resources {
		caches := w.childCaches(r)
		complete := len(caches) > 0
		var some []*unstructured.Unstructured
		for _, e := range caches {
			complete = e.isComplete() && complete
			some = append(some, e.cache.OfInstance(uid)...)
		}
		if !complete {
			unsynced = append(unsynced, r)
		}
		sortObjects(some)
		objs = append(objs, some...)
	}
	return objs, unsynced
}

// External gives what a key names, sorted by namespace and name; synced is false when that cannot be told now, and
// whoever wants the key is enqueued when it can.
func (w *Watcher) External(key track.External) (objs []*unstructured.Unstructured, synced bool) {
	for _, caches := range w.covering(key) {
		if !all(caches, (*entry).isComplete) {
			continue
		}
		for _, e := range caches {
			objs = append(objs, read(e.cache, key)...)
		}
		sortObjects(objs)
		return objs, true
	}
	return nil, false
}

func read(c *Cache, key track.External) []*unstructured.Unstructured {
	if key.Name == "" {
		selector, err := labels.Parse(key.Selector)
		if err != nil {
			return nil
		}
		return c.Select(key.Namespace, selector)
	}
	u, ok := c.Get(types.NamespacedName{Namespace: key.Namespace, Name: key.Name})
	if !ok {
		return nil
	}
	return []*unstructured.Unstructured{u}
}

// isComplete remembers when the answer is no, so that completed tells.
func (e *entry) isComplete() bool {
	if complete, _ := e.cache.State(); complete {
		return true
	}
	e.refused.Store(true)
	complete, _ := e.cache.State() // it may have been completed before the refusal was noted
	return complete
}

func (w *Watcher) childCaches(r schema.GroupVersionResource) []*entry {
	w.mu.RLock()
	defer w.mu.RUnlock()
	caches, _ := w.entriesLocked(track.Scope{Resource: r, Children: true})
	return caches
}

// covering gives the sets of caches that hold all that a key names, the narrowest first.
func (w *Watcher) covering(key track.External) [][]*entry {
	exact := track.Scope{Resource: key.Resource, Namespace: key.Namespace, Name: key.Name}
	if key.Name == "" {
		exact.Selector = key.Selector
	}
	candidates := []track.Scope{exact,
		{Resource: key.Resource, Namespace: key.Namespace}, {Resource: key.Resource}}
	w.mu.RLock()
	defer w.mu.RUnlock()
	var out [][]*entry
	for _, scope := range slices.Compact(candidates) {
		if caches, ok := w.entriesLocked(scope); ok {
			out = append(out, caches)
		}
	}
	return out
}

// entriesLocked gives the caches that a scope is cut into; ok is false when one of them does not run.
func (w *Watcher) entriesLocked(scope track.Scope) (caches []*entry, ok bool) {
	ok = true
	for _, s := range w.cfg.expand(scope) {
		e := w.caches[s]
		if e == nil {
			ok = false
			continue
		}
		caches = append(caches, e)
	}
	return caches, ok
}

func all(entries []*entry, is func(*entry) bool) bool {
	for _, e := range entries {
		if !is(e) {
			return false
		}
	}
	return true
}
