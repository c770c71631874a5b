package instance

import (
	"fmt"
	"slices"
	"time"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/runtime/plan"
)

// verdict is the one judgement that state and conditions are made from.
type verdict struct {
	state   v1alpha1.State
	ready   string // True, False, Unknown
	reason  v1alpha1.Reason
	message string
}

func verdictOf(p *pass) verdict {
	switch {
	case p.deletion != nil && p.problem == nil:
		return verdict{StateDeleting, "False", p.deletion.reason, p.deletion.message}
	case p.problem != nil && p.deletion != nil && p.problem.state == StateFailed:
		return verdict{StateDeleting, "False", v1alpha1.ReasonDeletionForbidden, p.problem.message}
	case p.problem != nil && p.deletion != nil:
		return verdict{StateDeleting, "False", v1alpha1.ReasonDeleting, p.problem.message}
	case p.problem != nil:
		return verdict{p.problem.state, "False", p.problem.reason, p.problem.message}
	case !p.evaluated:
		return verdict{StateInProgress, "False", v1alpha1.ReasonProgressing, "getting to work"}
	}
	s := plan.Summarise(p.plan)
	v := verdict{v1alpha1.State(s.State), s.Ready, v1alpha1.Reason(s.Reason), s.Message}
	if len(p.stuck) > 0 && v.state != StateFailed {
		return verdict{StateFailed, "False", v1alpha1.Reason(p.stuck[0].fault.Reason), stuckText(p.stuck)}
	}
	if p.err != nil && v.state != StateFailed && v.state != StateError {
		return verdict{StateError, "False", v1alpha1.ReasonApplyError, p.err.Error()}
	}
	return v
}

func stuckText(stuck []removalFault) string {
	texts := make([]string, len(stuck))
	for i, f := range stuck {
		texts[i] = fmt.Sprintf("deleting %s, which is not wanted any more: %s", f.key, f.fault.Message)
	}
	return plan.Some(texts, "; ")
}

// condition is a status condition without its times.
type condition struct {
	kind     v1alpha1.ConditionType
	status   string
	reason   v1alpha1.Reason
	message  string
	observed int64
}

// conditions gives the built-in ones by cause, then the author's.
func (p *pass) conditions(v verdict) []condition {
	out := []condition{
		{kind: v1alpha1.ConditionReady, status: v.ready, reason: v.reason, message: v.message},
		p.managed(), p.accountResolved(), p.graphResolved(), p.resourcesReady(v),
	}
	switch v.state {
	case StateActive:
	case StateInProgress, StateError, StateDeleting:
		out = append(out, condition{kind: v1alpha1.ConditionReconciling, status: "True", reason: v.reason, message: v.message})
	case StateFailed:
		out = append(out, condition{kind: v1alpha1.ConditionStalled, status: "True", reason: v.reason, message: v.message})
	}
	if len(p.plan.Faults) > 0 {
		out = append(out, notProjected(p.plan.Faults))
	}
	if value := p.instance.GetAnnotations()[v1alpha1.AnnotationReconcile]; value != "" {
		out = append(out, condition{
			kind: v1alpha1.ConditionSuspended, status: "False", reason: v1alpha1.ReasonUnknownValue, message: fmt.Sprintf(
				"the annotation %s is %q, which means nothing. Write %q, or drop it", v1alpha1.AnnotationReconcile, value, v1alpha1.ReconcileSuspended),
		})
	}
	for i := range out {
		out[i].observed = p.instance.GetGeneration()
	}
	return append(out, p.authors(out)...)
}

// notProjected tells of the fields of the status that fail. Where nothing but a right is missing, that is the reason.
func notProjected(faults []plan.StatusFault) condition {
	c := condition{kind: v1alpha1.ConditionStatusProjected, status: "False", reason: v1alpha1.ReasonForbidden}
	texts := make([]string, len(faults))
	for i, f := range faults {
		texts[i] = f.Path + ": " + f.Message
		if !f.Denied {
			c.reason = v1alpha1.ReasonEvaluationFailed
		}
	}
	c.message = plan.Some(texts, "; ")
	return c
}

// authors gives the author's conditions that are not named like one of ours; Ready is in the verdict already.
func (p *pass) authors(ours []condition) []condition {
	var out []condition
	for _, a := range p.plan.Conditions {
		kind := v1alpha1.ConditionType(a.Type)
		if slices.ContainsFunc(ours, func(c condition) bool { return c.kind == kind }) {
			continue
		}
		out = append(out, condition{kind, a.Status, v1alpha1.Reason(a.Reason), a.Message, p.instance.GetGeneration()})
	}
	return out
}

