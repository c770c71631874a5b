package cluster

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// NodeName is the name of the one node of a cluster with pods.
const NodeName = "simulated"

// Annotations of a pod, with any value, that change what becomes of it in a
// cluster with Config.Pods. Without them a pod is ready as soon as it is
// scheduled, and succeeds at once when a Job owns it.
const (
	// HoldAnnotation keeps the pod pending on its node.
	HoldAnnotation = "simulate.plait.run/hold"
	// FailAnnotation makes the pod fail with exit status 1 instead of being
	// ready.
	FailAnnotation = "simulate.plait.run/fail"
)

var (
	//go:embed config/stages.yaml
	stages []byte
	//go:embed config/audit-policy.yaml
	auditPolicy []byte
)

// writeConfigs writes the files that components read, which go with the program
// and not with the folder.
func (c *Cluster) writeConfigs() error {
	for path, data := range map[string][]byte{
		c.folder.in("stages.yaml"):       stages,
		c.folder.in("audit-policy.yaml"): auditPolicy,
	} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return fmt.Errorf("writing %q: %w", path, err)
		}
	}
	return nil
}

// newClient returns a client for the few kinds that this package handles.
func newClient(config *rest.Config) (client.Client, error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), coordinationv1.AddToScheme(scheme)); err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	out, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return out, nil
}

// addNode makes sure that there is a node, without the lease of an earlier kwok,
// which a new one would wait for to expire. kwok gives the node its capacity:
// more of everything than is ever asked for.
func (c *Cluster) addNode(ctx context.Context) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: NodeName,
		Labels: map[string]string{
			corev1.LabelHostname:   NodeName,
			corev1.LabelOSStable:   "linux",
			corev1.LabelArchStable: "amd64",
		},
	}}
	if err := c.client.Create(ctx, node); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("adding the node: %w", err)
	}
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: corev1.NamespaceNodeLease, Name: NodeName}}
	if err := c.client.Delete(ctx, lease); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("adding the node: removing its old lease: %w", err)
	}
	return nil
}

// waitForNode waits until pods can be scheduled and kwok is at work: the node is
// ready, has lost its taint, and its lease is younger than kwok.
func (c *Cluster) waitForNode(ctx context.Context, p *process) error {
	return p.waitFor(ctx, func(ctx context.Context) error {
		node := &corev1.Node{}
		if err := c.client.Get(ctx, client.ObjectKey{Name: NodeName}, node); err != nil {
			return err
		}
		if !isReady(node) || len(node.Spec.Taints) > 0 {
			return fmt.Errorf("node %q is not ready, or tainted: %v", NodeName, node.Spec.Taints)
		}
		lease := &coordinationv1.Lease{}
		if err := c.client.Get(ctx, client.ObjectKey{Namespace: corev1.NamespaceNodeLease, Name: NodeName}, lease); err != nil {
			return err
		}
		if lease.Spec.RenewTime == nil || lease.Spec.RenewTime.Time.Before(p.begun) {
			return fmt.Errorf("node %q has no new lease", NodeName)
		}
		return nil
	})
}

func isReady(node *corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
