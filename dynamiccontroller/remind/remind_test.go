package remind_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/dynamiccontroller/remind"
)

func TestQueue(t *testing.T) {
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	t.Cleanup(queue.ShutDown)
	q := &remind.Queue{}
	q.Now("too early")
	if err := q.Start(t.Context(), queue); err != nil {
		t.Fatal(err)
	}
	q.Now("a")
	got, _ := queue.Get()
	if want := (reconcile.Request{NamespacedName: types.NamespacedName{Name: "a"}}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if left := queue.Len(); left != 0 {
		t.Errorf("%d requests are left, want none", left)
	}
}
