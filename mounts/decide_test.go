package mounts

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/mounts/contract"
)

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	eu1  = contract.Reference{APIVersion: "infra.example.com/v1", Kind: "Cluster", Name: "eu-1", Namespace: "infra"}
)

const (
	good  = "https://eu-1.example.com"
	other = "https://eu-2.example.com:6443/clusters/root:a"
)

// up and fallen are conditions of before.
func up() *contract.Condition {
	return &contract.Condition{Status: "True", Reason: v1alpha1.ReasonMountReady, Since: noon.Add(-time.Hour)}
}

func fallen(ago time.Duration) *contract.Condition {
	return &contract.Condition{Status: "False", Reason: v1alpha1.ReasonMountObjectNotReady, Since: noon.Add(-ago)}
}

func found(m contract.Mount) Lookup { return Lookup{Outcome: Found, Mount: m} }

// outcome is a decision as the table shows it.
type outcome struct {
	Condition string // status/reason
	Message   string
	Phase     contract.Phase
	URL       string
	Again     time.Duration
}

func shown(d Decision) outcome {
	o := outcome{Phase: d.State.Phase, URL: d.State.URL, Again: d.Again}
	if c := d.State.Condition; c != nil {
		o.Condition, o.Message = c.Status+"/"+string(c.Reason), c.Message
	}
	return o
}

