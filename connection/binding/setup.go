package binding

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
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
	"github.com/plait-run/plait/connection/sync"
	"github.com/plait-run/plait/dynamiccontroller/remind"
	"github.com/plait-run/plait/dynamiccontroller/wire"
)

// callTime bounds one call to our own API server, so that one that hangs holds up no worker for good.
const callTime = 10 * time.Second

// reportTime is how soon after a change of objects their binding is looked at.
const reportTime = time.Second

// Waker has a binding looked at; it is given to the syncers before the controller is there.
type Waker struct{ queue remind.Queue }

// Wake asks for a look at a binding, soon.
func (w *Waker) Wake(b sync.Binding) {
	w.queue.Object(types.NamespacedName{Namespace: b.Namespace, Name: b.Name}, reportTime)
}

// SetupWithManager runs a reconciler in a manager. waker is who the syncers tell of changes.
func SetupWithManager(mgr manager.Manager, deps Deps, waker *Waker) (*Reconciler, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1alpha1.AddToScheme, apiextensionsv1.AddToScheme, metav1.AddMetaToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("registering kinds: %w", err)
		}
	}
	cached, err := newCache(mgr, scheme)
	if err != nil {
		return nil, err
	}
	deps.cached = cached
	if deps.live, err = client.New(mgr.GetConfig(), client.Options{HTTPClient: wire.Bounded(mgr.GetHTTPClient(), callTime), Scheme: scheme}); err != nil {
		return nil, fmt.Errorf("making the client of bindings: %w", err)
	}
	r := &Reconciler{deps: deps.withDefaults(), known: newKnown()}
	several := true // engines of one process, in tests
	c, err := controller.New("binding", mgr, controller.Options{
		Reconciler: r, MaxConcurrentReconciles: r.deps.Workers, SkipNameValidation: &several,
	})
	if err != nil {
		return nil, fmt.Errorf("making the controller of bindings: %w", err)
	}
	r.deps.Providers.OnChange(func(connection string) {
		for _, name := range r.known.using(connection) {
			waker.queue.Object(name, 0)
		}
	})
	for _, s := range append(r.sources(cached), source.Func(waker.queue.Start)) {
		if err := c.Watch(s); err != nil {
			return nil, fmt.Errorf("watching for the controller of bindings: %w", err)
		}
	}
	return r, nil
}

// newCache holds bindings, Connections, metadata of namespaces, and the definitions that Connections have installed.
func newCache(mgr manager.Manager, scheme *runtime.Scheme) (cache.Cache, error) {
	c, err := cache.New(mgr.GetConfig(), cache.Options{
		HTTPClient: mgr.GetHTTPClient(), Scheme: scheme, DefaultTransform: cache.TransformStripManagedFields(),
		ByObject: map[client.Object]cache.ByObject{
			&apiextensionsv1.CustomResourceDefinition{}: {Label: labels.SelectorFromSet(labels.Set{v1alpha1.LabelManaged: v1alpha1.True})},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("making the cache of bindings: %w", err)
	}
	if err := mgr.Add(c); err != nil {
		return nil, fmt.Errorf("adding the cache of bindings: %w", err)
	}
	return c, nil
}

// sources tell of bindings, and of all that decides about them.
func (r *Reconciler) sources(c cache.Cache) []source.Source {
	namespace := &metav1.PartialObjectMetadata{}
	namespace.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
	claims := predicate.Funcs{UpdateFunc: isNewClaim}
	return []source.Source{
		source.Kind[client.Object](c, &v1alpha1.ClusterBinding{}, handler.EnqueueRequestsFromMapFunc(r.rivals), claims),
		source.Kind[client.Object](c, &v1alpha1.Binding{}, handler.EnqueueRequestsFromMapFunc(r.rivals), claims),
		source.Kind[client.Object](c, &v1alpha1.Connection{}, handler.EnqueueRequestsFromMapFunc(r.all), predicate.Funcs{UpdateFunc: isNews}),
		source.Kind[client.Object](c, &apiextensionsv1.CustomResourceDefinition{}, handler.EnqueueRequestsFromMapFunc(r.naming),
			predicate.Funcs{UpdateFunc: isNewDefinition}),
		source.Kind[client.Object](c, namespace, handler.EnqueueRequestsFromMapFunc(r.inside), predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool {
				return !labels.Equals(e.ObjectOld.GetLabels(), e.ObjectNew.GetLabels())
			},
		}),
	}
}

// isNews tells whether a Connection differs in what bindings go by: not in times.
func isNews(e event.UpdateEvent) bool {
	old, isConnection := e.ObjectOld.(*v1alpha1.Connection)
	now, isToo := e.ObjectNew.(*v1alpha1.Connection)
	if !isConnection || !isToo {
		return true
	}
	return remind.IsWish(old, now) || !equality.Semantic.DeepEqual(old.Status.ExportedAPIs, now.Status.ExportedAPIs) ||
		!equality.Semantic.DeepEqual(old.Status.Conditions, now.Status.Conditions)
}

func isNewDefinition(e event.UpdateEvent) bool {
	return remind.IsWish(e.ObjectOld, e.ObjectNew) || !labels.Equals(e.ObjectOld.GetLabels(), e.ObjectNew.GetLabels())
}

// isNewClaim tells whether a binding differs in what it wants, or has let go of an API that another one may wait for.
func isNewClaim(e event.UpdateEvent) bool {
	return remind.IsWish(e.ObjectOld, e.ObjectNew) || slices.ContainsFunc(of(e.ObjectOld).status.BoundAPIs, func(a v1alpha1.BoundAPIStatus) bool {
		return of(e.ObjectNew).recorded(a.Name) == nil
	})
}

// rivals gives a binding, and all that name one of its APIs.
func (r *Reconciler) rivals(ctx context.Context, o client.Object) []reconcile.Request {
	self := reconcile.Request{NamespacedName: client.ObjectKeyFromObject(o)}
	out := r.requests(ctx, of(o).sharesAPI)
	if !slices.Contains(out, self) {
		out = append(out, self)
	}
	return out
}

// all gives all bindings: a Connection decides about those of others as well.
func (r *Reconciler) all(ctx context.Context, _ client.Object) []reconcile.Request {
	return r.requests(ctx, func(*subject) bool { return true })
}

// naming gives the bindings that name the API of a definition.
func (r *Reconciler) naming(ctx context.Context, o client.Object) []reconcile.Request {
	return r.requests(ctx, func(b *subject) bool { return b.names(o.GetName()) })
}

// inside gives the bindings of a namespace, and all that name one of their APIs: they may have it, or lose it, by that.
func (r *Reconciler) inside(ctx context.Context, o client.Object) []reconcile.Request {
	var all []reconcile.Request
	for _, b := range r.listed(ctx) {
		if b.object.GetNamespace() == o.GetName() {
			all = append(all, r.rivals(ctx, b.object)...)
		}
	}
	return all
}

// listed gives all bindings that the cache has.
func (r *Reconciler) listed(ctx context.Context) []*subject {
	bindings, err := list(ctx, r.deps.cached)
	if err != nil { // the cache is not there yet, and will tell of each
		r.deps.Log.V(1).Info("The bindings cannot be listed", "cause", err.Error())
	}
	return bindings
}

func (r *Reconciler) requests(ctx context.Context, which func(*subject) bool) []reconcile.Request {
	var out []reconcile.Request
	for _, b := range r.listed(ctx) {
		if which(b) {
			out = append(out, reconcile.Request{NamespacedName: b.name()})
		}
	}
	return out
}
