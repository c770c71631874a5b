package instance

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/runtime/plan"
)

func TestToolsSeeTheState(t *testing.T) {
	fail := func(err error) func(*bench) { return func(b *bench) { b.fail["patch a"] = err } }
	cases := map[string]struct {
		prepare func(*bench)
		state   string
		tools   status.Status
	}{
		"not looked at": {nil, "", status.InProgressStatus},
		"ready":         {func(*bench) {}, "ACTIVE", status.CurrentStatus},
		"invalid":       {fail(failure(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid)), "FAILED", status.FailedStatus},
		"no connection": {fail(errors.New("refused")), "ERROR", status.InProgressStatus},
		"waiting": {func(b *bench) {
			b.evaluator.nodes[0].needs = []string{"other"}
		}, "IN_PROGRESS", status.InProgressStatus},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, wide(1))
			if c.prepare != nil {
				c.prepare(b)
				_, _ = b.run()
			}
			b.wantState(t, c.state)
			got, err := status.Compute(b.instance())
			if err != nil || got.Status != c.tools {
				t.Errorf("kstatus says %v (%v), want %s", got, err, c.tools)
			}
		})
	}
}

func TestDeletingIsTerminating(t *testing.T) {
	b := newBench(t, wide(1))
	b.mustRun(t)
	held := unstructured.Unstructured{Object: b.objects[apply.Place{Resource: configMaps, Namespace: "team-a", Name: "a"}]}
	held.SetFinalizers([]string{"example.com/hold"})
	b.markDeleted(placeOfInstance())
	b.mustRun(t)
	b.wantState(t, "DELETING")
	if got, err := status.Compute(b.instance()); err != nil || got.Status != status.TerminatingStatus {
		t.Errorf("kstatus says %v (%v), want Terminating", got, err)
	}
}

func TestTimesMoveOnlyWithWhatTheyAreOf(t *testing.T) {
	b := newBench(t, wide(2))
	b.mustRun(t)
	at := func() (transition, since any) {
		list, _, _ := unstructured.NestedSlice(b.instance().Object, "status", "resources")
		return conditionOf(b.instance().Object, v1alpha1.ConditionReady)["lastTransitionTime"], list[0].(map[string]any)["since"]
	}
	transition, since := at()
	b.now = b.now.Add(time.Hour)
	b.evaluator.nodes[0].value = "new"
	b.edit(func(*unstructured.Unstructured) {})
	b.mustRun(t)
	if now, then := at(); now != transition || then != since {
		t.Errorf("times moved from %v, %v to %v, %v although nothing changed its state", transition, since, now, then)
	}
}

func TestProjections(t *testing.T) {
	b := newBench(t, wide(1))
	b.evaluator.status = map[string]any{"url": "http://a", "port": 8080, "state": "hidden"}
	b.mustRun(t)
	got := b.instance().Object["status"].(map[string]any)
	if got["url"] != "http://a" || got["port"] != int64(8080) || got["state"] != "ACTIVE" {
		t.Errorf("status is %v", got)
	}
	b.evaluator.status = map[string]any{"port": 8080}
	b.mustRun(t)
	if got := b.instance().Object["status"].(map[string]any); got["url"] != nil {
		t.Errorf("a projection without a value stays: %v", got["url"])
	}
}

func TestKeepLast(t *testing.T) {
	old := map[string]any{"a": map[string]any{"b": "old", "c": "old"}, "d": "old"}
	cases := map[string]struct {
		path []string
		out  map[string]any
		want map[string]any
	}{
		"top":          {[]string{"d"}, map[string]any{}, map[string]any{"d": "old"}},
		"nested":       {[]string{"a", "b"}, map[string]any{"a": map[string]any{"c": "new"}}, map[string]any{"a": map[string]any{"b": "old", "c": "new"}}},
		"never known":  {[]string{"x", "y"}, map[string]any{}, map[string]any{}},
		"no map there": {[]string{"d", "y"}, map[string]any{}, map[string]any{}},
		"new one wins": {[]string{"d"}, map[string]any{"d": "new"}, map[string]any{"d": "new"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			keepLast(c.out, old, c.path)
			if diff := cmp.Diff(c.want, c.out); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
		})
	}
}

func TestResourcesAreCapped(t *testing.T) {
	many := make([]any, 150)
	for i := range many {
		many[i] = map[string]any{"id": "a"}
	}
	list, omitted := capped(many)
	if len(list) != maxResources || omitted != 50 {
		t.Errorf("%d shown and %d omitted, want %d and 50", len(list), omitted, maxResources)
	}
	large := []any{map[string]any{"message": string(make([]byte, maxResourceBytes))}, map[string]any{"id": "b"}}
	if list, omitted := capped(large); len(list) != 0 || omitted != 2 {
		t.Errorf("%d shown and %d omitted of what is too large, want 0 and 2", len(list), omitted)
	}
}

func TestRetryDelays(t *testing.T) {
	cases := []struct {
		reason plan.Reason
		tries  int
		want   time.Duration
	}{
		{plan.ReasonForbidden, 1, 15 * time.Second}, {plan.ReasonForbidden, 2, 30 * time.Second}, {plan.ReasonForbidden, 99, 5 * time.Minute},
		{plan.ReasonInvalidObject, 1, 10 * time.Minute}, {plan.ReasonInvalidObject, 7, 10 * time.Minute},
		{plan.ReasonConflict, 1, time.Minute}, {plan.ReasonConflict, 9, 10 * time.Minute},
	}
	for _, c := range cases {
		if got := retryDelay(c.reason, c.tries, 10*time.Minute); got != c.want {
			t.Errorf("%s after %d tries: %s, want %s", c.reason, c.tries, got, c.want)
		}
	}
}

func TestFieldsOfTheStatusThatFail(t *testing.T) {
	denied, wrong := plan.StatusFault{Path: "status.a", Message: "no right", Denied: true}, plan.StatusFault{Path: "status.b", Message: "no number"}
	for _, row := range []struct {
		faults  []plan.StatusFault
		reason  v1alpha1.Reason
		message string
	}{
		{[]plan.StatusFault{denied}, v1alpha1.ReasonForbidden, "status.a: no right"},
		{[]plan.StatusFault{wrong}, v1alpha1.ReasonEvaluationFailed, "status.b: no number"},
		{[]plan.StatusFault{denied, wrong}, v1alpha1.ReasonEvaluationFailed, "status.a: no right; status.b: no number"},
	} {
		if c := notProjected(row.faults); c.status != "False" || c.reason != row.reason || c.message != row.message {
			t.Errorf("%v: got %v", row.faults, c)
		}
	}
}
