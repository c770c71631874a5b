package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/test/world"
)

// compileBudget is for a group of so many nodes; larger ones may take as much longer as they are larger, and half as much
// again.
const (
	compileBudget = 0.5 // seconds
	compileNodes  = 500
)

// compileGroups measures how long it takes from applying a group until its kind is served.
func compileGroups(ctx context.Context, w *rig, size scale) ([]Row, error) {
	if _, err := w.timeGroup(ctx, "first", 1); err != nil {
		return nil, err
	}
	var rows []Row
	var base float64
	for i, n := range size.nodes {
		times := make([]float64, size.repeats)
		for try := range times {
			took, err := w.timeGroup(ctx, fmt.Sprintf("compiled%dx%d", n, try), n)
			if err != nil {
				return rows, err
			}
			times[try] = took.Seconds()
		}
		took := middle(times)
		if i == 0 {
			base = took
			budget := compileBudget * max(1, float64(n)/compileNodes)
			rows = append(rows, Row{What: fmt.Sprintf("a group of %d nodes until its kind is served", n), Unit: "s", Bound: AtMost, Budget: budget, Ours: took})
			continue
		}
		growth := float64(n) / float64(size.nodes[0])
		rows = append(rows, multiple(fmt.Sprintf("a group of %d nodes, over one of %d", n, size.nodes[0]), 1.5*growth, took, base, "s"))
	}
	return rows, nil
}

// timeGroup applies a chain of n nodes as a group and a kind of their own, and waits until the kind is served.
func (w *rig) timeGroup(ctx context.Context, name string, n int) (time.Duration, error) {
	text := strings.NewReplacer("name: things", "name: "+name, "kind: Thing", "kind: "+strings.ToUpper(name[:1])+name[1:]).Replace(chain(n))
	objects, err := world.Read([]byte(text))
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if _, err := w.client.Resource(groups).Create(ctx, objects[0], metav1.CreateOptions{}); err != nil {
		return 0, fmt.Errorf("creating a group of %d nodes: %w", n, err)
	}
	err = w.until(ctx, "the kind of a group", w.isServed(ctx, name))
	return time.Since(began), err
}
