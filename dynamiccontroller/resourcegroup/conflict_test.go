package resourcegroup

import (
	"context"
	"net/http"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
)

// contended answers one write of the group by a conflict.
type contended struct {
	apply.API
	subresource string
	conflicts   int
}

func (c *contended) Patch(ctx context.Context, at apply.Place, p apply.Patch) (map[string]any, error) {
	if at.Subresource == c.subresource && c.conflicts > 0 {
		c.conflicts--
		return nil, &apierrors.StatusError{ErrStatus: metav1.Status{Code: http.StatusConflict, Reason: metav1.StatusReasonConflict}}
	}
	return c.API.Patch(ctx, at, p)
}

// TestConflictOfAGroupThatIsThere is about an API server under contention: no event follows its conflict, so that the
// pass must come again by itself.
func TestConflictOfAGroupThatIsThere(t *testing.T) {
	for _, subresource := range []string{"", "status"} {
		t.Run("patch "+subresource, func(t *testing.T) {
			w := newWorld(t)
			w.reconciler.deps.Clients.Engine = &contended{fakeAPI{w}, subresource, 1}
			request := reconcile.Request{NamespacedName: types.NamespacedName{Name: "webapps"}}
			w.instances = []*unstructured.Unstructured{instanceNamed("a", "ACTIVE")}
			result, err := w.reconciler.Reconcile(context.Background(), request)
			if err != nil || result.RequeueAfter == 0 || result.RequeueAfter > 2*time.Second {
				t.Errorf("the pass comes again after %s, error %v; want soon, and none", result.RequeueAfter, err)
			}
			w.run()
			wantConditions(t, w, map[v1alpha1.ConditionType]string{v1alpha1.ConditionReady: "True/Available"})
			if w.status("instances") == nil {
				t.Error("the instances are not counted")
			}
		})
	}
}
