package connection

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/util/workqueue"
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
	"github.com/plait-run/plait/graph"
)

// callTime bounds one call to our own API server.
const callTime = 30 * time.Second

// SetupWithManager runs a reconciler and the heartbeats in a manager, and makes it a consumer of graphs.
func SetupWithManager(mgr manager.Manager, deps Deps, hub *graph.Hub) (*Reconciler, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1alpha1.AddToScheme, apiextensionsv1.AddToScheme, corev1.AddToScheme, metav1.AddMetaToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("registering kinds: %w", err)
		}
	}
	deps.Config = deps.Config.withDefaults()
	cached, err := newCache(mgr, scheme, deps.Config.SecretsNamespace)
	if err != nil {
		return nil, err
	}
	deps.cached = cached
	bounded := wire.Bounded(mgr.GetHTTPClient(), callTime)
	if deps.live, err = client.New(mgr.GetConfig(), client.Options{HTTPClient: bounded, Scheme: scheme}); err != nil {
		return nil, fmt.Errorf("making the client of Connections: %w", err)
	}
	if deps.objects, err = metadata.NewForConfigAndClient(mgr.GetConfig(), bounded); err != nil {
		return nil, fmt.Errorf("making the client of imported objects: %w", err)
	}
	r := &Reconciler{deps: deps, memories: newMemories(), hints: newHints(), reminder: &remind.Queue{}}
	r.uses = newUses(r.remindAll)
	if err := r.control(mgr, cached); err != nil {
		return nil, err
	}
	if err := mgr.Add(deps.Heartbeats); err != nil {
		return nil, fmt.Errorf("adding the heartbeats: %w", err)
	}
	consume := manager.RunnableFunc(func(ctx context.Context) error {
		hub.Subscribe(ctx, r.uses)
		return nil
	})
	if err := mgr.Add(consume); err != nil {
		return nil, fmt.Errorf("adding the consumer of graphs: %w", err)
	}
	return r, nil
}

// control runs the controller.
func (r *Reconciler) control(mgr manager.Manager, c cache.Cache) error {
	several := true // engines of one process, in tests
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](step.ConflictTime, r.deps.Config.Resync)
	ctrl, err := controller.New("connection", mgr, controller.Options{
		Reconciler: r, MaxConcurrentReconciles: r.deps.Config.Workers, SkipNameValidation: &several, RateLimiter: limiter,
	})
	if err != nil {
		return fmt.Errorf("making the controller of Connections: %w", err)
	}
	for _, s := range r.sources(c) {
		if err := ctrl.Watch(s); err != nil {
			return fmt.Errorf("watching for the controller of Connections: %w", err)
		}
	}
	return nil
}

// remindAll asks for a look at every Connection; none of them asks its provider for that.
func (r *Reconciler) remindAll() {
	for _, name := range r.memories.names() {
		r.reminder.Now(name)
	}
}

// KindChanged is told of every kind of this cluster that appeared, changed or went: an API that was in conflict may be
// free now.
func (r *Reconciler) KindChanged(kind schema.GroupKind) {
	for _, name := range r.memories.names() {
		if r.hints.speaksOf(name, kind) {
			r.memories.markStale(name)
			r.reminder.Now(name)
		}
	}
}

// newCache holds Connections, bindings, the metadata of namespaces and of the Secrets of one namespace, and the definitions
// that Connections have installed.
func newCache(mgr manager.Manager, scheme *runtime.Scheme, secretsNamespace string) (cache.Cache, error) {
	labelled, err := labels.NewRequirement(v1alpha1.LabelConnection, selection.Exists, nil)
	if err != nil {
		return nil, fmt.Errorf("selecting definitions: %w", err)
	}
	c, err := cache.New(mgr.GetConfig(), cache.Options{
		HTTPClient: mgr.GetHTTPClient(), Scheme: scheme, DefaultTransform: cache.TransformStripManagedFields(),
		ByObject: map[client.Object]cache.ByObject{
			&apiextensionsv1.CustomResourceDefinition{}: {Label: labels.NewSelector().Add(*labelled)},
			newSecretMetadata():                         {Namespaces: map[string]cache.Config{secretsNamespace: {}}},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("making the cache of Connections: %w", err)
	}
	if err := mgr.Add(c); err != nil {
		return nil, fmt.Errorf("adding the cache of Connections: %w", err)
	}
	return c, nil
}

// sources tell which Connection to look at.
func (r *Reconciler) sources(c cache.Cache) []source.Source {
	wishes := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { return remind.IsWish(e.ObjectOld, e.ObjectNew) }}
	typed := predicate.TypedFuncs[*v1alpha1.Connection]{
		UpdateFunc: func(e event.TypedUpdateEvent[*v1alpha1.Connection]) bool {
			return remind.IsWish(e.ObjectOld, e.ObjectNew)
		},
	}
	clusterBindings := func(_ context.Context, o client.Object) []reconcile.Request {
		b, _ := o.(*v1alpha1.ClusterBinding)
		return requestFor(b.Spec.ConnectionRef.Name)
	}
	namespaced := func(_ context.Context, o client.Object) []reconcile.Request {
		b, _ := o.(*v1alpha1.Binding)
		return requestFor(b.Spec.ConnectionRef.Name)
	}
	definitions := func(_ context.Context, o client.Object) []reconcile.Request {
		return requestFor(o.GetLabels()[v1alpha1.LabelConnection])
	}
	return []source.Source{
		source.Kind(c, &v1alpha1.Connection{}, &handler.TypedEnqueueRequestForObject[*v1alpha1.Connection]{}, typed),
		source.Kind[client.Object](c, &v1alpha1.ClusterBinding{}, handler.EnqueueRequestsFromMapFunc(clusterBindings), wishes),
		source.Kind[client.Object](c, &v1alpha1.Binding{}, handler.EnqueueRequestsFromMapFunc(namespaced), wishes),
		source.Kind[client.Object](c, &apiextensionsv1.CustomResourceDefinition{}, handler.EnqueueRequestsFromMapFunc(definitions)),
		source.Kind[client.Object](c, newSecretMetadata(), handler.EnqueueRequestsFromMapFunc(r.usersOf)),
		source.Func(r.start),
	}
}

// start takes the queue, and has Secrets released that a Connection which went meanwhile has left held.
func (r *Reconciler) start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	if err := r.reminder.Start(ctx, queue); err != nil {
		return err
	}
	r.reminder.Now(noConnection)
	return nil
}

// noConnection is a name that no Connection has; a look at it finds it gone.
const noConnection = "-"

func requestFor(name string) []reconcile.Request {
	if name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Name: name}}}
}

// usersOf gives the Connections that use a Secret.
func (r *Reconciler) usersOf(ctx context.Context, secret client.Object) []reconcile.Request {
	list := &v1alpha1.ConnectionList{}
	if err := r.deps.cached.List(ctx, list); err != nil {
		r.deps.Log.Error(err, "Listing Connections for a Secret", "secret", secret.GetName())
		return nil
	}
	var out []reconcile.Request
	for _, conn := range list.Items {
		ref := conn.Spec.KubeconfigSecretRef
		if ref.Namespace == secret.GetNamespace() && ref.Name == secret.GetName() {
			out = append(out, requestFor(conn.Name)...)
		}
	}
	return out
}
