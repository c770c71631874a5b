package main

import (
	"context"
	"errors"
	"time"

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
}

func newRig(ctx context.Context, program string, config cluster.Config) (*rig, error) {
	config.Audit = true
	in, err := world.Start(ctx, config)
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
	if err := w.until(ctx, "the group", w.isServed(ctx, applied[0].GetName())); err != nil {
		return err
	}
	return w.settle(ctx)
}

// isServed tells whether a group is ready.
func (w *rig) isServed(ctx context.Context, name string) func() (bool, error) {
	return func() (bool, error) {
		live, err := w.client.Resource(groups).Get(ctx, name, metav1.GetOptions{})
		return err == nil && world.IsReady(live), err
	}
}

func thing(kind, name, value string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "bench.plait.run/v1alpha1", "kind": kind,
		"metadata": map[string]any{"name": name, "namespace": namespace},
		"spec":     map[string]any{"value": value},
	}}
}
