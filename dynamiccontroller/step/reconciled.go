package step

import (
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// ConflictTime is how long a cache has to show what somebody else has written.
const ConflictTime = 100 * time.Millisecond

// Reconciled gives the controller what a pass over an object, named for people, has ended with. A conflict is no error:
// somebody wrote in between, and the cache shows it in a moment.
func Reconciled(res Result, err error, object string) (reconcile.Result, error) {
	if apierrors.IsConflict(err) {
		return reconcile.Result{RequeueAfter: ConflictTime}, nil
	}
	if err != nil {
		return reconcile.Result{}, fmt.Errorf("reconciling %s: %w", object, err)
	}
	return reconcile.Result{RequeueAfter: res.After}, nil
}
