package apply

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

func TestReplaceWhatRefusesAChange(t *testing.T) {
	stranger := testOwner()
	stranger.UID = "uid-2"
	wrong := map[string]error{"try": invalidError("spec.selector", metav1.CauseTypeFieldValueInvalid)}
	cases := map[string]struct {
		owner     Owner
		lifecycle graph.Lifecycle
		fail      map[string]error
		lingers   bool
		calls     []string
		told      bool
		reason    plan.Reason
	}{
		"immutable":       {owner: testOwner(), lifecycle: graph.Lifecycle{Recreate: true}, calls: []string{"patch", "try", "delete", "patch"}, told: true},
		"not asked for":   {owner: testOwner(), calls: []string{"patch"}, reason: plan.ReasonInvalidObject},
		"to be left":      {owner: testOwner(), lifecycle: graph.Lifecycle{Recreate: true, Orphan: true}, calls: []string{"patch"}, reason: plan.ReasonInvalidObject},
		"a wrong value":   {owner: testOwner(), lifecycle: graph.Lifecycle{Recreate: true}, fail: wrong, calls: []string{"patch", "try"}, reason: plan.ReasonInvalidObject},
		"somebody else's": {owner: stranger, lifecycle: graph.Lifecycle{Recreate: true}, calls: []string{"patch"}, reason: plan.ReasonInvalidObject},
		"with finalizers": {owner: testOwner(), lifecycle: graph.Lifecycle{Recreate: true}, lingers: true, calls: []string{"patch", "try", "delete"}, told: true, reason: plan.ReasonProgressing},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			live := liveOf(t, c.owner, configMap(map[string]any{"a": "1"}))
			api := &fakeAPI{t: t, live: live, fail: c.fail, lingers: c.lingers, immutable: true}
			obj := configMap(map[string]any{"a": "2"})
			obj.Lifecycle = c.lifecycle
			told := ""
			got, fault := New(fixedNow).Apply(context.Background(), Request{
				Owner: testOwner(), Object: obj, Live: live, API: api, Replacing: func(cause string) { told = cause },
			})
			if diff := cmp.Diff(c.calls, api.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if (fault == nil) != (c.reason == "") || (fault != nil && fault.Reason != c.reason) {
				t.Errorf("fault %+v, want reason %q", fault, c.reason)
			}
			if (told != "") != c.told {
				t.Errorf("told %q before deleting, want it told: %t", told, c.told)
			}
			if data, _ := lookup(got, []step{{key: "data", index: -1}, {key: "a", index: -1}}); fault == nil && data != "2" {
				t.Errorf("the new object holds %v, want 2", data)
			}
		})
	}
}
