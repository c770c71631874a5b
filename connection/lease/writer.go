package lease

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/remote"
)

// writer writes one Lease on one provider.
type writer struct {
	provider *remote.Provider
	client   kubernetes.Interface
	duration time.Duration
	known    *coordinationv1.Lease // as it was last written; nil: not read yet
}

// newWriter makes connections of its own, with no limit of their rate: a flood of other calls must hold up no heartbeat.
func newWriter(provider *remote.Provider, duration time.Duration) (*writer, error) {
	config := rest.CopyConfig(provider.Config)
	config.QPS, config.RateLimiter = -1, nil
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making the client for the heartbeat to %q: %w", provider.Host, err)
	}
	return &writer{provider: provider, client: client, duration: duration}, nil
}

// renew is one request where the Lease is as it was left.
func (w *writer) renew(ctx context.Context, b Beat, now time.Time) error {
	leases := w.client.CoordinationV1().Leases(b.Namespace)
	if w.known == nil {
		found, err := leases.Get(ctx, b.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return w.create(ctx, b, now)
		}
		if err != nil {
			return remote.Classify(err, "get", "leases.coordination.k8s.io")
		}
		w.known = found
	}
	next := w.known.DeepCopy()
	holder, seconds, at := string(b.Holder), int32(w.duration/time.Second), metav1.NewMicroTime(now)
	next.Spec.HolderIdentity, next.Spec.LeaseDurationSeconds, next.Spec.RenewTime = &holder, &seconds, &at
	answer, err := leases.Update(ctx, next, metav1.UpdateOptions{FieldManager: v1alpha1.FieldManager})
	if err != nil {
		w.known = nil // it is not what we left any more
		return remote.Classify(err, "update", "leases.coordination.k8s.io")
	}
	w.known = answer
	return nil
}

// create makes the Lease, and its namespace where that is missing and may be made.
func (w *writer) create(ctx context.Context, b Beat, now time.Time) error {
	holder, seconds, at := string(b.Holder), int32(w.duration/time.Second), metav1.NewMicroTime(now)
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Name: b.Name, Namespace: b.Namespace,
			Labels: map[string]string{v1alpha1.LabelManaged: v1alpha1.True, v1alpha1.LabelConsumerClusterUID: holder},
		},
		Spec: coordinationv1.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: &seconds, AcquireTime: &at, RenewTime: &at},
	}
	options := metav1.CreateOptions{FieldManager: v1alpha1.FieldManager}
	answer, err := w.client.CoordinationV1().Leases(b.Namespace).Create(ctx, lease, options)
	if apierrors.IsNotFound(err) {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: b.Namespace, Labels: map[string]string{v1alpha1.LabelManaged: v1alpha1.True}}}
		if _, denied := w.client.CoreV1().Namespaces().Create(ctx, namespace, options); denied != nil && !apierrors.IsAlreadyExists(denied) {
			return fmt.Errorf("the namespace %q does not exist, and making it fails: %w", b.Namespace, denied)
		}
		answer, err = w.client.CoordinationV1().Leases(b.Namespace).Create(ctx, lease, options)
	}
	if err != nil {
		return remote.Classify(err, "create", "leases.coordination.k8s.io")
	}
	w.known = answer
	return nil
}

// remove deletes the Lease if this cluster holds it.
func (w *writer) remove(ctx context.Context, b Beat) error {
	leases := w.client.CoordinationV1().Leases(b.Namespace)
	found, err := leases.Get(ctx, b.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return remote.Classify(err, "get", "leases.coordination.k8s.io")
	}
	if found.Spec.HolderIdentity == nil || *found.Spec.HolderIdentity != string(b.Holder) {
		return nil
	}
	err = leases.Delete(ctx, b.Name, metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(found.UID))})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return remote.Classify(err, "delete", "leases.coordination.k8s.io")
}
