// Package remind puts names into the queue of a controller when something else than an object of its own kind asks for
// a look, and tells which events of its own objects ask for one. Reconcilers use it for what they hear of graphs, kinds
// and providers.
package remind

import (
	"context"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Queue is a source of a controller. Names that come before the controller has started are dropped: everything is looked
// at then anyway. The zero value is ready to use; safe for concurrent use.
type Queue struct {
	mu    sync.Mutex
	queue workqueue.TypedRateLimitingInterface[reconcile.Request]
}

// Start takes the controller's queue; it is a controller-runtime source.Func.
func (q *Queue) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = queue
	return nil
}

// Now asks for a look at an object without a namespace.
func (q *Queue) Now(name string) { q.After(name, 0) }

// After asks for one in a while.
func (q *Queue) After(name string, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.queue != nil {
		q.queue.AddAfter(reconcile.Request{NamespacedName: types.NamespacedName{Name: name}}, d)
	}
}

// IsWish tells whether an update is more than a status, so that a reconciler has to look.
func IsWish(old, now metav1.Object) bool {
	return old.GetGeneration() != now.GetGeneration() || old.GetUID() != now.GetUID() ||
		(old.GetDeletionTimestamp() == nil) != (now.GetDeletionTimestamp() == nil) ||
		len(old.GetFinalizers()) != len(now.GetFinalizers()) ||
		!labels.Equals(old.GetAnnotations(), now.GetAnnotations())
}
