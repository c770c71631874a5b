package instance

import (
	"context"
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Reconciler gives the controller in the form that controller-runtime calls.
func (c *Controller) Reconciler() reconcile.Reconciler {
	return reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		err := c.Reconcile(ctx, request)
		var later *Later
		if errors.As(err, &later) {
			return reconcile.Result{RequeueAfter: later.After}, nil
		}
		return reconcile.Result{}, err
	})
}
