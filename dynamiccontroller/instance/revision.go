package instance

import (
	"context"
	"fmt"
	"strconv"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// resolveRevision finds the graph to run: the served one, or the one that the instance is pinned to.
func (c *Controller) resolveRevision(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.graph == nil {
		return c.incompatible(p, "no revision of the ResourceGroup is served yet"), nil
	}
	pin := p.instance.GetAnnotations()[v1alpha1.AnnotationRevision]
	if pin == "" || pin == strconv.FormatInt(p.revision, 10) {
		return step.Next(), nil
	}
	number, err := strconv.ParseInt(pin, 10, 64)
	switch {
	case err != nil || number < 1:
		return c.incompatible(p, fmt.Sprintf("the annotation %s: %q is no number of a revision", v1alpha1.AnnotationRevision, pin)), nil
	case p.graph.Policies().Pinning != string(v1alpha1.PinningAllowed):
		return c.incompatible(p, fmt.Sprintf("pinned to revision %d, but ResourceGroup %q does not say pinning: Allowed; remove the annotation %s",
			number, p.graph.Name(), v1alpha1.AnnotationRevision)), nil
	case c.revisions == nil:
		return c.incompatible(p, fmt.Sprintf("revision %d is not kept", number)), nil
	}
	g, err := c.revisions(ctx, number)
	if err != nil {
		return c.incompatible(p, fmt.Sprintf("revision %d cannot run: %s", number, err)), nil
	}
	p.graph, p.revision = g, number
	return step.Next(), nil
}

func (c *Controller) incompatible(p *pass, message string) step.Outcome {
	p.problem = &problem{
		condition: v1alpha1.ConditionGraphResolved, reason: v1alpha1.ReasonRevisionIncompatible,
		message: message, state: StateFailed,
	}
	p.lookAgain(c.config.DefaultRequeueDuration)
	return step.Stop()
}
