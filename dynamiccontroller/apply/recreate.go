package apply

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/plait-run/plait/runtime/plan"
)

// isReplaceable tells whether a refused change may be made by deleting the object and creating it anew: the node asks for
// it, the object is ours, and it is refused as a change only. That is found out by creating one of another name without
// keeping it: nothing but words tells an immutable field from a wrong value.
func (a *Applier) isReplaceable(ctx context.Context, r Request, live map[string]any, err error) bool {
	lifecycle := r.Object.Lifecycle
	if !apierrors.IsInvalid(err) || !lifecycle.Recreate || lifecycle.Orphan || r.Owner.Judge(live, r.Known) < Recognised {
		return false
	}
	return a.tryTwin(ctx, r, r.Object.Rendered) == nil
}

// replace deletes the object and, once it is gone, creates it anew. What takes time to go is waited for: its event comes.
func (a *Applier) replace(ctx context.Context, r Request, live map[string]any, err error) (map[string]any, *plan.Fault) {
	if r.Replacing != nil {
		r.Replacing(faultOf(r.Object, err).Message)
	}
	gone, fault := a.Delete(ctx, Removal{
		Owner: r.Owner, Object: r.Object, Live: live, Known: r.Known, API: r.API, MayDo: r.MayDo,
	})
	if fault != nil {
		return nil, fault
	}
	if !gone {
		return nil, waiting("deleting " + r.Object.Key.String())
	}
	r.Body = r.Owner.Marked(r.Object)
	return a.create(ctx, r)
}
