package apply

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/plait-run/plait/dynamiccontroller/contenthash"
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
	probe := r.Object
	probe.Key.Name = "plait-" + strings.TrimPrefix(r.Owner.HashOf(r.Object), contenthash.Algorithm+"-")
	body := r.Owner.Marked(probe)
	setMetadata(body, "resourceVersion", createOnly)
	at := r.at()
	at.Name = probe.Key.Name
	_, err = r.API.Patch(ctx, at, Patch{Body: body, Force: true, DryRun: true})
	return err == nil
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
	return a.create(ctx, r)
}
