package instance

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/deepequal"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// writeStatus ends a pass: the status is written if it differs from what the server holds, with one event for a change
// of state; and the caches learn what the pass has read.
func (c *Controller) writeStatus(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.instance == nil {
		return step.NextFor(p.again), nil
	}
	want := c.statusOf(p)
	before := p.instance
	if err := c.updateStatus(ctx, p, want); err != nil {
		return step.Next(), err
	}
	state := v1alpha1.State(text(want, "state"))
	if p.memory != nil {
		c.metrics.tell(c.gvr, p, p.memory.state)
		c.memories.setState(p.memory, p.stateFor(state), p.evaluatedGraph())
	}
	if p.instance != nil {
		c.tell(p, before, state)
	}
	if p.evaluated {
		if !p.refused {
			p.memory.denials, p.memory.askAgain = 0, time.Time{}
		}
		p.memory.tidy(p.observed.Children, p.plan)
	}
	if p.evaluated && p.err == nil {
		c.clients.Wishes.SetWanted(p.trackOwner(c.gvr), p.resources, externals(p.plan.Wants))
	}
	return step.NextFor(p.again), nil
}

// updateStatus compares with what the server made of the last status too: it drops what the served schema does not have.
func (c *Controller) updateStatus(ctx context.Context, p *pass, want map[string]any) error {
	have, _ := p.instance.Object["status"].(map[string]any)
	if deepequal.Values(have, want) || p.memory.isKnown(want, have) {
		return nil
	}
	ended, err := c.writeInstance(ctx, p, "status", want)
	if err != nil {
		return err
	}
	if ended {
		p.instance = nil
		return nil
	}
	stored, _ := p.instance.Object["status"].(map[string]any)
	p.memory.noteStored(want, stored)
	return nil
}

func (p *pass) stateFor(state v1alpha1.State) InstanceState {
	out := InstanceState{State: state, ResourceStates: map[string]*ResourceState{}, ReconcileErr: p.err}
	for _, n := range p.plan.Nodes {
		rs := &ResourceState{State: v1alpha1.NodeState(n.State)}
		if rs.State == v1alpha1.NodeFailed {
			rs.Err = fmt.Errorf("node %q: %s", n.ID, n.Message)
		}
		out.ResourceStates[n.ID] = rs
	}
	return out
}

func stateOf(instance *unstructured.Unstructured) v1alpha1.State {
	state, _, _ := unstructured.NestedString(instance.Object, "status", "state")
	return v1alpha1.State(state)
}

func recordedAccount(instance *unstructured.Unstructured) string {
	account, _, _ := unstructured.NestedString(instance.Object, "status", "serviceAccount")
	return account
}

func lastHandled(instance *unstructured.Unstructured) string {
	at, _, _ := unstructured.NestedString(instance.Object, "status", "lastHandledReconcileAt")
	return at
}

// conditionOf gives a condition of an object's status; nil when there is none.
func conditionOf(object map[string]any, kind v1alpha1.ConditionType) map[string]any {
	list, _, _ := unstructured.NestedFieldNoCopy(object, "status", "conditions")
	conditions, _ := list.([]any)
	for _, item := range conditions {
		if condition, ok := item.(map[string]any); ok && condition["type"] == string(kind) {
			return condition
		}
	}
	return nil
}
