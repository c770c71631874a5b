package connection

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// verdict is what a condition says.
type verdict struct {
	status  metav1.ConditionStatus
	reason  v1alpha1.Reason
	message string
}

func (p *pass) say(kind v1alpha1.ConditionType, status metav1.ConditionStatus, reason v1alpha1.Reason, message string) {
	p.verdicts[kind] = verdict{status, reason, message}
}

// disconnected says that there is no connection, which Ready gives for its reason, and ends the pass until after. A
// deletion goes on: it needs less.
func (p *pass) disconnected(reason v1alpha1.Reason, message string, after time.Duration) step.Outcome {
	if _, said := p.verdicts[v1alpha1.ConditionConnected]; !said {
		p.say(v1alpha1.ConditionConnected, metav1.ConditionFalse, reason, message)
	}
	p.say(v1alpha1.ConditionReady, metav1.ConditionFalse, reason, message)
	if p.deleting {
		return step.NextFor(after)
	}
	return step.StopFor(after)
}

// wasReady tells whether Ready was True before this pass.
func (p *pass) wasReady() bool {
	return meta.IsStatusConditionTrue(p.was.Conditions, string(v1alpha1.ConditionReady))
}

// conditions gives all conditions, causes first. What this pass did not come to keeps its verdict; what nobody has looked
// at yet is unknown, for the reason that Ready gives.
func (p *pass) conditions() []metav1.Condition {
	list := append([]metav1.Condition{}, p.was.Conditions...)
	if _, said := p.verdicts[v1alpha1.ConditionPermissionDenied]; !said && meta.FindStatusCondition(list, string(v1alpha1.ConditionPermissionDenied)) == nil {
		p.say(v1alpha1.ConditionPermissionDenied, metav1.ConditionFalse, v1alpha1.ReasonAsExpected, "the provider has refused nothing")
	}
	out := make([]metav1.Condition, 0, len(v1alpha1.AllConnectionConditions()))
	for _, kind := range v1alpha1.AllConnectionConditions() {
		v, said := p.verdicts[kind]
		have := meta.FindStatusCondition(list, string(kind))
		if !said && have == nil {
			v = verdict{metav1.ConditionUnknown, p.reasonForUnknown(), "not looked at yet"}
		}
		if !said && have != nil {
			v = verdict{have.Status, v1alpha1.Reason(have.Reason), have.Message}
		}
		meta.SetStatusCondition(&list, metav1.Condition{
			Type: string(kind), Status: v.status, Reason: string(v.reason), Message: bounded(v.message),
			ObservedGeneration: p.conn.Generation, LastTransitionTime: metav1.NewTime(p.began),
		})
		out = append(out, *meta.FindStatusCondition(list, string(kind)))
	}
	return out
}

func (p *pass) reasonForUnknown() v1alpha1.Reason {
	if v, said := p.verdicts[v1alpha1.ConditionReady]; said && v.status != metav1.ConditionTrue {
		return v.reason
	}
	return v1alpha1.ReasonSyncing
}

// maxMessage is what a condition's message holds, in bytes.
const maxMessage = 32 << 10

func bounded(message string) string {
	if len(message) > maxMessage {
		return message[:maxMessage-3] + "..."
	}
	return message
}
