package watch

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/track"
)

// CONTRACT (skeleton; replaced by the implementation).

// Watcher keeps informers for what instances want to read. Safe for concurrent use.
type Watcher struct{}

// Children gives the live children of an instance, from the caches, sorted by resource, namespace and name, and the
// resources whose cache cannot tell now. Shared objects: never to be changed.
func (w *Watcher) Children(uid types.UID, resources []schema.GroupVersionResource) (objs []*unstructured.Unstructured, unsynced []schema.GroupVersionResource) {
	panic("skeleton")
}

// External gives what a key names, sorted by namespace and name; synced is false when the cache cannot tell now.
func (w *Watcher) External(key track.External) (objs []*unstructured.Unstructured, synced bool) {
	panic("skeleton")
}

// AddWanted adds to what an owner wants; call it before reading. Never blocks.
func (w *Watcher) AddWanted(owner track.Owner, children []schema.GroupVersionResource, externals []track.External) {
	panic("skeleton")
}

// SetWanted replaces what an owner wants; call it at the end of a pass. Empty lists forget the owner. Never blocks.
func (w *Watcher) SetWanted(owner track.Owner, children []schema.GroupVersionResource, externals []track.External) {
	panic("skeleton")
}

// Wrote tells of the server's answer to a write of a child: reads give it at once, until the cache has caught up, and
// its own event does not reconcile the instance again. The caller must evaluate with the answer in the same pass.
func (w *Watcher) Wrote(resource schema.GroupVersionResource, obj *unstructured.Unstructured) {
	panic("skeleton")
}

// Start runs the informers until ctx ends, and joins them all.
func (w *Watcher) Start(ctx context.Context) error { panic("skeleton") }
