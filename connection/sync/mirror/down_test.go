package mirror

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/api/v1alpha1"
)

func TestDown(t *testing.T) {
	const made = ", annotations: {plait.run/consumer-generation: '7'}"
	tests := map[string]struct {
		metadata, status, want string // of the copy, whose generation is 3
	}{
		"none":                 {made, "", ""},
		"as it is":             {made, "{phase: Up, list: [{a: 1}]}", "{phase: Up, list: [{a: 1}]}"},
		"empty":                {made, "{}", "{}"},
		"seen now":             {made, "{observedGeneration: 3}", "{observedGeneration: 7}"},
		"seen before":          {made, "{observedGeneration: 2}", "{observedGeneration: 6}"},
		"not seen":             {made, "{observedGeneration: -1}", "{observedGeneration: 6}"},
		"claims a later one":   {made, "{observedGeneration: 9}", "{observedGeneration: 6}"},
		"no number":            {made, "{observedGeneration: x}", "{observedGeneration: x}"},
		"unknown generation":   {"", "{observedGeneration: 3}", "{observedGeneration: 0}"},
		"conditions":           {made, "{conditions: [{type: A, observedGeneration: 3}, {type: B, observedGeneration: 1}, {type: C}]}", "{conditions: [{type: A, observedGeneration: 7}, {type: B, observedGeneration: 6}, {type: C}]}"},
		"conditions, hostile":  {made, "{conditions: [1, {observedGeneration: 3}]}", "{conditions: [1, {observedGeneration: 7}]}"},
		"deeper ones are data": {made, "{nodes: {observedGeneration: 3}}", "{nodes: {observedGeneration: 3}}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			live, want := database(t, tt.metadata, ""), database(t, "", "")
			if tt.status != "" {
				live = database(t, tt.metadata, ", status: "+tt.status)
				want = database(t, "", ", status: "+tt.want)
			}
			before := live.DeepCopy()
			if diff := cmp.Diff(want.Object["status"], Down(live)); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, live); diff != "" {
				t.Errorf("the copy was changed:\n%s", diff)
			}
		})
	}
}

func TestWithProblem(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	problem := Problem{v1alpha1.ReasonInvalidObject, "size is too large"}
	const said = "{type: Synced, status: 'False', reason: InvalidObject, message: size is too large, observedGeneration: 3, lastTransitionTime: "
	tests := map[string]struct{ status, had, want string }{
		"no status":        {"null", "null", "{conditions: [" + said + "'2026-01-02T03:04:05Z'}]}"},
		"beside others":    {"{phase: Up, conditions: [{type: Ready}]}", "null", "{phase: Up, conditions: [{type: Ready}, " + said + "'2026-01-02T03:04:05Z'}]}"},
		"in place of one":  {"{conditions: [{type: Synced, status: 'True'}, {type: Ready}]}", "null", "{conditions: [{type: Ready}, " + said + "'2026-01-02T03:04:05Z'}]}"},
		"the time is kept": {"null", "{conditions: [{type: Synced, status: 'False', lastTransitionTime: '2025-01-01T00:00:00Z'}]}", "{conditions: [" + said + "'2025-01-01T00:00:00Z'}]}"},
		"a new transition": {"null", "{conditions: [{type: Synced, status: 'True', lastTransitionTime: '2025-01-01T00:00:00Z'}]}", "{conditions: [" + said + "'2026-01-02T03:04:05Z'}]}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status := database(t, "", ", status: "+tt.status).Object["status"]
			had := database(t, "", ", status: "+tt.had).Object["status"]
			want := database(t, "", ", status: "+tt.want).Object["status"]
			if diff := cmp.Diff(want, WithProblem(status, had, problem, database(t, "", ""), now)); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIsSame(t *testing.T) {
	some := map[string]any{"phase": "Up"}
	tests := map[string]struct {
		a, b any
		want bool
	}{
		"none and empty": {nil, map[string]any{}, true},
		"equal":          {some, map[string]any{"phase": "Up"}, true},
		"different":      {some, map[string]any{"phase": "Down"}, false},
		"gone":           {nil, some, false},
	}
	for name, tt := range tests {
		if got := IsSame(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
