package watch

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/track"
)

// changed tells the owners of what changed. The first list needs no telling object by object: completed tells
// everybody who wanted it.
func (w *Watcher) changed(scope track.Scope, c Change) {
	if c.Initial || c.Resync || c.Echo {
		return
	}
	if scope.Children {
		w.childChanged(scope.Resource, c)
		return
	}
	w.externalChanged(scope, c)
}

func (w *Watcher) childChanged(resource schema.GroupVersionResource, c Change) {
	var told track.Owner
	for _, u := range []*unstructured.Unstructured{c.New, c.Old} {
		if u == nil {
			continue
		}
		owner, ok := w.parent(u)
		if !ok || owner == told {
			continue
		}
		told = owner
		if c.Old != nil && c.New != nil && w.cfg.IsRelevant != nil && !w.cfg.IsRelevant(owner, c.Old, c.New) {
			continue
		}
		if c.New != nil && w.cfg.Passes.News(owner, versionOf(resource, c.New)) {
			continue
		}
		w.cfg.Enqueue(owner)
	}
}

func versionOf(resource schema.GroupVersionResource, u *unstructured.Unstructured) track.Version {
	object := track.Object{Resource: resource, NamespacedName: keyOf(u)}
	return track.Version{Object: object, ResourceVersion: u.GetResourceVersion()}
}

// parent gives the instance of a child: by UID, or by the annotation when an instance of that name was made anew.
func (w *Watcher) parent(child *unstructured.Unstructured) (track.Owner, bool) {
	w.mu.RLock()
	owner, ok := w.index.Instance(types.UID(label(child, v1alpha1.LabelInstanceUID)))
	w.mu.RUnlock()
	if ok || w.cfg.Served == nil {
		return owner, ok
	}
	text, _, _ := unstructured.NestedString(child.Object, "metadata", "annotations", v1alpha1.AnnotationInstance)
	instance, ok := track.ParseInstance(text)
	if !ok {
		return track.Owner{}, false
	}
	resource, ok := w.cfg.Served(schema.GroupKind{Group: instance.Group, Kind: instance.Kind})
	name := types.NamespacedName{Namespace: instance.Namespace, Name: instance.Name}
	return track.Owner{Resource: resource, NamespacedName: name}, ok
}

func (w *Watcher) externalChanged(scope track.Scope, c Change) {
	if w.cfg.Observe != nil {
		w.cfg.Observe(scope.Resource, c)
		return
	}
	var sets []labels.Set
	for _, u := range []*unstructured.Unstructured{c.Old, c.New} {
		if u != nil {
			sets = append(sets, u.GetLabels())
		}
	}
	w.mu.RLock()
	readers := w.index.Readers(scope.Resource, keyOf(c.Object()), sets...)
	w.mu.RUnlock()
	for _, owner := range readers {
		w.cfg.Enqueue(owner)
	}
}

// completed tells everybody who waits for a cache: at its first list, and after a failure that a read met.
func (w *Watcher) completed(scope track.Scope, e *entry) {
	if !e.refused.Swap(false) {
		return
	}
	w.mu.RLock()
	waiting := w.index.Waiting(scope)
	w.mu.RUnlock()
	for _, owner := range waiting {
		w.cfg.Enqueue(owner)
	}
}

func (w *Watcher) failed(scope track.Scope, e *entry) {
	if _, err := e.cache.State(); err != nil && w.cfg.Failed != nil {
		w.cfg.Failed(scope.Resource, err)
	}
}
