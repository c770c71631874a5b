package instance

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// TestConflictOfWhatIsThere has a write answered by a conflict, as an API server does under contention too: no event
// follows, so that the pass must come again by itself.
func TestConflictOfWhatIsThere(t *testing.T) {
	cases := map[string]struct {
		write    string
		deleting bool
		held     string // a child that does not go
	}{
		"claim":           {write: "patch shop"},
		"child":           {write: "patch a"},
		"status":          {write: "patch shop/status"},
		"deleting status": {write: "patch shop/status", deleting: true, held: "a"},
		"deletion":        {write: "delete a", deleting: true},
		"finalizer":       {write: "patch shop", deleting: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, wide(1))
			if c.deleting {
				b.mustRun(t)
				b.markDeleted(placeOfInstance())
				b.hold(c.held)
			}
			b.fail[c.write] = failure(http.StatusConflict, metav1.StatusReasonConflict)
			err := b.controller.Reconcile(context.Background(), reconcile.Request{NamespacedName: testKey})
			var later *Later
			if errors.As(err, &later) && later.After > 2*time.Second {
				t.Errorf("the pass comes again after %s, want soon", later.After)
			}
			if err == nil {
				t.Error("the pass does not come again")
			}
			b.fail = map[string]error{}
			if c.deleting {
				b.unhold(c.held)
				b.runUntilGone(t)
				return
			}
			b.mustRun(t)
			b.wantState(t, "ACTIVE")
		})
	}
}

// TestErrorsNameTheStep has a write fail, and reads in the error what was being done; the log names the instance.
func TestErrorsNameTheStep(t *testing.T) {
	cases := map[string]struct {
		write    string
		deleting bool
		want     string
	}{
		"claim":     {"patch shop", false, "claiming: writing finalizer and inventory: refused"},
		"child":     {"patch a", false, `applying node "a": ConfigMap team-a/a: refused`},
		"status":    {"patch shop/status", false, "writing status: refused"},
		"finalizer": {"patch shop", true, "deleting: removing the finalizer: refused"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, wide(1))
			if c.deleting {
				b.mustRun(t)
				b.markDeleted(placeOfInstance())
			}
			b.fail[c.write] = failure(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable)
			if _, err := b.run(); err == nil || err.Error() != c.want {
				t.Errorf("error %q, want %q", err, c.want)
			}
		})
	}
}
