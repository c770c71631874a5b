package apply

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/runtime/plan"
)

func TestDelete(t *testing.T) {
	obj := configMap(map[string]any{"a": "1"})
	ours := liveOf(t, testOwner(), obj)
	stranger := testOwner()
	stranger.UID = "uid-2"
	another := map[string]any{"metadata": map[string]any{"name": "shop", "uid": "uid-x"}}
	forbidden := map[string]error{"delete": statusError(http.StatusForbidden, metav1.StatusReasonForbidden)}
	cases := map[string]struct {
		planned, server map[string]any
		fail            map[string]error
		calls           []string
		lingers         bool
		left, gone      bool
		reason          plan.Reason
	}{
		"ours":            {planned: ours, server: ours, calls: []string{"delete"}, gone: true},
		"with finalizers": {planned: ours, server: ours, lingers: true, calls: []string{"delete"}, left: true},
		"gone already":    {planned: ours, calls: []string{"delete"}, gone: true},
		"replaced":        {planned: ours, server: another, calls: []string{"delete"}, left: true, reason: plan.ReasonApplyError},
		"of another UID":  {planned: map[string]any{"metadata": map[string]any{"uid": "uid-x"}}, server: another, left: true, reason: plan.ReasonObjectNotOwned},
		"without a right": {planned: ours, server: ours, fail: forbidden, calls: []string{"delete"}, left: true, reason: plan.ReasonForbidden},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			api := &fakeAPI{t: t, live: c.server, fail: c.fail, lingers: c.lingers}
			mayDo := func(_ context.Context, verb string, _ Place) (bool, error) { return verb != "delete", nil }
			gone, fault := New(fixedNow).Delete(context.Background(), Removal{Owner: testOwner(), Object: obj, Live: c.planned, API: api, MayDo: mayDo})
			if gone != c.gone || (api.live != nil) != c.left {
				t.Errorf("gone %t, left %t; want %t, %t", gone, api.live != nil, c.gone, c.left)
			}
			if diff := cmp.Diff(c.calls, api.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if (fault == nil) != (c.reason == "") || (fault != nil && fault.Reason != c.reason) {
				t.Errorf("fault %+v, want reason %q", fault, c.reason)
			}
		})
	}
}

func TestReleaseTakesOnlyTheMarks(t *testing.T) {
	live := liveOf(t, testOwner(), configMap(map[string]any{"a": "1"}))
	metadata := live["metadata"].(map[string]any)
	foreign := map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "uid-p"}
	metadata["ownerReferences"] = append([]any{foreign}, metadata["ownerReferences"].([]any)...)
	got := releasePatch(testOwner(), live)["metadata"].(map[string]any)
	if diff := cmp.Diff([]any{foreign}, got["ownerReferences"]); diff != "" {
		t.Errorf("owner references (-want +got):\n%s", diff)
	}
	for k := range testOwner().labels() {
		if v, there := got["labels"].(map[string]any)[k]; !there || v != nil {
			t.Errorf("label %s stays", k)
		}
	}
	if _, there := got["labels"].(map[string]any)["team"]; there {
		t.Error("a label of the template is removed")
	}
	if got["uid"] != "uid-of-shop" || got["resourceVersion"] != "7" {
		t.Errorf("uid %v, resourceVersion %v, want those of the live object", got["uid"], got["resourceVersion"])
	}
}
