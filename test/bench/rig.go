package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

const (
	namespace = "default"
	quiet     = time.Second // without a request of the engine: settled
)

var (
	groups     = schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegroups"}
	things     = schema.GroupVersionResource{Group: "bench.plait.run", Version: "v1alpha1", Resource: "things"}
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
)

// rig is a world with an engine in a process of its own.
type rig struct {
	*world.World
	engine *world.Process
	client dynamic.Interface
	took   time.Duration // of the last timed step, without the wait for quiet
}

func newRig(ctx context.Context, program string) (*rig, error) {
	in, err := world.Start(ctx, cluster.Config{Audit: true})
	if err != nil {
		return nil, err
	}
	w := &rig{World: in, client: in.Client}
	if err := w.start(ctx, program); err != nil {
		return nil, errors.Join(err, w.stop())
	}
	return w, nil
}

func (w *rig) start(ctx context.Context, program string) (err error) {
	if w.engine, err = w.NewProcess(program); err != nil {
		return err
	}
	if err := w.engine.Start(); err != nil {
		return err
	}
	return w.until(ctx, "the engine's own API", func() (bool, error) {
		_, err := w.client.Resource(groups).List(ctx, metav1.ListOptions{})
		return err == nil, nil
	})
}

// stop ends the engine, which has to end well, and its world.
func (w *rig) stop() error {
	var err error
	if w.engine != nil {
		err = w.engine.Stop()
	}
	return errors.Join(err, w.Stop())
}

// until waits for a condition, and fails when it cannot be told, or when the engine ends or patience does.
func (w *rig) until(ctx context.Context, what string, holds func() (bool, error)) error {
	return world.Until(ctx, what, func() error {
		ok, err := holds()
		switch died := w.engine.Died(); {
		case err != nil || died != nil:
			return world.Final(errors.Join(err, died))
		case !ok:
			return errors.New("it does not hold")
		}
		return nil
	})
}

// serve applies a ResourceGroup and waits until it is ready.
func (w *rig) serve(ctx context.Context, text string) error {
	applied, err := w.Apply(ctx, namespace, text)
	if err != nil {
		return err
	}
	err = w.until(ctx, "the group", func() (bool, error) {
		live, err := w.client.Resource(groups).Get(ctx, applied[0].GetName(), metav1.GetOptions{})
		return err == nil && world.IsReady(live), err
	})
	if err != nil {
		return err
	}
	return w.settle(ctx)
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

func thing(name, value string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "bench.plait.run/v1alpha1", "kind": "Thing",
		"metadata": map[string]any{"name": name, "namespace": namespace},
		"spec":     map[string]any{"value": value},
	}}
}

// createAll creates instances prefix-0 … and waits until all are ACTIVE.
func (w *rig) createAll(ctx context.Context, prefix string, n int) error {
	done := w.watchThings(ctx)
	defer done.stop()
	for i := range n {
		if _, err := w.client.Resource(things).Namespace(namespace).Create(ctx, thing(fmt.Sprintf("%s-%d", prefix, i), "first"), metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating an instance: %w", err)
		}
	}
	return w.until(ctx, "ACTIVE instances", func() (bool, error) { return done.active() >= n, nil })
}

// changeAndWait changes the value of an instance and waits until it is ACTIVE at the new generation.
func (w *rig) changeAndWait(ctx context.Context, name, value string) error {
	changed, err := w.client.Resource(things).Namespace(namespace).Apply(ctx, name, thing(name, value), metav1.ApplyOptions{FieldManager: "bench", Force: true})
	if err != nil {
		return fmt.Errorf("changing an instance: %w", err)
	}
	return w.until(ctx, "the changed instance", func() (bool, error) {
		live, err := w.client.Resource(things).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
		return err == nil && live.GetGeneration() == changed.GetGeneration() && world.IsReady(live), err
	})
}

// deleteAll deletes instances prefix-0 … and waits until they are gone.
func (w *rig) deleteAll(ctx context.Context, prefix string, n int) error {
	done := w.watchThings(ctx)
	defer done.stop()
	for i := range n {
		if err := w.client.Resource(things).Namespace(namespace).Delete(ctx, fmt.Sprintf("%s-%d", prefix, i), metav1.DeleteOptions{}); err != nil {
			return fmt.Errorf("deleting an instance: %w", err)
		}
	}
	return w.until(ctx, "deleted instances", func() (bool, error) {
		if done.gone() < n {
			return false, nil
		}
		_, err := w.client.Resource(things).Namespace(namespace).Get(ctx, fmt.Sprintf("%s-%d", prefix, n-1), metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
}

// repairDrift changes a child and gives the time until it is as it was.
func (w *rig) repairDrift(ctx context.Context, name string) (time.Duration, error) {
	children := w.client.Resource(configMaps).Namespace(namespace)
	child, err := children.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return 0, fmt.Errorf("reading a child: %w", err)
	}
	want, _, _ := unstructured.NestedString(child.Object, "data", "value")
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
		value, _, _ := unstructured.NestedString(live.Object, "data", "value")
		return value == want, nil
	})
	return time.Since(began), err
}
