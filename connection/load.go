package connection

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// load reads the Connection and who refers to it. One that is gone leaves nothing behind.
func (r *Reconciler) load(ctx context.Context, p *pass) (step.Outcome, error) {
	conn := &v1alpha1.Connection{}
	err := r.deps.cached.Get(ctx, types.NamespacedName{Name: p.name}, conn)
	isGone := apierrors.IsNotFound(err) ||
		err == nil && conn.DeletionTimestamp != nil && !slices.Contains(conn.Finalizers, v1alpha1.FinalizerCleanup)
	if isGone {
		r.forget(p.name)
		return step.Stop(), r.releaseSecrets(ctx)
	}
	if err != nil {
		return step.Stop(), fmt.Errorf("reading Connection %q: %w", p.name, err)
	}
	p.conn, p.was = conn, *conn.Status.DeepCopy()
	p.memory, p.deleting = r.memories.of(conn), conn.DeletionTimestamp != nil
	p.exports, p.known = p.memory.exports, p.memory.known
	if p.bindings, err = r.references(ctx, p.name); err != nil {
		return step.Stop(), err
	}
	if conn.Annotations[v1alpha1.AnnotationReconcile] == v1alpha1.ReconcileSuspended && !p.deleting {
		p.say(v1alpha1.ConditionReady, "False", v1alpha1.ReasonSuspended,
			"nothing is done for this Connection, as its annotation "+v1alpha1.AnnotationReconcile+" asks")
		return step.Stop(), nil
	}
	return step.Next(), nil
}

// forget ends everything that runs for a Connection in this process.
func (r *Reconciler) forget(name string) {
	r.deps.Heartbeats.Stop(name)
	r.deps.Registry.Drop(name)
	r.memories.drop(name)
	r.hints.set(name, nil)
	r.deps.Metrics.forget(name)
}
