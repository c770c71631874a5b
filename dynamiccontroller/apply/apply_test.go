package apply

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

func fixedNow() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// liveOf is the stored object after owner has applied obj.
func liveOf(t *testing.T, owner Owner, obj plan.Object) map[string]any {
	t.Helper()
	return stored(t, owner.Marked(obj))
}

func TestApply(t *testing.T) {
	ctx := context.Background()
	obj := configMap(map[string]any{"a": "1"})
	former := testOwner()
	former.UID = "uid-0"
	stranger := testOwner()
	stranger.UID, stranger.Name = "uid-2", "other"
	plain := map[string]any{"metadata": map[string]any{"name": "shop", "uid": "uid-x"}}
	adopting := obj
	adopting.Lifecycle = graph.Lifecycle{Adopt: true}
	terminating := liveOf(t, testOwner(), obj)
	terminating["metadata"].(map[string]any)["deletionTimestamp"] = "2026-01-01T00:00:00Z"

	cases := map[string]struct {
		object  plan.Object
		planned map[string]any
		server  map[string]any
		known   types.UID
		fail    map[string]error
		calls   []string
		fault   plan.Fault
	}{
		"nothing there":         {object: obj, calls: []string{"patch"}},
		"ours, known":           {object: obj, planned: liveOf(t, testOwner(), obj), server: liveOf(t, testOwner(), obj), calls: []string{"patch"}},
		"ours, not known":       {object: obj, server: liveOf(t, testOwner(), obj), calls: []string{"patch", "get", "patch"}},
		"of the former one":     {object: obj, server: liveOf(t, former, obj), calls: []string{"patch", "get", "patch"}},
		"nobody's, adopted":     {object: adopting, server: plain, calls: []string{"patch", "get", "patch"}},
		"another instance's":    {object: adopting, server: liveOf(t, stranger, obj), calls: []string{"patch", "get"}, fault: plan.Fault{Reason: plan.ReasonObjectNotOwned}},
		"nobody's, not adopted": {object: obj, server: plain, calls: []string{"patch", "get"}, fault: plan.Fault{Reason: plan.ReasonObjectNotOwned}},
		"by UID of the status":  {object: obj, server: withoutLabels(liveOf(t, stranger, obj)), known: "uid-of-shop", calls: []string{"patch", "get", "patch"}},
		"being deleted":         {object: obj, planned: terminating, server: terminating, fault: plan.Fault{Reason: plan.ReasonProgressing}},
		"gone meanwhile":        {object: obj, planned: liveOf(t, testOwner(), obj), calls: []string{"patch"}, fault: plan.Fault{Reason: plan.ReasonApplyError, Passing: true}},
		"replaced meanwhile":    {object: obj, planned: liveOf(t, testOwner(), obj), server: plain, calls: []string{"patch"}, fault: plan.Fault{Reason: plan.ReasonApplyError, Passing: true}},
		"exists, not found": {
			object: obj, fail: map[string]error{"patch": statusError(http.StatusConflict, metav1.StatusReasonConflict)},
			calls: []string{"patch", "get"}, fault: plan.Fault{Reason: plan.ReasonApplyError, Passing: true}},
		"no connection": {
			object: obj, fail: map[string]error{"patch": errors.New("connection refused")},
			calls: []string{"patch"}, fault: plan.Fault{Reason: plan.ReasonApplyError, Passing: true}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			api := &fakeAPI{t: t, live: c.server, fail: c.fail}
			got, fault := New(fixedNow).Apply(ctx, Request{Owner: testOwner(), Object: c.object, Live: c.planned, Known: c.known, API: api})
			if diff := cmp.Diff(c.calls, api.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if c.fault == (plan.Fault{}) {
				if fault != nil || !testOwner().Compare(c.object, got).IsNone(nil) {
					t.Errorf("fault %v, or the answer is not what is wanted: %v", fault, got)
				}
				return
			}
			if fault == nil || fault.Reason != c.fault.Reason || fault.Passing != c.fault.Passing || fault.Message == "" {
				t.Errorf("fault %+v, want %+v with a message", fault, c.fault)
			}
		})
	}
}

func withoutLabels(live map[string]any) map[string]any {
	delete(live["metadata"].(map[string]any), "labels")
	return live
}

func TestEveryLaterWriteCarriesTheUID(t *testing.T) {
	obj := configMap(map[string]any{"a": "2"})
	live := liveOf(t, testOwner(), configMap(map[string]any{"a": "1"}))
	api := &fakeAPI{t: t, live: live}
	if _, fault := New(fixedNow).Apply(context.Background(), Request{Owner: testOwner(), Object: obj, Live: live, API: api}); fault != nil {
		t.Fatalf("applying: %v", fault)
	}
	metadata := api.bodies[0]["metadata"].(map[string]any)
	if metadata["uid"] != "uid-of-shop" || metadata["resourceVersion"] != nil {
		t.Errorf("uid %v and resourceVersion %v, want the planned UID and none", metadata["uid"], metadata["resourceVersion"])
	}
}

