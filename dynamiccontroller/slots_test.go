package dynamiccontroller

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// TestSlotsTakeTurns has a kind ask for many slots and another for one: the other waits for its turn, not for all.
func TestSlotsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlots(2)
		var (
			mu    sync.Mutex
			order []string
		)
		slow := reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
			time.Sleep(time.Second) //nolint:forbidigo // the time of a synctest bubble is virtual
			mu.Lock()
			defer mu.Unlock()
			order = append(order, r.Name)
			return reconcile.Result{}, nil
		})
		var running sync.WaitGroup
		for i, name := range []string{"a", "a", "a", "a", "b", "a", "a"} {
			time.Sleep(time.Duration(i) * time.Millisecond) //nolint:forbidigo // the time of a synctest bubble is virtual
			running.Go(func() {
				req := reconcile.Request{NamespacedName: types.NamespacedName{Name: name}}
				if _, err := s.run(t.Context(), slow, req); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		if diff := cmp.Diff([]string{"a", "a", "a", "a", "b", "a", "a"}, order); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
	})
}

func TestSlotsOfAKind(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 1, 4: 3, 20: 15} {
		if got := newSlots(n).limit; got != want {
			t.Errorf("of %d slots a kind gets %d, want %d", n, got, want)
		}
	}
}

func TestSlotsEnded(t *testing.T) {
	s := newSlots(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	called := false
	r := reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
		called = true
		return reconcile.Result{}, nil
	})
	if err := s.taken.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if res, err := s.run(ctx, r, reconcile.Request{}); err != nil || called || !res.IsZero() {
		t.Errorf("without a slot: %v, %v, called %v; want nothing", res, err, called)
	}
}
