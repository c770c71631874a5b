package instance

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/track"
)

// ClientSet is what a controller needs of its cluster. All members are safe for concurrent use.
type ClientSet struct {
	Engine    apply.API // as the engine itself: claims, finalizers, status
	Acting    ActingFunc
	Rights    Rights
	Instances Instances
	Cache     Cache
	Wishes    Wishes
	Kinds     Kinds
	Recorder  Recorder // nil: no events
}

// ActingFunc gives the API of an identity.
type ActingFunc func(id identity.Identity) (apply.API, error)

// Rights answers what identities may do.
type Rights interface {
	// May tells whether an identity may do it; if not, the authorizer's words, if it had any.
	May(ctx context.Context, id identity.Identity, request identity.Request) (allowed bool, reason string, err error)
	// Forget drops what is known of an identity, so that it is asked anew.
	Forget(id identity.Identity)
	// Exists tells whether the service account of an identity exists.
	Exists(ctx context.Context, id identity.Identity) (bool, error)
}

// Instances is the cache of the instances.
type Instances interface {
	// Instance gives an instance; what it gives is shared and never changed.
	Instance(gvr schema.GroupVersionResource, key types.NamespacedName) (*unstructured.Unstructured, bool)
	// Wrote tells of the server's answer to a write, which Instance gives from then on.
	Wrote(gvr schema.GroupVersionResource, obj *unstructured.Unstructured)
}

// Cache reads children and externals. What it gives is shared and never changed.
type Cache interface {
	// Children gives the children of an instance, and the resources whose cache cannot tell now.
	Children(uid types.UID, resources []schema.GroupVersionResource) (objs []*unstructured.Unstructured, unsynced []schema.GroupVersionResource)
	// External gives what a key names, sorted by namespace and name; synced is false when the cache cannot tell now.
	External(key track.External) (objs []*unstructured.Unstructured, synced bool)
	// Wrote tells of the server's answer to a write of a child, which Children gives from then on.
	Wrote(resource schema.GroupVersionResource, obj *unstructured.Unstructured)
}

// Wishes keeps what each instance wants to have cached.
type Wishes interface {
	// AddWanted adds to it; it is called before reading.
	AddWanted(owner track.Owner, children []schema.GroupVersionResource, externals []track.External)
	// SetWanted replaces it, at the end of a pass; empty lists forget the owner.
	SetWanted(owner track.Owner, children []schema.GroupVersionResource, externals []track.External)
}

// Kinds finds out how kinds are served, for deletion, which knows no graph.
type Kinds interface {
	// Locate gives the resource of a kind. It gives ok false only for a kind that certainly is not installed, and an
	// error when that cannot be told now.
	Locate(ctx context.Context, kind schema.GroupKind) (resource schema.GroupVersionResource, ok bool, err error)
}

// Recorder takes events; client-go's events.EventRecorder is one.
type Recorder interface {
	// Eventf tells of an object, and of a related one or nil: why (reason) and in what (action) something happened.
	Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any)
}
