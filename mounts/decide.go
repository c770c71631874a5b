package mounts

import (
	"fmt"
	"time"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/mounts/contract"
)

// Policy is what the engine was started with.
type Policy struct {
	URL URLPolicy
}

// Decision is what a Workspace should say.
type Decision struct {
	Leave bool // change nothing
	State contract.State
	Again time.Duration // look again after this time, without an event; zero: there is no need
}

// ownPhase is how long kcp's own controllers have to make a Workspace Unavailable by our condition. Where nobody has done it
// by then, nobody else manages the phase. Times of conditions are cut to seconds.
const ownPhase = 3 * time.Second

// verdict is a row of the table of what a Workspace says.
type verdict struct {
	reason   v1alpha1.Reason
	severity v1alpha1.ConditionSeverity
	message  string
	phase    contract.Phase
	url      string // empty: as it is
}

// NeedsLookup tells whether the decision depends on a mount object.
func NeedsLookup(w contract.Workspace) bool {
	return !w.Deleting && w.Form != contract.None && referenceFault(w) == nil
}

// Decide gives what a Workspace should say, from what it says, what was found of its mount object, and the time.
func Decide(w contract.Workspace, found Lookup, policy Policy, now time.Time) Decision {
	switch {
	case w.Deleting:
		return Decision{Leave: true}
	case w.Form == contract.None:
		return Decision{State: contract.State{Condition: nil}}
	case NeedsLookup(w) && found.Outcome == Unknown:
		return Decision{Leave: true}
	}
	v := judge(w, found, policy)
	status := "False"
	if v.reason == v1alpha1.ReasonMountReady {
		status = "True"
	}
	d := Decision{State: contract.State{
		URL:       v.url,
		Condition: &contract.Condition{Status: status, Severity: v.severity, Reason: v.reason, Message: v.message},
		Phase:     v.phase,
	}}
	if w.Fault == nil {
		d.State.AnnotationPhase = v.phase
	}
	if w.API == contract.KCP {
		d.State.Phase, d.Again = shared(w, v.phase, now)
	}
	return d
}

// judge finds the row of the table.
func judge(w contract.Workspace, found Lookup, policy Policy) verdict {
	if fault := referenceFault(w); fault != nil {
		return down(fault.Reason, v1alpha1.SeverityError, fault.Message)
	}
	ref := w.Reference
	switch found.Outcome {
	case NotServed:
		v := down(v1alpha1.ReasonMountKindNotServed, v1alpha1.SeverityWarning,
			fmt.Sprintf("the kind %s of %s is not served: it counts as soon as it is", contract.Cut(ref.Kind), contract.Cut(ref.APIVersion)))
		if w.Phase == "" || w.Phase == contract.Scheduling {
			v.phase = contract.Scheduling
		}
		return v
	case WrongScope:
		return down(v1alpha1.ReasonMountReferenceInvalid, v1alpha1.SeverityError, scopeFault(ref, found.Namespaced))
	case Forbidden:
		return down(v1alpha1.ReasonMountForbidden, v1alpha1.SeverityError, found.Why)
	case NotFound:
		return down(v1alpha1.ReasonMountObjectNotFound, v1alpha1.SeverityWarning, fmt.Sprintf("%s does not exist", ref))
	default:
		return judgeMount(w, found.Mount, policy)
	}
}

// judgeMount judges an object that exists.
func judgeMount(w contract.Workspace, m contract.Mount, policy Policy) verdict {
	fault := m.URLFault
	if fault == "" && m.URL != "" {
		fault = policy.URL.fault(m.URL, w)
	}
	switch {
	case !m.Ready:
		v := down(v1alpha1.ReasonMountObjectNotReady, v1alpha1.SeverityWarning, fmt.Sprintf("%s is not ready: %s", w.Reference, m.Why))
		if fault == "" {
			v.url = m.URL
		}
		return v
	case fault != "":
		return down(v1alpha1.ReasonMountURLInvalid, v1alpha1.SeverityError,
			fmt.Sprintf("%s is ready, and its URL cannot be used: %s", w.Reference, fault))
	case m.URL == "":
		return down(v1alpha1.ReasonMountURLMissing, v1alpha1.SeverityError,
			fmt.Sprintf("%s is ready, and has no URL in status.URL", w.Reference))
	default:
		return verdict{
			reason: v1alpha1.ReasonMountReady, message: fmt.Sprintf("%s is ready", w.Reference), phase: contract.Ready, url: m.URL,
		}
	}
}

func down(reason v1alpha1.Reason, severity v1alpha1.ConditionSeverity, message string) verdict {
	return verdict{reason: reason, severity: severity, message: message, phase: contract.Unavailable}
}

// referenceFault says why a Workspace can have no mount object, whatever there is; nil: it can.
func referenceFault(w contract.Workspace) *contract.Fault {
	if w.Fault != nil {
		return w.Fault
	}
	if fault := w.Reference.Fault(); fault != "" {
		return &contract.Fault{Reason: v1alpha1.ReasonMountReferenceInvalid, Message: fault}
	}
	if w.Reference.GVK().GroupKind() == w.API.GroupKind() && w.Reference.Name == w.Name {
		return &contract.Fault{Reason: v1alpha1.ReasonMountReferenceInvalid, Message: "the Workspace refers to itself"}
	}
	return nil
}

func scopeFault(ref contract.Reference, namespaced bool) string {
	if namespaced {
		return fmt.Sprintf("objects of kind %s are in namespaces, and the reference to %s names none", contract.Cut(ref.Kind), contract.Quote(ref.Name))
	}
	return fmt.Sprintf("objects of kind %s are in no namespace, and the reference to %s names one", contract.Cut(ref.Kind), contract.Quote(ref.Name))
}

// shared gives the phase to write where kcp's own controllers manage it: they make a Workspace with our False condition
// Unavailable and never lift a new one to Ready. Where they do not, it is made Unavailable here after a while.
func shared(w contract.Workspace, want contract.Phase, now time.Time) (phase contract.Phase, again time.Duration) {
	isOurs := w.Phase == "" || w.Phase == contract.Scheduling || w.Phase == contract.Ready || w.Phase == contract.Unavailable
	switch {
	case !isOurs || want == w.Phase:
		return "", 0
	case want == contract.Ready && w.HeldDown == "":
		return contract.Ready, 0
	case want != contract.Unavailable:
		return "", 0
	}
	c := w.Condition
	if c == nil || c.Status != "False" || c.Since.IsZero() {
		return "", ownPhase
	}
	if left := c.Since.Add(ownPhase).Sub(now); left > 0 {
		return "", min(left, ownPhase)
	}
	return contract.Unavailable, 0
}
