package engine

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// prepareNamespace sees that the namespace of the leader's lease exists: with InstallCRDs it is made, else its lack ends
// the start, which would wait for the lease for ever.
func (e *Engine) prepareNamespace(ctx context.Context) error {
	if !e.options.LeaderElect {
		return nil
	}
	name := e.options.leaseNamespace()
	client, err := kubernetes.NewForConfig(e.config)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	if e.options.InstallCRDs {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		_, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
		if err == nil || apierrors.IsAlreadyExists(err) {
			return nil
		}
	}
	_, err = client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("the namespace %q for the lease of the leader does not exist: create it, name another one with "+
			"--leader-election-namespace, or start with --leader-elect=false", name)
	}
	return nil // without the right to look, the lease itself will tell
}

// leaseNamespace is where the leader's lease is.
func (o *Options) leaseNamespace() string {
	if o.LeaderNamespace != "" {
		return o.LeaderNamespace
	}
	return o.Namespace
}
