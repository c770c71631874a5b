package dynamiccontroller

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
)

const (
	firstServedDelay = 20 * time.Millisecond
	lastServedDelay  = time.Second
)

func waitServed(ctx context.Context, resource dynamic.NamespaceableResourceInterface, namespace string) error {
	delay := firstServedDelay
	for {
		err := listOne(ctx, resource, namespace)
		if err == nil {
			return nil
		}
		if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
			return fmt.Errorf("listing the first instance: %w", err)
		}
		timer := time.NewTimer(delay)
		select {
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("waiting for the API server to list instances: %w", err)
		case <-timer.C:
		}
		delay = min(2*delay, lastServedDelay)
	}
}

func listOne(ctx context.Context, resource dynamic.NamespaceableResourceInterface, namespace string) error {
	options := metav1.ListOptions{Limit: 1}
	if namespace == "" {
		_, err := resource.List(ctx, options)
		return err
	}
	_, err := resource.Namespace(namespace).List(ctx, options)
	return err
}
