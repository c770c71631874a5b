package resourcegroup

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/remind"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/dynamiccontroller/wire"
)

// KindsChangedFunc has f called with every kind that appeared, changed or went.
type KindsChangedFunc func(f func(schema.GroupKind))

// SetupWithManager runs a reconciler in a manager. Groups, Revisions and Definitions of deps are made here where they are
// nil. onKinds is discovery's.
func SetupWithManager(mgr manager.Manager, deps Deps, onKinds KindsChangedFunc) (*Reconciler, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	cached, err := newCache(mgr, scheme)
	if err != nil {
		return nil, err
	}
	live, err := client.New(mgr.GetConfig(), client.Options{HTTPClient: wire.Bounded(mgr.GetHTTPClient(), callTime), Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("making the client of groups: %w", err)
	}
	fill(&deps, kube{cached: cached, live: live})
	r := New(deps)
	several := true // engines of one process, in tests
	const name = "resourcegroup"
	c, err := controller.New(name, mgr, controller.Options{
		LogConstructor: step.LogConstructor(mgr.GetLogger(), name),
		Reconciler:     r, MaxConcurrentReconciles: r.deps.Config.GroupWorkers, SkipNameValidation: &several,
	})
	if err != nil {
		return nil, fmt.Errorf("making the controller of groups: %w", err)
	}
	reminders := &remind.Queue{}
	r.changed, r.later = reminders.Now, reminders.After
	onKinds(func(kind schema.GroupKind) {
		for _, name := range r.memories.markStale(kind) {
			reminders.Now(name)
		}
	})
	if r.deps.Exports != nil {
		r.deps.Exports.OnHint(func(kind schema.GroupKind) {
			for _, name := range r.memories.users(kind) {
				reminders.Now(name)
			}
		})
	}
	r.deps.Engine.OnRunning(func(kind schema.GroupKind) {
		for _, name := range r.memories.serving(kind) {
			reminders.Now(name)
		}
	})
	for _, s := range []source.Source{watchGroups(cached), watchDefinitions(cached), source.Func(reminders.Start)} {
		if err := c.Watch(s); err != nil {
			return nil, fmt.Errorf("watching for the controller of groups: %w", err)
		}
	}
	return r, nil
}

func fill(deps *Deps, k kube) {
	if deps.Groups == nil {
		deps.Groups = k
	}
	if deps.Revisions == nil {
		deps.Revisions = revisions{k.live}
	}
	if deps.Definitions == nil {
		deps.Definitions = definitions{k}
	}
}

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1alpha1.AddToScheme, apiextensionsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("registering kinds: %w", err)
		}
	}
	return scheme, nil
}

// newCache holds groups, and definitions that carry the label of one.
func newCache(mgr manager.Manager, scheme *runtime.Scheme) (cache.Cache, error) {
	labelled, err := labels.NewRequirement(v1alpha1.LabelResourceGroupUID, selection.Exists, nil)
	if err != nil {
		return nil, fmt.Errorf("selecting definitions: %w", err)
	}
	c, err := cache.New(mgr.GetConfig(), cache.Options{
		HTTPClient: mgr.GetHTTPClient(), Scheme: scheme, DefaultTransform: cache.TransformStripManagedFields(),
		ByObject: map[client.Object]cache.ByObject{
			&apiextensionsv1.CustomResourceDefinition{}: {Label: labels.NewSelector().Add(*labelled)},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("making the cache of groups: %w", err)
	}
	if err := mgr.Add(c); err != nil {
		return nil, fmt.Errorf("adding the cache of groups: %w", err)
	}
	return c, nil
}

// watchGroups tells of everything but status.
func watchGroups(c cache.Cache) source.Source {
	group := &unstructured.Unstructured{}
	group.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(v1alpha1.KindResourceGroup))
	changes := predicate.TypedFuncs[*unstructured.Unstructured]{
		UpdateFunc: func(e event.TypedUpdateEvent[*unstructured.Unstructured]) bool {
			return remind.IsWish(e.ObjectOld, e.ObjectNew)
		},
	}
	return source.Kind(c, group, &handler.TypedEnqueueRequestForObject[*unstructured.Unstructured]{}, changes)
}

func watchDefinitions(c cache.Cache) source.Source {
	toGroup := func(_ context.Context, crd *apiextensionsv1.CustomResourceDefinition) []reconcile.Request {
		name := crd.Annotations[v1alpha1.AnnotationResourceGroup]
		if name == "" {
			return nil
		}
		return []reconcile.Request{requestFor(name)}
	}
	return source.Kind(c, &apiextensionsv1.CustomResourceDefinition{},
		handler.TypedEnqueueRequestsFromMapFunc(toGroup))
}

func requestFor(name string) reconcile.Request {
	return reconcile.Request{NamespacedName: types.NamespacedName{Name: name}}
}
