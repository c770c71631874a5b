package dynamiccontroller

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/dynamiccontroller/watch"
)

// instanceChanged keeps the UIDs of the kind's instances known, and enqueues.
func (k *kind) instanceChanged(c watch.Change) {
	k.owner.tellChange(k.gvr, c)
	owner := k.ownerOf(c.Object())
	switch {
	case c.New == nil:
		k.owner.watcher.Unbind(c.Old.GetUID(), owner)
		k.owner.changes.end(c.Old.GetUID(), time.Time{})
		k.owner.count(owner.Namespace, -1)
	case c.Old == nil || c.Old.GetUID() != c.New.GetUID():
		k.owner.watcher.Bind(c.New.GetUID(), owner)
		if c.Old == nil {
			k.owner.count(owner.Namespace, 1)
		}
	}
	k.noteChange(c)
	p, ok := priorityOf(c)
	if !ok || isUncertain(c) && k.owner.passes.News(owner, k.versionOf(c.New)) {
		return
	}
	k.enqueue(owner.NamespacedName, p)
}

// noteChange begins to measure how long a new spec takes.
func (k *kind) noteChange(c watch.Change) {
	switch {
	case c.New == nil || c.Initial || c.Resync:
		return
	case isActive(c.New):
		k.tellActive(c.New) // our answer may have come before the event of the change
		return
	}
	if c.Old == nil || c.Old.GetGeneration() != c.New.GetGeneration() {
		k.owner.changes.begin(c.New.GetUID(), time.Now())
	}
}

// tellActive ends what noteChange began.
func (k *kind) tellActive(u *unstructured.Unstructured) {
	if !isActive(u) {
		return
	}
	if took, ok := k.owner.changes.end(u.GetUID(), time.Now()); ok {
		k.owner.measures.active.WithLabelValues(k.name).Observe(took.Seconds())
	}
}

func (k *kind) versionOf(u *unstructured.Unstructured) track.Version {
	object := track.Object{Resource: k.gvr, NamespacedName: k.ownerOf(u).NamespacedName}
	return track.Version{Object: object, ResourceVersion: u.GetResourceVersion()}
}

func (k *kind) ownerOf(u *unstructured.Unstructured) track.Owner {
	name := types.NamespacedName{Namespace: u.GetNamespace(), Name: u.GetName()}
	return track.Owner{Resource: k.gvr, NamespacedName: name}
}

func (k *kind) cacheCompleted() {
	select {
	case k.completed <- struct{}{}:
	default:
	}
}

// waitComplete waits until every cache is; false when ctx ends before.
func (k *kind) waitComplete(ctx context.Context) bool {
	for {
		if complete, _ := k.state(); complete {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-k.completed:
		}
	}
}

// state tells whether every cache is complete; if not, the first fault, nil while there is none.
func (k *kind) state() (complete bool, fault error) {
	complete = true
	for _, cache := range k.caches {
		is, err := cache.State()
		complete = complete && is
		if fault == nil {
			fault = err
		}
	}
	return complete, fault
}

// whileWanted gives a context that ends with its parent, or when the kind is not wanted any more.
func (k *kind) whileWanted(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	k.mu.Lock()
	wanted, changed := k.wanted, k.changed
	k.mu.Unlock()
	if !wanted {
		cancel()
		return ctx, cancel
	}
	joined := make(chan struct{})
	go func() {
		defer close(joined)
		select {
		case <-ctx.Done():
		case <-changed:
			cancel()
		}
	}()
	return ctx, func() { cancel(); <-joined }
}

func (k *kind) setQueue(q queue) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.queue = q
	k.waiting.forget()
}

// enqueueAll enqueues what the caches hold: the instances of a kind that is registered again.
func (k *kind) enqueueAll() {
	for _, u := range k.instances() {
		k.enqueue(k.ownerOf(u).NamespacedName, Background)
	}
}

// forgetAll makes the Watcher forget the kind's instances.
func (k *kind) forgetAll() {
	for _, u := range k.instances() {
		k.owner.watcher.Unbind(u.GetUID(), k.ownerOf(u))
		k.owner.changes.end(u.GetUID(), time.Time{})
		k.owner.count(u.GetNamespace(), -1)
	}
}

func (k *kind) instance(key types.NamespacedName) (*unstructured.Unstructured, bool) {
	for _, cache := range k.caches {
		if u, ok := cache.Get(key); ok {
			return u, true
		}
	}
	return nil, false
}

// instances gives all of them by namespace and name.
func (k *kind) instances() []*unstructured.Unstructured {
	var out []*unstructured.Unstructured
	for _, cache := range k.caches {
		out = append(out, cache.Select("", labels.Everything())...)
	}
	return out
}
