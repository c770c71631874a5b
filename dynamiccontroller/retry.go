package dynamiccontroller

import (
	"math/rand/v2"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// jittered spreads the delays of another limiter between half of them and all, so that what failed together does not
// come back together.
type jittered struct {
	workqueue.TypedRateLimiter[reconcile.Request]
}

func newRetries(first, last time.Duration) workqueue.TypedRateLimiter[reconcile.Request] {
	return jittered{workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](first, last)}
}

// When gives the delay before the next attempt.
func (j jittered) When(item reconcile.Request) time.Duration {
	d := j.TypedRateLimiter.When(item)
	return d/2 + rand.N(d/2+1)
}
