package connection

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/remote"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// release lets a drained Connection go: its Lease first, then the Secret, the Connection last.
func (r *Reconciler) release(ctx context.Context, p *pass) (step.Outcome, error) {
	if !p.deleting {
		return step.Next(), nil
	}
	if err := r.releaseLease(ctx, p); err != nil {
		p.say(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonReleasingObjects, fmt.Sprintf(
			"it is being deleted, and its Lease on the provider is left: %s; set spec.abandon if the provider is gone for good", err))
		return step.StopFor(r.failed(p)), nil
	}
	if err := r.releaseSecret(ctx, p.conn); err != nil {
		return step.Stop(), err
	}
	if err := r.letGo(ctx, p.conn.DeepCopy()); err != nil {
		return step.Stop(), fmt.Errorf("taking the finalizer off Connection %q: %w", p.name, err)
	}
	r.forget(p.name)
	p.conn = nil
	return step.Stop(), nil
}

// releaseLease deletes the Lease where there may be one. What the provider does not allow is left to expire.
func (r *Reconciler) releaseLease(ctx context.Context, p *pass) error {
	if p.was.LocalClusterUID == "" || p.conn.Spec.Abandon {
		return nil
	}
	last, _ := r.deps.Heartbeats.Last(p.name)
	wasKept := p.was.LastHeartbeatTime != nil || !last.IsZero()
	err := r.deps.Heartbeats.Release(ctx, beatOf(p))
	var denied *remote.DeniedError
	if !wasKept || errors.As(err, &denied) {
		return nil
	}
	return err
}

// releaseSecret takes our finalizer off a Connection's Secret unless another Connection that is still there uses it. The
// list is live: a cache may not know the other one yet.
func (r *Reconciler) releaseSecret(ctx context.Context, conn *v1alpha1.Connection) error {
	secret, ok, err := r.secretOf(ctx, conn)
	if err != nil || !ok {
		return err
	}
	used, err := r.usedSecrets(ctx, conn.UID)
	if err != nil || used[secret.Name] {
		return err
	}
	if err := r.letGo(ctx, secret); err != nil {
		return fmt.Errorf("taking the finalizer off Secret %q: %w", secret.Namespace+"/"+secret.Name, err)
	}
	return nil
}

// releaseSecrets takes our finalizer off every Secret that no Connection names, so that none is held by one that is gone.
func (r *Reconciler) releaseSecrets(ctx context.Context) error {
	secrets := &metav1.PartialObjectMetadataList{}
	secrets.SetGroupVersionKind(newSecretMetadata().GroupVersionKind())
	if err := r.deps.cached.List(ctx, secrets, client.InNamespace(r.deps.Config.SecretsNamespace)); err != nil {
		return fmt.Errorf("listing the metadata of Secrets: %w", err)
	}
	held := slices.DeleteFunc(secrets.Items, func(s metav1.PartialObjectMetadata) bool {
		return !slices.Contains(s.Finalizers, v1alpha1.FinalizerCleanup)
	})
	if len(held) == 0 {
		return nil
	}
	used, err := r.usedSecrets(ctx, "")
	if err != nil {
		return err
	}
	for i := range held {
		held[i].SetGroupVersionKind(newSecretMetadata().GroupVersionKind())
		if used[held[i].Name] {
			continue
		}
		if err := r.letGo(ctx, &held[i]); err != nil && !apierrors.IsConflict(err) {
			return fmt.Errorf("taking the finalizer off Secret %q: %w", held[i].Namespace+"/"+held[i].Name, err)
		}
	}
	return nil
}

// usedSecrets names the Secrets that existing Connections use, but for one of them. Those that are being deleted count:
// they may still be draining.
func (r *Reconciler) usedSecrets(ctx context.Context, except types.UID) (map[string]bool, error) {
	list := &v1alpha1.ConnectionList{}
	if err := r.deps.live.List(ctx, list); err != nil {
		return nil, fmt.Errorf("listing Connections: %w", err)
	}
	used := map[string]bool{}
	for _, conn := range list.Items {
		if conn.UID != except && conn.Spec.KubeconfigSecretRef.Namespace == r.deps.Config.SecretsNamespace {
			used[conn.Spec.KubeconfigSecretRef.Name] = true
		}
	}
	return used, nil
}
