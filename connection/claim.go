package connection

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// claim puts the finalizer on the Connection and on its Secret before anything is made for them. The event of the first
// goes on.
func (r *Reconciler) claim(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.deleting {
		return step.Next(), nil
	}
	added, err := r.hold(ctx, p.conn.DeepCopy())
	if err != nil {
		return step.Stop(), fmt.Errorf("putting the finalizer on Connection %q: %w", p.name, err)
	}
	if added {
		p.conn = nil
		return step.Stop(), nil
	}
	secret, ok, err := r.secretOf(ctx, p.conn)
	if err != nil || !ok || secret.DeletionTimestamp != nil {
		return step.Next(), err
	}
	if _, err := r.hold(ctx, secret); client.IgnoreNotFound(err) != nil {
		return step.Stop(), fmt.Errorf("putting the finalizer on Secret %q: %w", secret.Namespace+"/"+secret.Name, err)
	}
	return step.Next(), nil
}

// hold puts our finalizer on an object, which it changes, unless it is there.
func (r *Reconciler) hold(ctx context.Context, object client.Object) (added bool, err error) {
	before, _ := object.DeepCopyObject().(client.Object)
	if !controllerutil.AddFinalizer(object, v1alpha1.FinalizerCleanup) {
		return false, nil
	}
	return true, r.patch(ctx, object, before)
}

// letGo takes our finalizer off an object, which it changes.
func (r *Reconciler) letGo(ctx context.Context, object client.Object) error {
	before, _ := object.DeepCopyObject().(client.Object)
	if !controllerutil.RemoveFinalizer(object, v1alpha1.FinalizerCleanup) {
		return nil
	}
	return client.IgnoreNotFound(r.patch(ctx, object, before))
}

func (r *Reconciler) patch(ctx context.Context, object, before client.Object) error {
	change := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	return r.deps.live.Patch(ctx, object, change, client.FieldOwner(v1alpha1.FieldManager))
}

// secretOf gives the metadata of a Connection's Secret, from the cache; ok is false when there is none, or it is where no
// Secret is read.
func (r *Reconciler) secretOf(ctx context.Context, conn *v1alpha1.Connection) (secret *metav1.PartialObjectMetadata, ok bool, err error) {
	ref := conn.Spec.KubeconfigSecretRef
	if ref.Namespace != r.deps.Config.SecretsNamespace {
		return nil, false, nil
	}
	secret = newSecretMetadata()
	err = r.deps.cached.Get(ctx, types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}, secret)
	if apierrors.IsNotFound(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading the metadata of Secret %q: %w", ref.Namespace+"/"+ref.Name, err)
	}
	return secret, true, nil
}

func newSecretMetadata() *metav1.PartialObjectMetadata {
	secret := &metav1.PartialObjectMetadata{}
	secret.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Secret"))
	return secret
}
