package sync_test

import (
	"fmt"
	"strings"
	gosync "sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/plait-run/plait/test/world"
)

// many is how many objects of one API settle, and then cost nothing.
const many = 1500

func TestMany(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	bound := o.bind("")
	began := time.Now()
	createAll(t, o, here)
	bound.WaitFor("ClusterBinding", o.connection(), func(u *unstructured.Unstructured) error {
		if got := fieldOf(u, "status", "boundAPIs"); objectsOf(u) != fmt.Sprint(many) {
			return fmt.Errorf("APIs are %s", got)
		}
		return nil
	})
	t.Logf("%d objects are copied after %v", many, time.Since(began).Round(time.Second))
	atHome, away := consumer.NewLedger(t), acme.NewLedger(t)
	if err := world.Wait(t.Context(), 3*time.Second); err != nil {
		t.Fatal(err)
	}
	if home, there := atHome.Take(), away.Take(); len(home)+len(there) > 0 {
		t.Errorf("at rest there are %d requests here and %d there: %v %v", len(home), len(there), some(home), some(there))
	}

	here.Patch(o.name, "d-0700", `{"spec":{"size":2}}`)
	there.WaitFor(o.name, "d-0700", specIs("size", int64(2)))
	if home, there := atHome.Take(), away.Take(); len(home) != 0 || fmt.Sprint(there) != "[patch databases d-0700]" {
		t.Errorf("one change has made %v here and %v there", home, there)
	}
	fastest(t, o, here, there)
}

// createAll makes the objects by several hands.
func createAll(t *testing.T, o *offer, here *world.Space) {
	t.Helper()
	at := here.At(o.name)
	var group gosync.WaitGroup
	for hand := range 8 {
		group.Go(func() {
			for i := hand; i < many; i += 8 {
				u := newDatabase(o, fmt.Sprintf("d-%04d", i))
				if _, err := at.Create(t.Context(), u, metav1.CreateOptions{}); err != nil {
					t.Errorf("creating: %v", err)
					return
				}
			}
		})
	}
	group.Wait()
}

func newDatabase(o *offer, name string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": int64(1)}}}
	u.SetAPIVersion(strings.TrimPrefix(o.name, "databases.") + "/v1")
	u.SetKind("Database")
	u.SetName(name)
	return u
}

func objectsOf(u *unstructured.Unstructured) string {
	list, _, _ := unstructured.NestedSlice(u.Object, "status", "boundAPIs")
	if len(list) == 0 {
		return ""
	}
	api, _ := list[0].(map[string]any)
	return fmt.Sprint(api["objects"])
}

func some(list []string) []string { return list[:min(5, len(list))] }

// fastest measures from a change here to its event there, at rest, and takes the best of several: the machine may be busy.
func fastest(t *testing.T, o *offer, here, there *world.Space) {
	t.Helper()
	const limit = 200 * time.Millisecond
	events, err := there.At(o.name).Watch(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=d-0001"})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Stop()
	best := time.Hour
	for size := int64(10); size < 30; size++ {
		began := time.Now()
		here.Patch(o.name, "d-0001", fmt.Sprintf(`{"spec":{"size":%d}}`, size))
		if !awaitSize(events, size) {
			t.Fatal("the change does not arrive")
		}
		best = min(best, time.Since(began))
	}
	t.Logf("from a change here to the provider: %v", best.Round(time.Millisecond))
	if best > limit {
		t.Errorf("a change takes %v to the provider, want %v at most", best, limit)
	}
}

func awaitSize(events watch.Interface, size int64) bool {
	deadline := time.After(world.Patience)
	for {
		select {
		case <-deadline:
			return false
		case e, ok := <-events.ResultChan():
			if !ok {
				return false
			}
			if u, isObject := e.Object.(*unstructured.Unstructured); isObject && specIs("size", size)(u) == nil {
				return true
			}
		}
	}
}
