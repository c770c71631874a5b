package instance

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/misspelt"
	"github.com/plait-run/plait/runtime/plan"
)

// tell has the events of a pass: one for a change of state, which tells of failed nodes too, else one for each node that
// has failed anew.
func (c *Controller) tell(p *pass, before *unstructured.Unstructured, state v1alpha1.State) {
	isNews := state != stateOf(before) && state != ""
	if isNews {
		c.tellState(p, state)
	}
	if p.evaluated && (!isNews || state != StateFailed) {
		c.tellNodes(p, before)
	}
	c.tellStrays(p)
	c.tellMisspelt(p)
	suspended := conditionOf(p.instance.Object, v1alpha1.ConditionSuspended)
	if reason := text(suspended, "reason"); reason == string(v1alpha1.ReasonUnknownValue) &&
		text(conditionOf(before.Object, v1alpha1.ConditionSuspended), "reason") != reason {
		c.event(p, "Warning", reason, text(suspended, "message"))
	}
}

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

// strayTime is how long nothing more is said of objects that only look like children.
const strayTime = 10 * time.Minute

// tellStrays warns of objects that carry the instance's label where it has no children: whoever put it there may expect
// them to be looked after.
func (c *Controller) tellStrays(p *pass) {
	if len(p.strays) == 0 || p.began.Sub(p.memory.strays) < strayTime {
		return
	}
	p.memory.strays = p.began
	c.event(p, "Warning", "LabelIgnored", fmt.Sprintf("%s: the label %s names this instance, and it is no child of it; it is left alone",
		plan.Some(p.strays, ", "), v1alpha1.LabelInstanceUID))
}

// tellMisspelt warns of annotations that somebody wrote in vain, once for each that comes.
func (c *Controller) tellMisspelt(p *pass) {
	if p.memory == nil {
		return
	}
	faults := misspelt.In(p.instance.GetAnnotations(), misspelt.BesideConditions)
	for _, fault := range faults {
		if !slices.Contains(p.memory.misspelt, fault) {
			c.event(p, "Warning", string(v1alpha1.ReasonUnknownValue), fault)
		}
	}
	p.memory.misspelt = faults
}

func (c *Controller) event(p *pass, kind, reason, note string) {
	if c.clients.Recorder == nil || reason == "" {
		return
	}
	c.clients.Recorder.Eventf(p.instance, nil, kind, reason, "Reconcile", "%s", note)
}
