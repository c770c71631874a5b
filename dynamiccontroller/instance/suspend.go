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
	if isAsked(p) {
		p.memory.forget()
	}
	return step.Next(), nil
}

// isAsked tells whether somebody asks for a full pass that has not been made yet.
func isAsked(p *pass) bool {
	at := p.instance.GetAnnotations()[v1alpha1.AnnotationReconcileAt]
	return at != "" && at != lastHandled(p.instance)
}
