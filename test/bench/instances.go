package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// createAll creates instances prefix-0 …, as many at a time as the floor writes, and waits until all are ACTIVE: created one
// after the other, each would wait for the server that is busy with those before it, and the time be that of whoever creates.
func (w *rig) createAll(ctx context.Context, prefix string, n int) error {
	done := w.watchThings(ctx)
	defer done.stop()
	if err := inParallel(n, func(i int) error { return w.create(ctx, fmt.Sprintf("%s-%d", prefix, i)) }); err != nil {
		return err
	}
	return w.until(ctx, "ACTIVE instances", func() (bool, error) { return done.active(0) >= n, nil })
}

func (w *rig) create(ctx context.Context, name string) error {
	_, err := w.client.Resource(things).Namespace(namespace).Create(ctx, thing("Thing", name, "first"), metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("creating an instance: %w", err)
	}
	return nil
}

// changeAll changes the value of instances prefix-0 … at once and waits until all are ACTIVE at the new generation.
func (w *rig) changeAll(ctx context.Context, prefix string, n int) error {
	_, err := w.timeChange(ctx, prefix, n)
	return err
}

// timeChange is changeAll; it gives how long each took from its change until it was ACTIVE, in seconds.
func (w *rig) timeChange(ctx context.Context, prefix string, n int) ([]float64, error) {
	done := w.watchThings(ctx)
	defer done.stop()
	began := make([]time.Time, n)
	faults := make([]error, n)
	var running sync.WaitGroup
	for i := range n {
		running.Go(func() {
			began[i] = time.Now()
			name := fmt.Sprintf("%s-%d", prefix, i)
			patch := []byte(fmt.Sprintf(`{"spec":{"value":"changed %d"}}`, began[i].UnixNano()))
			_, faults[i] = w.client.Resource(things).Namespace(namespace).Patch(ctx, name, "application/merge-patch+json", patch, metav1.PatchOptions{})
		})
	}
	running.Wait()
	for _, err := range faults {
		if err != nil {
			return nil, fmt.Errorf("changing an instance: %w", err)
		}
	}
	err := w.until(ctx, "changed instances", func() (bool, error) { return done.active(2) >= n, nil })
	took := make([]float64, n)
	for i := range n {
		took[i] = done.since(fmt.Sprintf("%s-%d", prefix, i), began[i]).Seconds()
	}
	return took, err
}

// deleteAll deletes instances prefix-0 …, as many at a time as the floor writes, and waits until they are gone.
func (w *rig) deleteAll(ctx context.Context, prefix string, n int) error {
	done := w.watchThings(ctx)
	defer done.stop()
	at := w.client.Resource(things).Namespace(namespace)
	err := inParallel(n, func(i int) error {
		return at.Delete(ctx, fmt.Sprintf("%s-%d", prefix, i), metav1.DeleteOptions{})
	})
	if err != nil {
		return fmt.Errorf("deleting instances: %w", err)
	}
	return w.until(ctx, "deleted instances", func() (bool, error) {
		if done.gone() < n {
			return false, nil
		}
		_, err := at.Get(ctx, fmt.Sprintf("%s-%d", prefix, n-1), metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
}

// counted waits until the group tells of as many ready instances; it is written every ten seconds at most.
func (w *rig) counted(ctx context.Context, n int64) error {
	return w.until(ctx, "the group's count of instances", func() (bool, error) {
		live, err := w.client.Resource(groups).Get(ctx, "things", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		ready, _, _ := unstructured.NestedInt64(live.Object, "status", "instances", "ready")
		return ready >= n, nil
	})
}

// repairDrift changes a child and gives the time until it is as it was.
func (w *rig) repairDrift(ctx context.Context, name string) (time.Duration, error) {
	children := w.client.Resource(configMaps).Namespace(namespace)
	child, err := children.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return 0, fmt.Errorf("reading a child: %w", err)
	}
	want := valueOf(child)
	if err := unstructured.SetNestedField(child.Object, "drifted", "data", "value"); err != nil {
		return 0, fmt.Errorf("changing a child: %w", err)
	}
	began := time.Now()
	if _, err := children.Update(ctx, child, metav1.UpdateOptions{}); err != nil {
		return 0, fmt.Errorf("changing a child: %w", err)
	}
	err = w.until(ctx, "the repair", func() (bool, error) {
		live, err := children.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		return valueOf(live) == want, nil
	})
	return time.Since(began), err
}

// valueOf gives what a ConfigMap of ours holds.
func valueOf(child *unstructured.Unstructured) string {
	value, _, _ := unstructured.NestedString(child.Object, "data", "value")
	return value
}
