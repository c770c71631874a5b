package instance

import (
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/runtime/plan"
)

func TestBudgets(t *testing.T) {
	for name, nodes := range map[string][]fakeNode{"wide": wide(10), "chain": chain(10)} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nodes)
			up := b.mustRun(t)
			b.wantState(t, "ACTIVE")
			if len(up) != 12 || up[0] != "patch shop" || up[11] != "patch shop/status" {
				t.Errorf("bringing up took %d requests, want claim, 10 applies and status: %v", len(up), up)
			}
			if again := b.mustRun(t); len(again) != 0 {
				t.Errorf("a settled instance costs %v", again)
			}
			for i := range nodes {
				b.evaluator.nodes[i].value = "new"
			}
			b.edit(func(*unstructured.Unstructured) {})
			if change := b.mustRun(t); len(change) != 11 {
				t.Errorf("a change of all took %d requests: %v", len(change), change)
			}
			b.evaluator.nodes[3].value = "newer"
			b.edit(func(*unstructured.Unstructured) {})
			if diff := cmp.Diff([]string{"patch d", "patch shop/status"}, b.mustRun(t)); diff != "" {
				t.Errorf("a change of one (-want +got):\n%s", diff)
			}
			b.markDeleted(placeOfInstance())
			if down := b.runUntilGone(t); len(down) != 11 {
				t.Errorf("deleting took %d requests, want 10 deletions and the finalizer: %v", len(down), down)
			}
			if left := b.names("configmaps"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func placeOfInstance() apply.Place {
	return apply.Place{Resource: testResource, Namespace: "team-a", Name: "shop"}
}

func (b *bench) runUntilGone(t *testing.T) []string {
	t.Helper()
	var all []string
	for range 30 {
		if _, ok := b.Instance(testResource, testKey); !ok {
			return all
		}
		all = append(all, b.mustRun(t)...)
	}
	t.Fatalf("the instance does not go; requests %v", all)
	return nil
}

func TestDeletionGoesFromDependentsToDependencies(t *testing.T) {
	b := newBench(t, chain(3))
	b.mustRun(t)
	b.markDeleted(placeOfInstance())
	want := []string{"delete c", "delete b", "delete a", "patch shop"}
	if diff := cmp.Diff(want, b.runUntilGone(t)); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestDeletionNeedsNoGraph(t *testing.T) {
	b := newBench(t, chain(2))
	b.mustRun(t)
	b.controller.Serve(Serving{})
	b.evaluator = nil
	b.markDeleted(placeOfInstance())
	b.runUntilGone(t)
	if left := b.names("configmaps"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDeletionWaitsForWhatCannotBeTold(t *testing.T) {
	for kind, gone := range map[string]bool{"Gone.example.com": true, "Unclear.example.com": false} {
		t.Run(kind, func(t *testing.T) {
			b := newBench(t, nil)
			b.edit(func(u *unstructured.Unstructured) {
				u.SetAnnotations(map[string]string{v1alpha1.AnnotationApplySetGroupKinds: kind})
				u.SetFinalizers([]string{v1alpha1.FinalizerInstance})
			})
			b.markDeleted(placeOfInstance())
			b.mustRun(t)
			if _, there := b.Instance(testResource, testKey); there == gone {
				t.Errorf("instance is there: %t, want %t", there, !gone)
			}
		})
	}
}

func TestDeletionThatDoesNotEndIsNamed(t *testing.T) {
	b := newBench(t, wide(1))
	b.mustRun(t)
	child := apply.Place{Resource: configMaps, Namespace: "team-a", Name: "a"}
	held := unstructured.Unstructured{Object: b.objects[child]}
	held.SetFinalizers([]string{"example.com/hold"})
	b.markDeleted(placeOfInstance())
	b.mustRun(t)
	for _, step := range []struct {
		after  time.Duration
		reason string
	}{{6 * time.Second, "Deleting"}, {11 * time.Minute, "DeletionStalled"}} {
		b.now = testNow.Add(step.after)
		b.mustRun(t)
		ready := conditionOf(b.instance().Object, v1alpha1.ConditionReady)
		want := "waiting for the deletion of ConfigMap team-a/a (finalizers [example.com/hold])"
		if ready["reason"] != step.reason || ready["message"] != want {
			t.Errorf("after %s: %v %q, want %s %q", step.after, ready["reason"], ready["message"], step.reason, want)
		}
	}
}

func TestOrphansAreReleased(t *testing.T) {
	b := newBench(t, wide(1))
	b.mustRun(t)
	b.edit(func(u *unstructured.Unstructured) {
		u.SetFinalizers(append(u.GetFinalizers(), metav1.FinalizerOrphanDependents))
	})
	b.markDeleted(placeOfInstance())
	for range 3 {
		b.mustRun(t)
	}
	if diff := cmp.Diff([]string{"a"}, b.names("configmaps")); diff != "" {
		t.Errorf("ConfigMaps (-want +got):\n%s", diff)
	}
	if f := b.instance().GetFinalizers(); slices.Contains(f, v1alpha1.FinalizerInstance) {
		t.Errorf("our finalizer stays: %v", f)
	}
}

func TestFailedWriteStopsNobodyElseAndIsNotRepeated(t *testing.T) {
	b := newBench(t, wide(2))
	b.fail["patch a"] = failure(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid)
	b.mustRun(t)
	b.wantState(t, "FAILED")
	if diff := cmp.Diff([]string{"b"}, b.names("configmaps")); diff != "" {
		t.Errorf("ConfigMaps (-want +got):\n%s", diff)
	}
	if again := b.mustRun(t); len(again) != 0 {
		t.Errorf("the second pass asks %v", again)
	}
	delete(b.fail, "patch a")
	b.now = testNow.Add(11 * time.Minute)
	b.mustRun(t)
	b.wantState(t, "ACTIVE")
}

func TestChangedInputRetriesAtOnce(t *testing.T) {
	b := newBench(t, wide(1))
	b.fail["patch a"] = failure(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid)
	b.mustRun(t)
	delete(b.fail, "patch a")
	b.evaluator.nodes[0].value = "valid"
	b.mustRun(t)
	b.wantState(t, "ACTIVE")
}

func TestPassingFaultIsRetriedByTheQueue(t *testing.T) {
	b := newBench(t, wide(2))
	b.fail["patch a"] = errors.New("connection refused")
	if _, err := b.run(); err == nil {
		t.Error("a passing fault gives no error")
	}
	b.wantState(t, "ERROR")
	b.fail = nil
	b.mustRun(t)
	b.wantState(t, "ACTIVE")
}

func TestMissingNamespaceIsWaitedFor(t *testing.T) {
	b := newBench(t, wide(1))
	missing := failure(http.StatusNotFound, metav1.StatusReasonNotFound)
	missing.ErrStatus.Details = &metav1.StatusDetails{Kind: "namespaces", Name: "team-a"}
	b.fail["patch a"] = missing
	b.mustRun(t)
	b.wantState(t, "IN_PROGRESS")
	ready := conditionOf(b.instance().Object, v1alpha1.ConditionReady)
	if want := "waiting for namespace team-a (since 12:00:00Z)"; ready["message"] != want {
		t.Errorf("message %q, want %q", ready["message"], want)
	}
}

func TestNobodyActsWithoutAnAccount(t *testing.T) {
	cases := map[string]struct {
		accounts map[string]string
		exists   map[string]bool
		reason   string
	}{
		"no entry":       {map[string]string{"team-b": "deployer"}, nil, "NoServiceAccount"},
		"does not exist": {map[string]string{"team-a": "deployer"}, map[string]bool{}, "ServiceAccountNotFound"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, wide(1))
			b.controller.accounts, b.accounts = c.accounts, c.exists
			if diff := cmp.Diff([]string{"patch shop/status"}, b.mustRun(t)); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			b.wantState(t, "FAILED")
			got := conditionOf(b.instance().Object, v1alpha1.ConditionServiceAccountResolved)
			if got["status"] != "False" || got["reason"] != c.reason {
				t.Errorf("ServiceAccountResolved %v/%v, want False/%s", got["status"], got["reason"], c.reason)
			}
		})
	}
}

func TestExternalsAreReadWithTheAccountsRights(t *testing.T) {
	secrets := schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	b := newBench(t, wide(1))
	b.controller.accounts = map[string]string{"*": "deployer"}
	b.evaluator.wants = []plan.Want{{Resource: secrets, Kind: "Secret", Namespace: "team-a", Name: "s"}}
	b.mustRun(t)
	if b.wanted == nil {
		t.Error("the external is not wanted after the pass")
	}
	if account := recordedAccount(b.instance()); account != "team-a/deployer" {
		t.Errorf("account %q, want team-a/deployer", account)
	}
}

func TestForeignNamespaceIsClaimedFirst(t *testing.T) {
	nodes := wide(1)
	nodes[0].namespace = "team-b"
	b := newBench(t, nodes)
	if diff := cmp.Diff([]string{"patch shop", "patch shop", "patch a", "patch shop/status"}, b.mustRun(t)); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if ns := b.instance().GetAnnotations()[v1alpha1.AnnotationApplySetNamespaces]; ns != "team-b" {
		t.Errorf("additional namespaces %q, want team-b", ns)
	}
	b.wantState(t, "ACTIVE")
	if again := b.mustRun(t); len(again) != 0 {
		t.Errorf("a settled instance costs %v", again)
	}
}

func TestSuspendedWritesNothingButSaysSo(t *testing.T) {
	b := newBench(t, wide(1))
	b.mustRun(t)
	b.evaluator.nodes[0].value = "new"
	b.edit(func(u *unstructured.Unstructured) {
		annotations := u.GetAnnotations()
		annotations[v1alpha1.AnnotationReconcile] = v1alpha1.ReconcileSuspended
		u.SetAnnotations(annotations)
	})
	if diff := cmp.Diff([]string{"patch shop/status"}, b.mustRun(t)); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if again := b.mustRun(t); len(again) != 0 {
		t.Errorf("a suspended instance costs %v", again)
	}
	for kind, want := range map[v1alpha1.ConditionType]string{v1alpha1.ConditionReady: "True", v1alpha1.ConditionSuspended: "True"} {
		if got := conditionOf(b.instance().Object, kind)["status"]; got != want {
			t.Errorf("%s is %v, want %s", kind, got, want)
		}
	}
}

func TestIncompleteCacheWritesNothing(t *testing.T) {
	b := newBench(t, wide(1))
	b.unsynced = []schema.GroupVersionResource{configMaps}
	if diff := cmp.Diff([]string{"patch shop"}, b.mustRun(t)); diff != "" {
		t.Errorf("requests at first (-want +got):\n%s", diff)
	}
	b.now = testNow.Add(3 * time.Second)
	if diff := cmp.Diff([]string{"patch shop/status"}, b.mustRun(t)); diff != "" {
		t.Errorf("requests later (-want +got):\n%s", diff)
	}
	b.wantState(t, "IN_PROGRESS")
	b.unsynced = nil
	b.mustRun(t)
	b.wantState(t, "ACTIVE")
}

func TestIncompleteCacheLeavesASettledInstanceAlone(t *testing.T) {
	b := newBench(t, wide(1))
	b.mustRun(t)
	b.unsynced = []schema.GroupVersionResource{configMaps}
	for _, after := range []time.Duration{0, syncPatience + time.Second, settledPatience - time.Second} {
		b.now = testNow.Add(after)
		if got := b.mustRun(t); len(got) > 0 {
			t.Errorf("an incomplete cache costs %v after %s, want nothing", got, after)
		}
	}
	b.now = testNow.Add(settledPatience + time.Second)
	if diff := cmp.Diff([]string{"patch shop/status"}, b.mustRun(t)); diff != "" {
		t.Errorf("a cache that stays incomplete (-want +got):\n%s", diff)
	}
	b.wantState(t, "IN_PROGRESS")
}

func TestPinsNeedPermission(t *testing.T) {
	b := newBench(t, wide(1))
	b.edit(func(u *unstructured.Unstructured) {
		u.SetAnnotations(map[string]string{v1alpha1.AnnotationRevision: "2"})
	})
	b.mustRun(t)
	b.wantState(t, "FAILED")
	if got := conditionOf(b.instance().Object, v1alpha1.ConditionGraphResolved)["reason"]; got != "RevisionIncompatible" {
		t.Errorf("reason %v, want RevisionIncompatible", got)
	}
}

func TestWhoAsksForAPassHasRightsAskedAnew(t *testing.T) {
	b := newBench(t, wide(1), WithIdentitySettings(identity.Settings{DefaultServiceAccount: "plait"}))
	b.mustRun(t)
	for _, at := range []string{"one", "one", "two"} {
		b.edit(func(u *unstructured.Unstructured) {
			annotations := u.GetAnnotations()
			annotations[v1alpha1.AnnotationReconcileAt] = at
			u.SetAnnotations(annotations)
		})
		b.mustRun(t)
	}
	account := identity.Identity{Namespace: "team-a", Name: "plait"}
	if diff := cmp.Diff([]identity.Identity{account, account}, b.forgotten); diff != "" {
		t.Errorf("asked anew, once for each value (-want +got):\n%s", diff)
	}
}

func TestSettingsOfTheEngineDecideWithoutAMap(t *testing.T) {
	b := newBench(t, wide(1), WithIdentitySettings(identity.Settings{DefaultServiceAccount: "plait"}))
	b.mustRun(t)
	if account := recordedAccount(b.instance()); account != "team-a/plait" {
		t.Errorf("account %q, want team-a/plait", account)
	}
}
