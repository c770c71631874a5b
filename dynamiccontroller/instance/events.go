package instance

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/runtime/plan"
)

// tellState has one event for a change of state, with what Ready says.
func (c *Controller) tellState(p *pass, state v1alpha1.State) {
	kind := "Normal"
	if state == StateFailed || state == StateError {
		kind = "Warning"
	}
	c.finished(p.key)
	ready := conditionOf(p.instance.Object, v1alpha1.ConditionReady)
	c.event(p, kind, text(ready, "reason"), text(ready, "message"))
}

// tellNodes warns of each node that has failed since the last status.
func (c *Controller) tellNodes(p *pass, before *unstructured.Unstructured) {
	status, _ := before.Object["status"].(map[string]any)
	list, _ := status["resources"].([]any)
	failed := map[string]bool{}
	for _, item := range list {
		if entry, ok := item.(map[string]any); ok && text(entry, "state") == string(plan.Failed) {
			failed[text(entry, "id")] = true
		}
	}
	for _, n := range p.plan.Nodes {
		if n.State == plan.Failed && !n.Passing && !failed[n.ID] {
			c.event(p, "Warning", string(n.Reason), fmt.Sprintf("node %q: %s", n.ID, n.Message))
		}
	}
}

func (c *Controller) event(p *pass, kind, reason, note string) {
	if c.clients.Recorder == nil || reason == "" {
		return
	}
	c.clients.Recorder.Eventf(p.instance, nil, kind, reason, "Reconcile", "%s", note)
}
