package mounts

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/mounts/contract"
)

func TestRivalry(t *testing.T) {
	ours, theirs := up(), fallen(time.Minute)
	want := Decision{State: contract.State{Condition: ours, Phase: contract.Ready}}
	leave := Decision{Leave: true}
	type look struct {
		says  *contract.Condition
		phase contract.Phase
		want  Decision // what we want by ourselves
		after time.Duration
		done  string // what is done: want, leave, a reason
	}
	undone := look{theirs, contract.Ready, want, 0, "want"}
	third := look{theirs, contract.Ready, want, 0, "MountRivalController"}
	tests := map[string][]look{
		"three times":                  {undone, undone, third, {theirs, contract.Ready, want, 0, "leave"}},
		"twice":                        {undone, undone, {ours, contract.Ready, want, 0, "want"}},
		"only the phase":               {{ours, contract.Unavailable, want, 0, "want"}, {ours, contract.Unavailable, want, 0, "want"}, {ours, contract.Unavailable, want, 0, "MountRivalController"}},
		"taken away":                   {{nil, contract.Ready, want, 0, "want"}, undone, third},
		"what we do not want any more": {{theirs, contract.Ready, Decision{State: contract.State{Condition: fallen(0)}}, 0, "want"}, undone, undone},
		"not told":                     {undone, undone, {theirs, contract.Ready, leave, 0, "leave"}, third},
		"slowly":                       {undone, undone, {theirs, contract.Ready, want, rivalTime, "want"}},
		"again after a while":          {undone, undone, third, {theirs, contract.Ready, want, rivalTime, "want"}},
	}
	for name, looks := range tests {
		now := noon
		r := rivalry{}
		r.wrote(ours, contract.Ready)
		for i, l := range looks {
			now = now.Add(l.after)
			got := r.mediate(contract.Workspace{Condition: l.says, Phase: l.phase}, l.want, now)
			done := "want"
			switch {
			case got.Leave:
				done = "leave"
			case got.State.Condition.Reason == v1alpha1.ReasonMountRivalController:
				done = string(got.State.Condition.Reason)
			}
			if done != l.done {
				t.Errorf("%s: look %d does %s, want %s", name, i, done, l.done)
			}
			if !got.Leave {
				r.wrote(got.State.Condition, got.State.Phase)
			}
		}
	}
}

// TestStandingBack keeps the other controller's verdict, and touches nothing else.
func TestStandingBack(t *testing.T) {
	const words = "another controller keeps changing this condition, so Plait leaves it alone for now: switch one of the two off for this Workspace"
	for says, want := range map[*contract.Condition]*contract.Condition{
		nil:               {Status: "Unknown", Reason: v1alpha1.ReasonMountRivalController, Message: words},
		up():              {Status: "True", Reason: v1alpha1.ReasonMountRivalController, Message: words},
		fallen(time.Hour): {Status: "False", Severity: v1alpha1.SeverityWarning, Reason: v1alpha1.ReasonMountRivalController, Message: words},
	} {
		if diff := cmp.Diff(want, standingBack(contract.Workspace{Condition: says})); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestRefusals(t *testing.T) {
	const restart = restartGrace
	tests := map[string]struct {
		isUp bool
		at   []time.Duration // of the looks
		want []string        // whether it is believed, and when it is asked about again
	}{
		"of a new Workspace":    {false, []time.Duration{0, 15 * time.Second, 45 * time.Second}, []string{"true 15s", "true 30s", "true 1m0s"}},
		"with looks in between": {false, []time.Duration{0, time.Second, 15 * time.Second, 16 * time.Second}, []string{"true 15s", "true 14s", "true 30s", "true 29s"}},
		"up to five minutes":    {false, []time.Duration{0, time.Hour, 2 * time.Hour, 3 * time.Hour, 4 * time.Hour, 5 * time.Hour, 6 * time.Hour}, []string{"true 15s", "true 30s", "true 1m0s", "true 2m0s", "true 4m0s", "true 5m0s", "true 5m0s"}},
		"of one that is up":     {true, []time.Duration{0, time.Second, restart}, []string{"false 10s", "false 9s", "true 15s"}},
	}
	for name, tt := range tests {
		m := &memory{}
		var got []string
		for _, at := range tt.at {
			believed, again := m.refuse(tt.isUp, noon.Add(at))
			text := "false "
			if believed {
				text = "true "
			}
			got = append(got, text+again.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if m.allow(); m.isDue(noon.Add(24*time.Hour)) || !m.refusedSince.IsZero() {
			t.Errorf("%s: it is remembered after it was allowed", name)
		}
	}
}
