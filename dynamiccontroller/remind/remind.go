// Package remind puts names into the queue of a controller when something else than an object of its own kind asks for
// a look. Reconcilers use it for what they hear of graphs, kinds and providers.
package remind

import (
	"context"
	"sync"
	"time"

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
