package resourcegroup

import (
	"context"
	"slices"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/misspelt"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// warn tells by an event of annotations that somebody wrote in vain, once for each that comes.
func (r *Reconciler) warn(_ context.Context, p *pass) (step.Outcome, error) {
	faults := misspelt.In(p.group.GetAnnotations(), misspelt.OnGroup)
	for _, fault := range faults {
		if r.deps.Clients.Recorder != nil && !slices.Contains(p.memory.misspelt, fault) {
			r.deps.Clients.Recorder.Eventf(p.group, nil, "Warning", string(v1alpha1.ReasonUnknownValue), "Reconcile", "%s", fault)
		}
	}
	p.memory.misspelt = faults
	return step.Next(), nil
}