func (p *pass) managed() condition {
	c := condition{kind: v1alpha1.ConditionInstanceManaged, status: "Unknown", reason: v1alpha1.ReasonProgressing, message: "not looked at yet"}
	switch {
	case p.isProblem(c.kind):
		return p.problemCondition(c.kind)
	case p.claimed || slices.Contains(p.instance.GetFinalizers(), v1alpha1.FinalizerInstance):
		c.status, c.reason, c.message = "True", v1alpha1.ReasonAvailable, "finalizer and inventory are in place"
	}
	return c
}

func (p *pass) accountResolved() condition {
	c := condition{kind: v1alpha1.ConditionServiceAccountResolved, status: "Unknown", reason: v1alpha1.ReasonProgressing, message: "not looked at yet"}
	switch {
	case p.isProblem(c.kind):
		return p.problemCondition(c.kind)
	case p.acting.Self && p.deletion != nil:
		c.status, c.reason, c.message = "True", v1alpha1.ReasonActingAsSelf, "the engine deletes as itself what it made as itself"
	case p.acting.Self:
		c.status, c.reason, c.message = "True", v1alpha1.ReasonActingAsSelf, "the engine acts as itself, as it was started to"
	case p.acting.String() != "":
		c.status, c.reason, c.message = "True", v1alpha1.ReasonAvailable, fmt.Sprintf("service account %s acts", p.acting)
	}
	return c
}

func (p *pass) graphResolved() condition {
	c := condition{kind: v1alpha1.ConditionGraphResolved, status: "Unknown", reason: v1alpha1.ReasonProgressing, message: "not evaluated yet"}
	switch {
	case p.isProblem(c.kind):
		return p.problemCondition(c.kind)
	case p.evaluated:
		c.status, c.reason, c.message = "True", v1alpha1.ReasonAvailable, fmt.Sprintf("revision %d of ResourceGroup %q", p.revision, p.graph.Name())
	}
	return c
}

// resourcesReady is about the nodes alone: an author's Ready does not change it.
func (p *pass) resourcesReady(v verdict) condition {
	c := condition{kind: v1alpha1.ConditionResourcesReady, status: "False", reason: v.reason, message: v.message}
	if v.state == StateActive {
		c.status, c.reason, c.message = "True", v1alpha1.ReasonAvailable, "every node is ready or excluded"
	}
	return c
}

func (p *pass) isProblem(kind v1alpha1.ConditionType) bool {
	return p.problem != nil && p.problem.condition == kind
}

func (p *pass) problemCondition(kind v1alpha1.ConditionType) condition {
	status := "False"
	if p.problem.state == StateError {
		status = "Unknown"
	}
	return condition{kind: kind, status: status, reason: p.problem.reason, message: p.problem.message}
}

// maxMessage is what a condition's message may hold, in bytes.
const maxMessage = 32768

// mergeConditions gives the conditions as the server stores them: in order, with the old transition time where the
// status is the old one.
func mergeConditions(old map[string]any, conditions []condition, now time.Time) []any {
	status := map[string]any{"status": old}
	out := make([]any, 0, len(conditions))
	for _, c := range conditions {
		at := now.UTC().Format(time.RFC3339)
		if before := conditionOf(status, c.kind); before != nil && before["status"] == c.status {
			at = text(before, "lastTransitionTime")
		}
		message := c.message
		if len(message) > maxMessage {
			message = message[:maxMessage]
		}
		out = append(out, map[string]any{
			"type": string(c.kind), "status": c.status, "reason": orDefault(string(c.reason)), "message": message,
			"lastTransitionTime": at, "observedGeneration": c.observed,
		})
	}
	return out
}

// orDefault is for authors' conditions without a reason, which the API conventions do not allow.
func orDefault(reason string) string {
	if reason == "" {
		return "Unspecified"
	}
	return reason
}

// conditionsOf reads the conditions of a status.
func conditionsOf(status map[string]any) []condition {
	list, _ := status["conditions"].([]any)
	var out []condition
	for _, item := range list {
		m, ok := item.(map[string]any)
		if !ok {
			continue
		}
		observed, _ := m["observedGeneration"].(int64)
		out = append(out, condition{
			v1alpha1.ConditionType(text(m, "type")), text(m, "status"), v1alpha1.Reason(text(m, "reason")), text(m, "message"), observed,
		})
	}
	return out
}