// TestDecide has every row of the table of what a Workspace says, in Plait's own API.
func TestDecide(t *testing.T) {
	notServed := Lookup{Outcome: NotServed}
	tests := map[string]struct {
		workspace contract.Workspace // as it was before; mounted on eu1 unless it says otherwise
		found     Lookup
		want      outcome
	}{
		"kind not served": {contract.Workspace{Phase: contract.Scheduling}, notServed, outcome{
			"False/MountKindNotServed", "the kind Cluster of infra.example.com/v1 is not served: it counts as soon as it is", contract.Scheduling, "", 0,
		}},
		"kind not served, nobody has looked": {contract.Workspace{}, notServed, outcome{
			"False/MountKindNotServed", "the kind Cluster of infra.example.com/v1 is not served: it counts as soon as it is", contract.Scheduling, "", 0,
		}},
		"kind removed under a ready one": {contract.Workspace{Phase: contract.Ready, Condition: up(), URL: good}, notServed, outcome{
			"False/MountKindNotServed", "the kind Cluster of infra.example.com/v1 is not served: it counts as soon as it is", contract.Unavailable, "", 0,
		}},
		"kind removed under one that was up": {contract.Workspace{Phase: contract.Unavailable, URL: good}, notServed, outcome{
			"False/MountKindNotServed", "the kind Cluster of infra.example.com/v1 is not served: it counts as soon as it is", contract.Unavailable, "", 0,
		}},
		"object missing": {contract.Workspace{Phase: contract.Ready, URL: good}, Lookup{Outcome: NotFound}, outcome{
			"False/MountObjectNotFound", `Cluster "infra/eu-1" does not exist`, contract.Unavailable, "", 0,
		}},
		"other phase, valid URL": {contract.Workspace{Phase: contract.Ready, URL: good}, found(contract.Mount{Why: `its status.phase is "Broken"`, URL: other}), outcome{
			"False/MountObjectNotReady", `Cluster "infra/eu-1" is not ready: its status.phase is "Broken"`, contract.Unavailable, other, 0,
		}},
		"other phase, bad URL": {contract.Workspace{URL: good}, found(contract.Mount{Why: "it has no status yet", URL: "http://x"}), outcome{
			"False/MountObjectNotReady", `Cluster "infra/eu-1" is not ready: it has no status yet`, contract.Unavailable, "", 0,
		}},
		"other phase, URL that is no text": {contract.Workspace{URL: good}, found(contract.Mount{Why: "it has no status yet", URLFault: "status.URL is a list, not text"}), outcome{
			"False/MountObjectNotReady", `Cluster "infra/eu-1" is not ready: it has no status yet`, contract.Unavailable, "", 0,
		}},
		"ready, no URL": {contract.Workspace{URL: good}, found(contract.Mount{Ready: true}), outcome{
			"False/MountURLMissing", `Cluster "infra/eu-1" is ready, and has no URL in status.URL`, contract.Unavailable, "", 0,
		}},
		"ready, bad URL": {contract.Workspace{URL: good}, found(contract.Mount{Ready: true, URL: "http://eu-1.example.com"}), outcome{
			"False/MountURLInvalid", `Cluster "infra/eu-1" is ready, and its URL cannot be used: "http://eu-1.example.com" is plain http, and only https is allowed`,
			contract.Unavailable, "", 0,
		}},
		"ready, URL that is no text": {contract.Workspace{URL: good}, found(contract.Mount{Ready: true, URLFault: "status.URL is a number, not text"}), outcome{
			"False/MountURLInvalid", `Cluster "infra/eu-1" is ready, and its URL cannot be used: status.URL is a number, not text`, contract.Unavailable, "", 0,
		}},
		"ready, URL":  {contract.Workspace{}, found(contract.Mount{Ready: true, URL: good}), outcome{"True/MountReady", `Cluster "infra/eu-1" is ready`, contract.Ready, good, 0}},
		"URL changes": {contract.Workspace{Phase: contract.Ready, Condition: up(), URL: good}, found(contract.Mount{Ready: true, URL: other}), outcome{"True/MountReady", `Cluster "infra/eu-1" is ready`, contract.Ready, other, 0}},
		"reference malformed": {contract.Workspace{URL: good, Reference: contract.Reference{APIVersion: "too/many/slashes", Kind: "Cluster", Name: "a"}}, Lookup{}, outcome{
			"False/MountReferenceInvalid", `"too/many/slashes" is no apiVersion: write group/version, such as infra.example.com/v1alpha1`, contract.Unavailable, "", 0,
		}},
		"reference unreadable": {contract.Workspace{Fault: &contract.Fault{Reason: v1alpha1.ReasonMountReferenceInvalid, Message: "spec.mount.ref is missing"}}, Lookup{}, outcome{
			"False/MountReferenceInvalid", "spec.mount.ref is missing", contract.Unavailable, "", 0,
		}},
		"reference to itself": {contract.Workspace{Name: "w", Reference: contract.Reference{APIVersion: "plait.run/v1alpha1", Kind: "Workspace", Name: "w"}}, Lookup{}, outcome{
			"False/MountReferenceInvalid", "the Workspace refers to itself", contract.Unavailable, "", 0,
		}},
		"no namespace for a kind that has them": {contract.Workspace{}, Lookup{Outcome: WrongScope, Namespaced: true}, outcome{
			"False/MountReferenceInvalid", `objects of kind Cluster are in namespaces, and the reference to "eu-1" names none`, contract.Unavailable, "", 0,
		}},
		"namespace for a kind without": {contract.Workspace{}, Lookup{Outcome: WrongScope}, outcome{
			"False/MountReferenceInvalid", `objects of kind Cluster are in no namespace, and the reference to "eu-1" names one`, contract.Unavailable, "", 0,
		}},
		"not allowed": {contract.Workspace{Phase: contract.Ready, URL: good}, Lookup{Outcome: Forbidden, Why: "who may not"}, outcome{
			"False/MountForbidden", "who may not", contract.Unavailable, "", 0,
		}},
		"not mounted any more": {contract.Workspace{Form: contract.None, Phase: contract.Ready, Condition: up(), URL: good}, Lookup{}, outcome{}},
	}
	for name, tt := range tests {
		w := tt.workspace
		w.API = contract.Plait
		if w.Reference == (contract.Reference{}) {
			w.Reference = eu1
		}
		if name != "not mounted any more" {
			w.Form = contract.Spec
		}
		if diff := cmp.Diff(tt.want, shown(Decide(w, tt.found, Policy{}, noon))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestDecideLeaves has what changes nothing.
func TestDecideLeaves(t *testing.T) {
	for name, tt := range map[string]struct {
		workspace contract.Workspace
		found     Lookup
	}{
		"being deleted":                {contract.Workspace{Form: contract.Spec, Reference: eu1, Deleting: true}, found(contract.Mount{Ready: true, URL: good})},
		"being deleted, and malformed": {contract.Workspace{Form: contract.Spec, Deleting: true}, Lookup{}},
		"it cannot be told":            {contract.Workspace{Form: contract.Spec, Reference: eu1}, Lookup{}},
	} {
		tt.workspace.API = contract.Plait
		if diff := cmp.Diff(Decision{Leave: true}, Decide(tt.workspace, tt.found, Policy{}, noon)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestDecideForKCP has what differs in kcp's API, where others manage the phase.
func TestDecideForKCP(t *testing.T) {
	ready, gone, notServed := found(contract.Mount{Ready: true, URL: good}), Lookup{Outcome: NotFound}, Lookup{Outcome: NotServed}
	tests := map[string]struct {
		workspace contract.Workspace
		found     Lookup
		phase     contract.Phase // empty: left to kcp
		again     time.Duration
	}{
		"a new one is lifted":                 {contract.Workspace{Phase: contract.Scheduling}, ready, contract.Ready, 0},
		"nobody has looked":                   {contract.Workspace{}, ready, contract.Ready, 0},
		"back again":                          {contract.Workspace{Phase: contract.Unavailable, Condition: fallen(time.Hour)}, ready, contract.Ready, 0},
		"held down by another":                {contract.Workspace{Phase: contract.Unavailable, HeldDown: "WorkspaceAPIBindingsInitialized"}, ready, "", 0},
		"is ready":                            {contract.Workspace{Phase: contract.Ready, Condition: up()}, ready, "", 0},
		"in a phase that only kcp has":        {contract.Workspace{Phase: "Initializing"}, ready, "", 0},
		"going down is first left to kcp":     {contract.Workspace{Phase: contract.Ready, Condition: up()}, gone, "", ownPhase},
		"a new one, gone":                     {contract.Workspace{Phase: contract.Scheduling}, gone, "", ownPhase},
		"for a moment":                        {contract.Workspace{Phase: contract.Ready, Condition: fallen(time.Second)}, gone, "", 2 * time.Second},
		"nobody else does it":                 {contract.Workspace{Phase: contract.Ready, Condition: fallen(ownPhase)}, gone, contract.Unavailable, 0},
		"a clock that went back":              {contract.Workspace{Phase: contract.Ready, Condition: fallen(-time.Hour)}, gone, "", ownPhase},
		"kcp did it":                          {contract.Workspace{Phase: contract.Unavailable, Condition: fallen(time.Hour)}, gone, "", 0},
		"Unavailable is taken for Scheduling": {contract.Workspace{Phase: contract.Unavailable, Condition: fallen(time.Hour)}, notServed, "", 0},
		"Scheduling is never written":         {contract.Workspace{}, notServed, "", 0},
		"kind removed":                        {contract.Workspace{Phase: contract.Ready, Condition: fallen(time.Hour)}, notServed, contract.Unavailable, 0},
	}
	for name, tt := range tests {
		w := tt.workspace
		w.API, w.Form, w.Reference = contract.KCP, contract.Spec, eu1
		got := Decide(w, tt.found, Policy{}, noon)
		if got.State.Phase != tt.phase || got.Again != tt.again {
			t.Errorf("%s: phase %q, again after %v; want %q, %v", name, got.State.Phase, got.Again, tt.phase, tt.again)
		}
	}
}

// TestDecideForAnnotations has what is written to the older form: nothing while it is at fault.
func TestDecideForAnnotations(t *testing.T) {
	conflict := &contract.Fault{Reason: v1alpha1.ReasonMountConflict, Message: "both"}
	broken := &contract.Fault{Reason: v1alpha1.ReasonMountAnnotationInvalid, Message: "no JSON"}
	tests := map[string]struct {
		workspace contract.Workspace
		found     Lookup
		want      contract.State
	}{
		"ready": {
			contract.Workspace{Form: contract.Annotation, Phase: contract.Scheduling}, found(contract.Mount{Ready: true, URL: good}),
			contract.State{URL: good, Phase: contract.Ready, AnnotationPhase: contract.Ready, Condition: &contract.Condition{Status: "True", Reason: "MountReady"}},
		},
		"gone": {
			contract.Workspace{Form: contract.Annotation, Phase: contract.Ready}, Lookup{Outcome: NotFound},
			contract.State{AnnotationPhase: contract.Unavailable, Condition: &contract.Condition{Status: "False", Severity: "Warning", Reason: "MountObjectNotFound"}},
		},
		"both forms": {
			contract.Workspace{Form: contract.Both, Fault: conflict, Phase: contract.Ready, Condition: fallen(time.Minute)}, found(contract.Mount{Ready: true, URL: good}),
			contract.State{Phase: contract.Unavailable, Condition: &contract.Condition{Status: "False", Severity: "Error", Reason: "MountConflict"}},
		},
		"bad JSON": {
			contract.Workspace{Form: contract.Annotation, Fault: broken, Phase: contract.Ready, Condition: fallen(time.Minute)}, Lookup{},
			contract.State{Phase: contract.Unavailable, Condition: &contract.Condition{Status: "False", Severity: "Error", Reason: "MountAnnotationInvalid"}},
		},
	}
	for name, tt := range tests {
		w := tt.workspace
		w.API, w.Reference = contract.KCP, eu1
		got := Decide(w, tt.found, Policy{}, noon).State
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(contract.Condition{}, "Message")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
