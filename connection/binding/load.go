package binding

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// load reads the binding. One that is gone, or that somebody has taken our finalizer off, is synced no more.
func (r *Reconciler) load(ctx context.Context, p *pass) (step.Outcome, error) {
	binding, err := r.read(ctx, p)
	isGone := apierrors.IsNotFound(err)
	if err != nil && !isGone {
		return step.Stop(), fmt.Errorf("reading it: %w", err)
	}
	if isGone || (binding.isDeleting() && !hasFinalizer(binding)) {
		r.known.forget(p.name)
		r.deps.Syncers.Set(p.key, nil, sync.Remote{})
		return step.Stop(), nil
	}
	p.binding = r.known.newest(p.name, binding)
	return step.Next(), nil
}

// read gives the binding as the cache has it. Before anything is done for one that this process does not know yet, the API
// server itself is asked: the first list may be old, and nobody would free objects of what a binding that is gone has begun with.
func (r *Reconciler) read(ctx context.Context, p *pass) (*subject, error) {
	binding, err := read(ctx, r.deps.cached, p.name)
	if err != nil || r.known.has(p.name, binding) {
		return binding, err
	}
	binding, err = read(ctx, r.deps.live, p.name)
	if err == nil {
		r.known.wrote(p.name, binding)
	}
	return binding, err
}

// claim puts the finalizer on the binding, before anything is done for it.
func (r *Reconciler) claim(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.binding.isDeleting() || hasFinalizer(p.binding) {
		return step.Next(), nil
	}
	changed := p.binding.copied()
	controllerutil.AddFinalizer(changed.object, v1alpha1.FinalizerCleanup)
	return step.Next(), r.patch(ctx, p, changed)
}

// release lets a binding go that has let go of everything.
func (r *Reconciler) release(ctx context.Context, p *pass) (step.Outcome, error) {
	if !p.binding.isDeleting() || len(p.apis)+len(p.related) > 0 {
		return step.Next(), nil
	}
	r.deps.Syncers.Set(p.key, nil, sync.Remote{})
	changed := p.binding.copied()
	controllerutil.RemoveFinalizer(changed.object, v1alpha1.FinalizerCleanup)
	return step.Stop(), client.IgnoreNotFound(r.patch(ctx, p, changed))
}

// patch writes metadata of just the state that was looked at.
func (r *Reconciler) patch(ctx context.Context, p *pass, changed *subject) error {
	before := p.binding.copied().object
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := r.deps.live.Patch(ctx, changed.object, patch, client.FieldOwner(v1alpha1.FieldManager)); err != nil {
		return fmt.Errorf("changing its finalizers: %w", err)
	}
	p.binding = r.known.wrote(p.name, changed)
	return nil
}

func hasFinalizer(b *subject) bool {
	return controllerutil.ContainsFinalizer(b.object, v1alpha1.FinalizerCleanup)
}
