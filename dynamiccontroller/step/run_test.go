package step_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/dynamiccontroller/step"
)

var errBroken = errors.New("broken")

type ran struct{ names []string }

func does(name string, out step.Outcome, err error) step.Step[*ran] {
	return step.Step[*ran]{Name: name, Do: func(_ context.Context, r *ran) (step.Outcome, error) {
		r.names = append(r.names, name)
		return out, err
	}}
}

func always(s step.Step[*ran]) step.Step[*ran] {
	s.Always = true
	return s
}

func TestRun(t *testing.T) {
	tests := map[string]struct {
		steps []step.Step[*ran]
		ran   []string
		want  step.Result
		err   string
	}{
		"all": {
			steps: []step.Step[*ran]{does("a", step.Next(), nil), does("b", step.Next(), nil)},
			ran:   []string{"a", "b"},
			want:  step.Result{Last: "b"},
		},
		"stop": {
			steps: []step.Step[*ran]{does("a", step.Stop(), nil), does("b", step.Next(), nil), always(does("c", step.Next(), nil))},
			ran:   []string{"a", "c"},
			want:  step.Result{Last: "a"},
		},
		"fault": {
			steps: []step.Step[*ran]{does("a", step.Next(), errBroken), does("b", step.Next(), nil), always(does("c", step.Next(), nil))},
			ran:   []string{"a", "c"},
			want:  step.Result{Last: "a"},
			err:   "a: broken",
		},
		"two faults": {
			steps: []step.Step[*ran]{does("a", step.Next(), errBroken), always(does("b", step.Next(), errBroken))},
			ran:   []string{"a", "b"},
			want:  step.Result{Last: "a"},
			err:   "a: broken; b: broken",
		},
		"the shortest wish counts": {
			steps: []step.Step[*ran]{does("a", step.NextFor(3*time.Second), nil), does("b", step.NextFor(2*time.Second), nil), does("c", step.StopFor(5*time.Second), nil)},
			ran:   []string{"a", "b", "c"},
			want:  step.Result{Last: "c", After: 2 * time.Second},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			state := &ran{}
			got, err := step.Run(t.Context(), tt.steps, state)
			if diff := cmp.Diff(tt.ran, state.names); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			if text := textOf(err); text != tt.err {
				t.Errorf("error %q, want %q", text, tt.err)
			}
			if tt.err != "" && !errors.Is(err, errBroken) {
				t.Errorf("the error hides its cause: %v", err)
			}
		})
	}
}

func TestRunEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	steps := []step.Step[*ran]{
		{Name: "a", Do: func(context.Context, *ran) (step.Outcome, error) { cancel(); return step.Next(), nil }},
		does("b", step.Next(), nil),
		always(does("c", step.Next(), nil)),
	}
	state := &ran{}
	_, err := step.Run(ctx, steps, state)
	var failed *step.Error
	if !errors.As(err, &failed) || failed.Step != "b" || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the end of the context at b", err)
	}
	if diff := cmp.Diff([]string{"c"}, state.names); diff != "" {
		t.Errorf("steps after the end (-want +got):\n%s", diff)
	}
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
