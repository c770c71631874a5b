package connection

import (
	"context"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// drainTime is how often bindings are looked for while a deletion waits for them; their events come sooner.
const drainTime = 2 * time.Second

// drain has a Connection that is being deleted wait for its bindings. Only the managed one is deleted here.
func (r *Reconciler) drain(ctx context.Context, p *pass) (step.Outcome, error) {
	if !p.deleting || len(p.bindings) == 0 {
		return step.Next(), nil
	}
	names := make([]string, len(p.bindings))
	for i, b := range p.bindings {
		names[i] = b.String()
		if !b.isManagedBy(p.conn) {
			continue
		}
		if err := r.unbind(ctx, b.cluster); err != nil {
			return step.Stop(), err
		}
	}
	p.say(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonDrainingBindings, fmt.Sprintf(
		"it is being deleted, and waits until nothing binds it any more: %s", strings.Join(names, ", ")))
	return step.StopFor(drainTime), nil
}