func TestIgnoredFieldsCarryTheLiveValue(t *testing.T) {
	obj := configMap(map[string]any{"a": "1", "b": "1"})
	obj.Lifecycle = graph.Lifecycle{IgnoreFields: []string{"data.a"}}
	live := liveOf(t, testOwner(), obj)
	live["data"] = map[string]any{"a": "foreign", "b": "1"}
	if !testOwner().Compare(obj, live).IsNone(nil) {
		t.Error("a changed ignored field counts as a difference")
	}
	obj.Rendered["data"] = map[string]any{"a": "1", "b": "2"}
	api := &fakeAPI{t: t, live: live}
	if _, fault := New(fixedNow).Apply(context.Background(), Request{Owner: testOwner(), Object: obj, Live: live, API: api}); fault != nil {
		t.Fatalf("applying: %v", fault)
	}
	if diff := cmp.Diff(map[string]any{"a": "foreign", "b": "2"}, api.bodies[0]["data"]); diff != "" {
		t.Errorf("written data (-want +got):\n%s", diff)
	}
	if rv := api.bodies[0]["metadata"].(map[string]any)["resourceVersion"]; rv != "7" {
		t.Errorf("resourceVersion %v, want that of the live value", rv)
	}
}

func TestForbidden(t *testing.T) {
	forbidden := map[string]error{"patch": statusError(http.StatusForbidden, metav1.StatusReasonForbidden)}
	cases := map[string]struct {
		allowed bool
		err     error
		want    plan.Reason
	}{
		"no right":          {allowed: false, want: plan.ReasonForbidden},
		"right, but denied": {allowed: true, want: plan.ReasonAdmissionDenied},
		"cannot tell":       {err: errors.New("no answer"), want: plan.ReasonApplyError},
		"no impersonation":  {err: statusError(http.StatusForbidden, metav1.StatusReasonForbidden), want: plan.ReasonForbidden},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			mayDo := func(context.Context, string, Place) (bool, error) { return c.allowed, c.err }
			_, fault := New(fixedNow).Apply(context.Background(), Request{
				Owner: testOwner(), Object: configMap(nil), API: &fakeAPI{t: t, fail: forbidden}, MayDo: mayDo,
			})
			if fault == nil || fault.Reason != c.want {
				t.Errorf("fault %+v, want %s", fault, c.want)
			}
		})
	}
}

// TestForbiddenToLook has an object in the way that the identity may write and not read.
func TestForbiddenToLook(t *testing.T) {
	forbidden := map[string]error{"get": statusError(http.StatusForbidden, metav1.StatusReasonForbidden)}
	mayDo := func(_ context.Context, verb string, _ Place) (bool, error) { return verb != "get", nil }
	_, fault := New(fixedNow).Apply(context.Background(), Request{
		Owner: testOwner(), Object: configMap(nil), MayDo: mayDo,
		API: &fakeAPI{t: t, fail: forbidden, live: map[string]any{"metadata": map[string]any{"uid": "u"}}},
	})
	if fault == nil || fault.Reason != plan.ReasonForbidden || !strings.Contains(fault.Message, "the right to get configmaps") {
		t.Errorf("fault %+v, want Forbidden that names the right to get", fault)
	}
}

func TestForbiddenAfterALostConnectionPasses(t *testing.T) {
	now := fixedNow()
	a := New(func() time.Time { return now })
	api := &fakeAPI{t: t, fail: map[string]error{"patch": errors.New("connection refused")}}
	r := Request{Owner: testOwner(), Object: configMap(nil), API: api}
	if _, fault := a.Apply(context.Background(), r); fault == nil || !fault.Passing {
		t.Fatalf("fault %+v, want a passing one", fault)
	}
	api.fail["patch"] = statusError(http.StatusForbidden, metav1.StatusReasonForbidden)
	now = now.Add(5 * time.Second)
	if _, fault := a.Apply(context.Background(), r); fault == nil || !fault.Passing {
		t.Errorf("fault %+v after 5 s, want a passing one", fault)
	}
	now = now.Add(6 * time.Second)
	if _, fault := a.Apply(context.Background(), r); fault == nil || fault.Reason != plan.ReasonForbidden {
		t.Errorf("fault %+v after 11 s, want Forbidden", fault)
	}
}
