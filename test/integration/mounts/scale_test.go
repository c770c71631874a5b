package mounts_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

const (
	scaleKinds   = 50
	scaleSamples = 100 // changes whose latency is measured
)

// scaleSize is the number of Workspaces: PLAIT_MOUNTS_SCALE, which `make bench` sets to 10000.
func scaleSize(t *testing.T) int {
	t.Helper()
	text := os.Getenv("PLAIT_MOUNTS_SCALE")
	if text == "" {
		return 2000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < scaleKinds {
		t.Fatalf("PLAIT_MOUNTS_SCALE is %q, which is no number of at least %d", text, scaleKinds)
	}
	return n
}

func scaleKind(i int) string { return fmt.Sprintf("Scale%d", i%scaleKinds) }

func scaleResource(i int) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "infra.example.com", Version: "v1", Resource: fmt.Sprintf("scale%ds", i%scaleKinds)}
}

// TestScale has many Workspaces on objects of 50 kinds. It measures, from the audit time of the write of a mount object's
// status to that of its Workspace's, and counts what is asked for.
func TestScale(t *testing.T) {
	withoutEngine(t)
	w := world.New(t, cluster.Config{Audit: true})
	s := &scene{Space: w.Space(t, "scale"), t: t, api: plait}
	engine := w.RunEngine(t)
	n := scaleSize(t)
	atOnce(t, scaleKinds, func(ctx context.Context, i int) error {
		_, err := w.Apply(ctx, "", strings.Replace(definition(scaleKind(i)), "subresources: {status: {}}", "", 1))
		return err
	})
	for i := range scaleKinds {
		world.Eventually(t, "a kind is not served", func() error {
			_, err := w.Client.Resource(scaleResource(i)).List(context.Background(), metav1.ListOptions{})
			return err
		})
	}
	atOnce(t, n, func(ctx context.Context, i int) error { return makeMount(ctx, w.Client, i) })
	up := 0
	world.Eventually(t, "not every Workspace is ready", func() error { // one after the other: lists of all would take the time
		for ; up < n; up++ {
			u, err := w.Client.Resource(workspaces).Get(context.Background(), fmt.Sprintf("m-%d", up), metav1.GetOptions{})
			if err != nil {
				return err
			}
			if told(u) != isUp {
				return fmt.Errorf("%d of %d are", up, n)
			}
		}
		return nil
	})
	ledger := w.NewLedger(t)
	if err := world.Wait(t.Context(), 5*time.Second); err != nil {
		t.Fatal(err)
	}
	if got := ledger.Take(); len(got) > 0 {
		t.Errorf("at rest the engine asks for %q", got)
	}
	measureLatency(t, s, n)
	if got := len(ledger.Take()); got != scaleSamples {
		t.Errorf("%d changes take %d requests", scaleSamples, got)
	}
	engine.MustStop(t)
	restarted, err := w.LedgerFor(2 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	w.RunEngine(t)
	asked, err := restarted.Settle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for call, times := range world.Count(asked) {
		if strings.HasPrefix(call, "patch workspaces") {
			t.Errorf("after a restart: %s, %d times", call, times)
		}
	}
}

// atOnce does something n times, 20 at a time.
func atOnce(t *testing.T, n int, do func(context.Context, int) error) {
	t.Helper()
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(20)
	for i := range n {
		group.Go(func() error { return do(ctx, i) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

func makeMount(ctx context.Context, client dynamic.Interface, i int) error {
	name := fmt.Sprintf("m-%d", i)
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "infra.example.com/v1", "kind": scaleKind(i), "metadata": map[string]any{"name": name},
		"status": map[string]any{"phase": "Ready", "URL": first},
	}}
	at := client.Resource(scaleResource(i)).Namespace("scale")
	if _, err := at.Create(ctx, object, metav1.CreateOptions{}); err != nil { // its kind has no subresource for the status
		return err
	}
	ref := map[string]any{"apiVersion": "infra.example.com/v1", "kind": scaleKind(i), "name": name, "namespace": "scale"}
	workspace := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "plait.run/v1alpha1", "kind": "Workspace", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"mount": map[string]any{"ref": ref}},
	}}
	_, err := client.Resource(workspaces).Create(ctx, workspace, metav1.CreateOptions{})
	return err
}

// measureLatency takes mount objects of all kinds down, one after the other.
func measureLatency(t *testing.T, s *scene, n int) {
	t.Helper()
	_, offset, err := s.AuditEvents(0)
	if err != nil {
		t.Fatal(err)
	}
	for sample := range scaleSamples {
		i := sample * (n / scaleSamples)
		name := fmt.Sprintf("m-%d", i)
		at := s.Client.Resource(scaleResource(i)).Namespace("scale")
		patch := []byte(`{"status":{"phase":"Broken"}}`)
		if _, err := at.Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
		s.says(name, "Unavailable False/MountObjectNotReady", first)
	}
	var times []time.Duration
	world.Eventually(t, "the audit log lacks writes", func() error {
		if times = latencies(t, s, offset); len(times) != scaleSamples {
			return fmt.Errorf("it has %d pairs of writes, want %d", len(times), scaleSamples)
		}
		return nil
	})
	slices.Sort(times)
	median, last := times[len(times)/2], times[len(times)*99/100]
	t.Logf("%d Workspaces on %d kinds, from the mount's status to the Workspace's: median %v, 99%% within %v", n, scaleKinds, median, last)
	if median > 100*time.Millisecond {
		t.Errorf("the median is %v, want less than 100ms", median)
	}
}

// latencies pairs the writes of mount objects with those of their Workspaces, which have their names.
func latencies(t *testing.T, s *scene, offset int64) []time.Duration {
	t.Helper()
	audited, _, err := s.AuditEvents(offset)
	if err != nil {
		t.Fatal(err)
	}
	began, ended := map[string]time.Time{}, map[string]time.Time{}
	for _, e := range audited {
		switch {
		case e.Verb != "patch" || e.ObjectRef == nil:
		case e.ObjectRef.APIGroup == "infra.example.com":
			began[e.ObjectRef.Name] = e.StageTimestamp
		case e.ObjectRef.Resource == "workspaces" && e.ObjectRef.Subresource == "status":
			ended[e.ObjectRef.Name] = e.StageTimestamp
		}
	}
	var out []time.Duration
	for name, at := range began {
		if end, ok := ended[name]; ok {
			out = append(out, end.Sub(at))
		}
	}
	return out
}
