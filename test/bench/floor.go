package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
)

// floorWriters is how many writes plain client-go has under way at once.
const floorWriters = 20

// floor is what plain client-go takes to apply instances × children ConfigMaps, with an informer on them, until the
// informer has seen the last one: the time, and the processor time of this process. They are deleted again.
func (w *rig) floor(ctx context.Context, instances, children int) (took, cpu time.Duration, err error) {
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(w.client, 0, namespace, func(o *metav1.ListOptions) {
		o.LabelSelector = "bench=floor"
	})
	informer := factory.ForResource(configMaps).Informer()
	informerCtx, cancel := context.WithCancel(ctx)
	defer factory.Shutdown()
	defer cancel()
	factory.Start(informerCtx.Done())
	if !cache.WaitForCacheSync(informerCtx.Done(), informer.HasSynced) {
		return 0, 0, fmt.Errorf("the informer did not sync")
	}
	began, used := time.Now(), ownCPU()
	if err := w.applyFloor(ctx, instances*children); err != nil {
		return 0, 0, err
	}
	err = w.until(ctx, "the informer of the floor", func() (bool, error) {
		return len(informer.GetStore().ListKeys()) >= instances*children, nil
	})
	took, cpu = time.Since(began), ownCPU()-used
	if err != nil {
		return took, cpu, err
	}
	return took, cpu, w.client.Resource(configMaps).Namespace(namespace).DeleteCollection(ctx, metav1.DeleteOptions{},
		metav1.ListOptions{LabelSelector: "bench=floor"})
}

func (w *rig) applyFloor(ctx context.Context, n int) error {
	names := make(chan string)
	faults := make(chan error, floorWriters)
	var writers sync.WaitGroup
	for range floorWriters {
		writers.Go(func() {
			for name := range names {
				if err := w.applyOne(ctx, name); err != nil {
					faults <- err
					return
				}
			}
		})
	}
	err := feed(names, faults, n)
	close(names)
	writers.Wait()
	return err
}

func feed(names chan<- string, faults <-chan error, n int) error {
	for i := range n {
		select {
		case err := <-faults:
			return err
		case names <- fmt.Sprintf("floor-%d", i):
		}
	}
	return nil
}

func (w *rig) applyOne(ctx context.Context, name string) error {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": name, "namespace": namespace, "labels": map[string]any{"bench": "floor"}},
		"data":     map[string]any{"value": "first"},
	}}
	_, err := w.client.Resource(configMaps).Namespace(namespace).Apply(ctx, name, object, metav1.ApplyOptions{FieldManager: "bench"})
	if err != nil {
		return fmt.Errorf("applying a ConfigMap: %w", err)
	}
	return nil
}
