package binding

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
)

// verdict is what a condition says.
type verdict struct {
	status  metav1.ConditionStatus
	reason  v1alpha1.Reason
	message string
}

func is(status bool, reason v1alpha1.Reason, message string) verdict {
	if status {
		return verdict{metav1.ConditionTrue, reason, message}
	}
	return verdict{metav1.ConditionFalse, reason, message}
}

// conditionsOf gives all of them, in words for people.
func conditionsOf(p *pass) map[v1alpha1.ConditionType]verdict {
	all := slices.Concat(p.apis, p.related)
	denied, conflicts := permissionDenied(all), conflictsOf(all)
	return map[v1alpha1.ConditionType]verdict{
		v1alpha1.ConditionPermissionDenied: denied,
		v1alpha1.ConditionConflicts:        conflicts,
		v1alpha1.ConditionSynced:           syncedOf(all, denied, conflicts),
		v1alpha1.ConditionReady:            readyOf(p, denied),
	}
}

func permissionDenied(apis []api) verdict {
	for _, a := range apis {
		switch {
		case a.report.Denied != "":
			return is(true, v1alpha1.ReasonForbidden, a.report.Denied)
		case isDenied(a.report.Fault):
			return is(true, v1alpha1.ReasonForbidden, fmt.Sprintf("the credentials of Connection %q may not list and watch %s at the provider",
				a.task.Connection, a.name))
		}
	}
	return is(false, v1alpha1.ReasonAsExpected, "nothing is refused")
}

func isDenied(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	code := status.Status().Code
	return code == http.StatusForbidden || code == http.StatusUnauthorized
}

func conflictsOf(apis []api) verdict {
	var parts []string
	for _, a := range apis {
		if a.report.Conflicts > 0 {
			parts = append(parts, fmt.Sprintf("%d of %s", a.report.Conflicts, a.name))
		}
	}
	if parts == nil {
		return is(false, v1alpha1.ReasonAsExpected, "nothing of somebody else is in the way")
	}
	return is(true, v1alpha1.ReasonConflict, fmt.Sprintf("objects of somebody else are in the way of %s: the annotation %s of each tells more",
		strings.Join(parts, ", "), v1alpha1.AnnotationConflict))
}

// readyOf is true when every API is bound. The first that is not gives its reason.
func readyOf(p *pass, denied verdict) verdict {
	if p.binding.isDeleting() {
		return is(false, v1alpha1.ReasonReleasingObjects, leavingText(p.apis))
	}
	for _, a := range p.apis {
		if a.judgement.state != v1alpha1.BoundAPIBound && p.binding.api(a.name) != nil {
			return is(false, orReason(a.judgement.reason, v1alpha1.Reason(a.judgement.state)), a.name+": "+orElse(a.judgement.message, string(a.judgement.state)))
		}
	}
	if denied.status == metav1.ConditionTrue {
		return is(false, denied.reason, denied.message)
	}
	return is(true, v1alpha1.ReasonAsExpected, fmt.Sprintf("%d APIs are bound", len(p.binding.spec.APIs)))
}

func leavingText(apis []api) string {
	if len(apis) == 0 {
		return "everything has been let go"
	}
	return fmt.Sprintf("%s: %s; %d left", apis[0].name, apis[0].judgement.message, apis[0].report.Left)
}

// syncedOf is true when every object agrees with its copy.
func syncedOf(all []api, denied, conflicts verdict) verdict {
	for _, v := range []verdict{denied, conflicts} {
		if v.status == metav1.ConditionTrue {
			return is(false, v.reason, v.message)
		}
	}
	for _, a := range all {
		switch {
		case !a.judgement.runs, a.judgement.reason == v1alpha1.ReasonAPIBoundElsewhere:
			return is(false, orReason(a.judgement.reason, v1alpha1.ReasonSyncing), a.name+": "+orElse(a.judgement.message, "it is not bound"))
		case !a.reported || (!a.report.Running && a.report.Fault == nil):
			return is(false, v1alpha1.ReasonSyncing, a.name+": its objects are being read")
		case a.report.Fault != nil:
			return is(false, v1alpha1.ReasonUnreachable, fmt.Sprintf("%s: objects cannot be read: %s", a.name, a.report.Fault))
		case a.report.Refused > 0:
			return is(false, v1alpha1.ReasonObjectsRefused, fmt.Sprintf("%s: the provider refuses %d objects: the condition Synced and the events of each tell why",
				a.name, a.report.Refused))
		case a.report.Late > 0:
			return is(false, v1alpha1.ReasonSyncing, fmt.Sprintf("%s: %d objects are on their way", a.name, a.report.Late))
		}
	}
	return is(true, v1alpha1.ReasonAsExpected, "all objects agree with their copies")
}

func orReason(reason, other v1alpha1.Reason) v1alpha1.Reason {
	if reason != "" {
		return reason
	}
	return other
}

func setConditions(b *subject, verdicts map[v1alpha1.ConditionType]verdict, now time.Time) {
	for _, kind := range v1alpha1.AllBindingConditions() {
		v := verdicts[kind]
		meta.SetStatusCondition(&b.status.Conditions, metav1.Condition{
			Type: string(kind), Status: v.status, Reason: string(v.reason), Message: v.message,
			ObservedGeneration: b.object.GetGeneration(), LastTransitionTime: metav1.NewTime(now),
		})
	}
}

// tell has one event for each change of Ready, Conflicts and PermissionDenied.
func (r *Reconciler) tell(before, now *subject) {
	if r.deps.Recorder == nil {
		return
	}
	good := map[v1alpha1.ConditionType]metav1.ConditionStatus{
		v1alpha1.ConditionReady: metav1.ConditionTrue, v1alpha1.ConditionConflicts: metav1.ConditionFalse,
		v1alpha1.ConditionPermissionDenied: metav1.ConditionFalse,
	}
	for _, kind := range v1alpha1.AllBindingConditions() {
		wanted, isTold := good[kind]
		had, has := meta.FindStatusCondition(before.status.Conditions, string(kind)), meta.FindStatusCondition(now.status.Conditions, string(kind))
		if !isTold || has == nil || (had != nil && had.Status == has.Status) || (had == nil && has.Status == wanted) {
			continue
		}
		level := "Warning"
		if has.Status == wanted {
			level = "Normal"
		}
		r.deps.Recorder.Eventf(now.object, nil, level, has.Reason, "Bind", "%s: %s", has.Type, has.Message)
	}
}
