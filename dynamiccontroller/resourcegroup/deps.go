package resourcegroup

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/instance"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// Deps is what the reconciler needs. All members are required but those with a stated default.
type Deps struct {
	Log         logr.Logger
	Hub         *graph.Hub
	Compile     CompileFunc
	Compare     CompareFunc
	Engine      Engine
	Groups      Groups
	Revisions   Revisions
	Definitions Definitions
	Rights      EngineRights       // nil: the engine may do everything
	Exports     Exports            // nil: nobody exports kinds to this cluster
	Clients     instance.ClientSet // for the instance controllers; Engine of it writes groups too
	Config      Config
}

// Config are settings of the engine that concern groups.
type Config struct {
	AllowCRDDeletion bool
	RevisionsKept    int  // 10 by default
	AccountsRequired bool // nobody acts for instances of a group that names no account
	AccountsChecked  bool // an admission policy asks whether authors may use the accounts that they name
	GroupWorkers     int  // groups worked on at once; 2 by default
	Reconcile        instance.ReconcileConfig
	InstanceOptions  []instance.Option
	Now              func() time.Time // time.Now by default
}

// CompileFunc makes a graph of a document. The graph is nil when a diagnostic is an error; the error is for what
// cannot be told now.
type CompileFunc func(ctx context.Context, group *source.Group) (*graph.Graph, diag.List, error)

// CompareFunc compares a definition as the API server holds it with the wanted one.
type CompareFunc func(served, wanted *apiextensionsv1.CustomResourceDefinition) Comparison

// Comparison is how two definitions differ.
type Comparison struct {
	Equal    bool     // nothing is to be written
	Breaking []string // changes of the spec that break existing instances, one line each, sorted
}

// Engine serves kinds; *dynamiccontroller.Controller is one.
type Engine interface {
	// Register serves a kind with a reconciler, or gives a kind that is served another one. Never blocks.
	Register(gvr schema.GroupVersionResource, gvk schema.GroupVersionKind, r reconcile.Reconciler)
	// Deregister ends serving a kind; one that is not served is ignored. Never blocks.
	Deregister(gvr schema.GroupVersionResource)
	// Enqueue asks for a reconcile of one instance; a kind that is not served is ignored.
	Enqueue(gvr schema.GroupVersionResource, key types.NamespacedName, p dynamiccontroller.Priority)
	// Instances gives all instances in the cache, by namespace and name. They are shared.
	Instances(gvr schema.GroupVersionResource) []*unstructured.Unstructured
	// State tells whether a kind's workers run and its instances are known; if not, why.
	State(gvr schema.GroupVersionResource) (running bool, why error)
	// OnRunning has f called whenever the workers of a kind start; it must return soon.
	OnRunning(f func(schema.GroupKind))
	// WaitServed returns as soon as the API server serves lists of a resource, whose definition was just established.
	WaitServed(ctx context.Context, gvr schema.GroupVersionResource) error
}

// Exports tells of kinds that are not installed; *connection.Reconciler is one.
type Exports interface {
	// Hint tells where a kind comes from and what is to be done for it: a sentence; "" when nobody exports it.
	Hint(kind schema.GroupKind) string
	// OnHint has f called with every kind whose hint has changed; f must return soon.
	OnHint(f func(schema.GroupKind))
}

// Groups is the cache of ResourceGroups. What it gives is shared and never changed.
type Groups interface {
	// Group gives a group; ok is false when there is none of that name.
	Group(ctx context.Context, name string) (group *unstructured.Unstructured, ok bool, err error)
}

// Revisions keeps the snapshots of a group's spec.
type Revisions interface {
	// List gives those of a group, the newest first.
	List(ctx context.Context, group types.UID) ([]v1alpha1.ResourceGroupRevision, error)
	// Create keeps a snapshot; one of its name that exists is an AlreadyExists.
	Create(ctx context.Context, revision *v1alpha1.ResourceGroupRevision) error
	// Delete drops a snapshot; one that is gone already is no error.
	Delete(ctx context.Context, name string) error
}

// Definitions reads and writes CustomResourceDefinitions.
type Definitions interface {
	DefinitionReader
	DefinitionWriter
}

// DefinitionReader reads CustomResourceDefinitions. What a cache gives is shared and never changed.
type DefinitionReader interface {
	// OfGroup gives the definition that carries the label of this group, from the cache.
	OfGroup(ctx context.Context, group types.UID) (crd *apiextensionsv1.CustomResourceDefinition, ok bool, err error)
	// Cached gives a definition that carries the label of a group, from the cache.
	Cached(ctx context.Context, name string) (crd *apiextensionsv1.CustomResourceDefinition, ok bool, err error)
	// Live gives any definition, from the API server.
	Live(ctx context.Context, name string) (crd *apiextensionsv1.CustomResourceDefinition, ok bool, err error)
}

// DefinitionWriter writes CustomResourceDefinitions.
type DefinitionWriter interface {
	// Create makes the definition, and makes crd the server's answer; one of its name that exists is an AlreadyExists.
	Create(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error
	// Replace puts the definition in place of the one with its resource version, and makes crd the server's answer.
	Replace(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error
	// Delete deletes the definition of just this UID; without one it is an error. Its instances go with it.
	Delete(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error
}

func (d Deps) withDefaults() Deps {
	if d.Config.RevisionsKept == 0 {
		d.Config.RevisionsKept = 10
	}
	if d.Config.GroupWorkers == 0 {
		d.Config.GroupWorkers = 2
	}
	if d.Config.Now == nil {
		d.Config.Now = time.Now
	}
	return d
}

// writer writes groups as the engine itself.
func (d Deps) writer() apply.API { return d.Clients.Engine }
