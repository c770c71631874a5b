package remind

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Object asks for a look at an object, which may have a namespace, in a while.
func (q *Queue) Object(name types.NamespacedName, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.queue != nil {
		q.queue.AddAfter(reconcile.Request{NamespacedName: name}, d)
	}
}
