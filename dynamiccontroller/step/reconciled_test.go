package step_test

import (
	"errors"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/step"
)

func TestReconciled(t *testing.T) {
	conflict := &step.Error{Step: "writing", Err: apierrors.NewConflict(schema.GroupResource{Resource: "things"}, "a", errBroken)}
	for name, tt := range map[string]struct {
		err   error
		after time.Duration
		text  string
	}{
		"well":        {nil, time.Minute, ""},
		"a conflict":  {conflict, step.ConflictTime, ""},
		"other fault": {&step.Error{Step: "writing", Err: errBroken}, 0, `reconciling thing "a": writing: broken`},
	} {
		got, err := step.Reconciled(step.Result{After: time.Minute}, tt.err, `thing "a"`)
		if got.RequeueAfter != tt.after || (err == nil) != (tt.text == "") || (err != nil && err.Error() != tt.text) {
			t.Errorf("%s: after %v, %v; want after %v, %q", name, got.RequeueAfter, err, tt.after, tt.text)
		}
		if tt.text != "" && !errors.Is(err, errBroken) {
			t.Errorf("%s: the cause is lost", name)
		}
	}
}
