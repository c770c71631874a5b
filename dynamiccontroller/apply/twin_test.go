package apply

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/runtime/plan"
)

// TestAnswersWithoutAReason tells an API server that cannot read one object from one that is ill.
func TestAnswersWithoutAReason(t *testing.T) {
	bare := statusError(http.StatusInternalServerError, metav1.StatusReasonUnknown)
	invalid := invalidError("spec", metav1.CauseTypeFieldValueRequired)
	tests := map[string]struct {
		err     error
		try     []error // of the twin, and of one without content
		calls   []string
		passing bool
	}{
		"the object":         {bare, []error{bare, invalid}, []string{"patch", "try", "try"}, false},
		"it would be taken":  {bare, []error{bare, nil}, []string{"patch", "try", "try"}, false},
		"the server":         {bare, []error{bare, bare}, []string{"patch", "try", "try"}, true},
		"it was a moment":    {bare, []error{nil}, []string{"patch", "try"}, true},
		"a fault with words": {statusError(http.StatusInternalServerError, metav1.StatusReasonInternalError), nil, []string{"patch"}, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			api := &fakeAPI{t: t, fail: map[string]error{"patch": tt.err}, tries: tt.try}
			_, fault := New(fixedNow).Apply(context.Background(), Request{Owner: testOwner(), Object: configMap(map[string]any{"a": "1"}), API: api})
			if diff := cmp.Diff(tt.calls, api.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if fault == nil || fault.Passing != tt.passing || (fault.Reason == plan.ReasonInvalidObject) == tt.passing {
				t.Errorf("fault %+v, want a passing one: %v", fault, tt.passing)
			}
		})
	}
}

// TestEmptiedMapsAreWrittenInTwo is for custom resources; the second write follows the first.
func TestEmptiedMapsAreWrittenInTwo(t *testing.T) {
	for kind, writes := range map[string]int{"Bag": 2, "ConfigMap": 1} {
		obj := configMap(map[string]any{})
		obj.GVK.Kind = kind
		obj.Lifecycle.IgnoreFields = []string{"data.ignored"}
		live := liveOf(t, testOwner(), configMap(map[string]any{"a": "1"}))
		live["metadata"].(map[string]any)["resourceVersion"] = "5"
		api := &fakeAPI{t: t, live: live}
		if _, fault := New(fixedNow).Apply(context.Background(), Request{Owner: testOwner(), Object: obj, Live: live, API: api}); fault != nil {
			t.Fatalf("applying: %v", fault)
		}
		var versions []any
		for _, body := range api.bodies {
			versions = append(versions, body["metadata"].(map[string]any)["resourceVersion"])
		}
		if diff := cmp.Diff([]any{"5", "7"}[:writes], versions); diff != "" {
			t.Errorf("%s: versions that the writes carry (-want +got):\n%s", kind, diff)
		}
		if _, whole := api.bodies[writes-1]["data"]; !whole {
			t.Errorf("%s: the last write has no data", kind)
		}
	}
}
