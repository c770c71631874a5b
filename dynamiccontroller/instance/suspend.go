package instance

import (
	"context"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// suspend ends the pass of an instance for which nothing is to be written. What it wants to have cached stays.
func (c *Controller) suspend(_ context.Context, p *pass) (step.Outcome, error) {
	annotations := p.instance.GetAnnotations()
	if p.serving.Suspended || annotations[v1alpha1.AnnotationReconcile] == v1alpha1.ReconcileSuspended {
		p.suspended = true
		return step.Stop(), nil
	}
	if at := annotations[v1alpha1.AnnotationReconcileAt]; at != "" && at != lastHandled(p.instance) {
		p.memory.forget()
	}
	return step.Next(), nil
}
