package instance

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Reconciler gives the controller in the form that controller-runtime and dynamiccontroller call.
func (c *Controller) Reconciler() reconcile.Reconciler { return reconciler{c} }

type reconciler struct{ c *Controller }

// Reconcile is part of reconcile.Reconciler.
func (r reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	err := r.c.Reconcile(ctx, request)
	var later *Later
	if errors.As(err, &later) {
		return reconcile.Result{RequeueAfter: later.After}, nil
	}
	return reconcile.Result{}, err
}

// IsRelevant is part of dynamiccontroller.Judge.
func (r reconciler) IsRelevant(key types.NamespacedName, old, now *unstructured.Unstructured) bool {
	return isRelevant(r.c.memories.graph(key), old, now)
}
