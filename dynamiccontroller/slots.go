package dynamiccontroller

import (
	"context"

	"golang.org/x/sync/semaphore"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// slots is how many reconciles run at a time. Who asks first is served first, whatever its kind.
type slots struct {
	taken *semaphore.Weighted
	limit int // that one kind may have
}

func newSlots(n int) *slots {
	return &slots{taken: semaphore.NewWeighted(int64(n)), limit: max(1, n*3/4)}
}

// run calls a reconciler in a slot, as soon as one is free. It does nothing when ctx ends before.
func (s *slots) run(ctx context.Context, r reconcile.Reconciler, req reconcile.Request) (reconcile.Result, error) {
	if err := s.taken.Acquire(ctx, 1); err != nil { // the kind is being stopped, which is no fault of the instance
		return reconcile.Result{}, nil
	}
	defer s.taken.Release(1)
	return r.Reconcile(ctx, req)
}
