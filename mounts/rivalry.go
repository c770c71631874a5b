package mounts

import (
	"time"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/mounts/contract"
)

const (
	maxRevisions = 3                // of what was written, by somebody else, until we stand back
	rivalTime    = 10 * time.Minute // in which they count, and for which we stand back
)

// rivalry notices that somebody else keeps changing what was written. The zero value: nobody does.
type rivalry struct {
	written   *contract.Condition // nil: nothing was
	phase     contract.Phase      // that was written with it; empty: it was left as it was
	revisions int                 // in rivalTime
	since     time.Time           // of the first
	back      bool                // we stand back, until rivalTime after since
}

// wrote notes what a Workspace says after a write.
func (r *rivalry) wrote(condition *contract.Condition, phase contract.Phase) {
	r.written, r.phase = condition, phase
}

// mediate gives what to do instead of what is wanted, where somebody else keeps changing it.
func (r *rivalry) mediate(w contract.Workspace, want Decision, now time.Time) Decision {
	if r.revisions > 0 && now.Sub(r.since) >= rivalTime {
		*r = rivalry{}
	}
	switch {
	case r.back:
		return Decision{Leave: true, Again: r.since.Add(rivalTime).Sub(now)}
	case want.Leave || !r.isRevised(w, want.State):
		return want
	}
	if r.revisions == 0 {
		r.since = now
	}
	if r.revisions++; r.revisions < maxRevisions {
		return want
	}
	r.back = true
	return Decision{State: contract.State{Condition: standingBack(w)}, Again: r.since.Add(rivalTime).Sub(now)}
}

// isRevised tells whether what was written, and still is wanted, is not there any more.
func (r *rivalry) isRevised(w contract.Workspace, want contract.State) bool {
	if r.written == nil || !r.written.IsSame(want.Condition) {
		return false
	}
	return !r.written.IsSame(w.Condition) || r.phase != "" && want.Phase == r.phase && w.Phase != r.phase
}

// standingBack keeps the other's verdict and says why.
func standingBack(w contract.Workspace) *contract.Condition {
	out := &contract.Condition{
		Status: "Unknown", Reason: v1alpha1.ReasonMountRivalController,
		Message: "another controller keeps changing this condition, so Plait leaves it alone for now: switch one of the two off for this Workspace",
	}
	if w.Condition != nil {
		out.Status = w.Condition.Status
	}
	if out.Status == "False" {
		out.Severity = v1alpha1.SeverityWarning
	}
	return out
}
