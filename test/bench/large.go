package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

const largeNodes = 100

// changeLarge measures a change that reaches one of a hundred nodes, and events of one child.
func changeLarge(ctx context.Context, w *rig, size scale) ([]Row, error) {
	if err := w.serve(ctx, oneOf(largeNodes)); err != nil {
		return nil, err
	}
	if err := w.createAll(ctx, "big", 1); err != nil {
		return nil, err
	}
	if err := w.noteChild(ctx, read, 0); err != nil {
		return nil, err
	}
	if err := w.settle(ctx); err != nil {
		return nil, err
	}
	var rows []Row
	changed, err := w.count(ctx, func() error {
		_, err := w.client.Resource(configMaps).Namespace(namespace).Patch(ctx, "big-0-n99", types.MergePatchType,
			[]byte(`{"data":{"value":"drifted"}}`), metav1.PatchOptions{})
		return err
	})
	if err != nil {
		return nil, err
	}
	rows = append(rows, requests("a drift of 1 of 100 nodes", AtMost, 2, changed))
	changed, err = w.count(ctx, func() error { return w.changeAll(ctx, "big", 1) })
	if err != nil {
		return nil, err
	}
	rows = append(rows, requests("a change that reaches 1 of 100 nodes", AtMost, 2, changed))
	for _, event := range []struct{ what, annotation string }{
		{"an event that no expression reads", "beside"}, {"an event that an expression reads", read},
	} {
		used, decoding, err := w.timeEvents(ctx, event.annotation, size.events)
		if err != nil {
			return rows, err
		}
		rows = append(rows, processorTime(event.what+", on a 100-node instance", 3, used, decoding))
		if annotation := event.annotation; annotation != read && size.informer {
			least, err := w.timeInformer(ctx, size.events)
			if err != nil {
				return rows, err
			}
			rows = append(rows, Row{
				What: "the same event in a program that only has an informer: processor time", Unit: "x floor",
				Ours: least / decoding, Floor: decoding, Of: "ms",
			})
		}
	}
	return rows, nil
}

// read is the annotation of a child that an expression reads; any value of it gives the same.
const read = "noted"

// noteOften has somebody write an annotation of a child several times, and waits until the engine is at rest.
func (w *rig) noteOften(ctx context.Context, annotation string, times int) error {
	for n := range times {
		if err := w.noteChild(ctx, annotation, n+1); err != nil {
			return err
		}
	}
	return w.settle(ctx)
}

// noteChild has somebody write an annotation of a child.
func (w *rig) noteChild(ctx context.Context, annotation string, n int) error {
	patch := fmt.Sprintf(`{"metadata":{"annotations":{%q:"%d"}}}`, annotation, n+1)
	_, err := w.client.Resource(configMaps).Namespace(namespace).Patch(ctx, "big-0-n0", types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("annotating a child: %w", err)
	}
	return nil
}

// timeEvents gives the engine's processor time for one event of a child, and what client-go needs to decode that event, in
// milliseconds.
func (w *rig) timeEvents(ctx context.Context, annotation string, events int) (used, decoding float64, err error) {
	_, used, err = w.timed(func() error { return w.noteOften(ctx, annotation, events) })
	if err != nil {
		return 0, 0, err
	}
	child, err := w.client.Resource(configMaps).Namespace(namespace).Get(ctx, "big-0-n0", metav1.GetOptions{})
	if err != nil {
		return 0, 0, fmt.Errorf("reading a child: %w", err)
	}
	took, err := timeDecoding(child, events)
	each := 1000 / float64(events)
	return used * each, took.Seconds() * each, err
}

// timeDecoding gives the processor time of decoding an object of a watch several times.
func timeDecoding(object *unstructured.Unstructured, times int) (time.Duration, error) {
	inner, err := json.Marshal(object)
	if err != nil {
		return 0, fmt.Errorf("encoding a child: %w", err)
	}
	event, err := json.Marshal(metav1.WatchEvent{Type: "MODIFIED", Object: runtime.RawExtension{Raw: inner}})
	if err != nil {
		return 0, fmt.Errorf("encoding an event: %w", err)
	}
	info := dynamic.ConfigFor(&rest.Config{}).NegotiatedSerializer.SupportedMediaTypes()[0]
	used := ownCPU()
	for range times {
		var got metav1.WatchEvent
		if _, _, err := info.StreamSerializer.Decode(event, nil, &got); err != nil {
			return 0, fmt.Errorf("decoding an event: %w", err)
		}
		if _, _, err := info.Serializer.Decode(got.Object.Raw, nil, nil); err != nil {
			return 0, fmt.Errorf("decoding a child: %w", err)
		}
	}
	return ownCPU() - used, nil
}
