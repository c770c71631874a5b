package resourcegroup

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller"
)

func wantCalls(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func wantConditions(t *testing.T, w *world, want map[v1alpha1.ConditionType]string) {
	t.Helper()
	for kind, is := range want {
		if got := w.condition(kind); got != is {
			t.Errorf("%s is %s, want %s", kind, got, is)
		}
	}
}

func TestGroupIsServed(t *testing.T) {
	w := newWorld(t)
	wantCalls(t, w.run(), "claim", "revision 1", "create definition", "register", "status")
	wantConditions(t, w, map[v1alpha1.ConditionType]string{
		v1alpha1.ConditionGraphAccepted: "True/Valid", v1alpha1.ConditionKindsAvailable: "True/Available",
		v1alpha1.ConditionKindServed: "True/Served", v1alpha1.ConditionControllerReady: "True/Running",
		v1alpha1.ConditionServiceAccountsAllowed: "True/Allowed", v1alpha1.ConditionReady: "True/Available",
	})
	if diff := cmp.Diff([]any{"config"}, w.status("topologicalOrder")); diff != "" || w.status("state") != "Active" {
		t.Errorf("state %v, order (-want +got):\n%s", w.status("state"), diff)
	}
	if w.hub.Get("webapps") == nil {
		t.Error("the graph is not published")
	}
	if w.compiled != 1 {
		t.Errorf("compiled %d times", w.compiled)
	}
}

func TestChangedSpecIsTheNextRevision(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.instances = []*unstructured.Unstructured{instanceNamed("a", "ACTIVE"), instanceNamed("b", "FAILED")}
	w.now = w.now.Add(countTime)
	w.edit(map[string]any{"mark": "two"})
	wantCalls(t, w.run(), "revision 2", "replace definition", "enqueue a", "enqueue b", "status")
	if served := w.status("servedRevision"); served != int64(2) {
		t.Errorf("revision %v is served, want 2", served)
	}
	if diff := cmp.Diff(map[string]any{"total": int64(2), "ready": int64(1)}, w.status("instances")); diff != "" {
		t.Errorf("instances (-want +got):\n%s", diff)
	}
}

func TestBrokenSpecLeavesTheLastGoodOne(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.edit(map[string]any{"broken": "yes"})
	for _, restarted := range []bool{false, true} {
		t.Run(fmt.Sprintf("restarted %t", restarted), func(t *testing.T) {
			if restarted {
				w.registered = false
				w.restart(Config{})
			}
			w.run()
			wantConditions(t, w, map[v1alpha1.ConditionType]string{
				v1alpha1.ConditionGraphAccepted: "False/InvalidGraph", v1alpha1.ConditionKindServed: "True/Served",
				v1alpha1.ConditionControllerReady: "True/Running", v1alpha1.ConditionReady: "False/InvalidGraph",
			})
			if w.status("state") != "Active" || w.status("servedRevision") != int64(1) || !w.registered {
				t.Errorf("state %v, revision %v, registered %t: the last good one does not serve", w.status("state"), w.status("servedRevision"), w.registered)
			}
		})
	}
}

func TestBreakingChangeIsRefused(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.breaking = []string{"spec.text: the type changed from string to integer"}
	w.edit(map[string]any{"mark": "two"})
	wantCalls(t, w.run(), "revision 2", "status")
	wantConditions(t, w, map[v1alpha1.ConditionType]string{
		v1alpha1.ConditionKindServed: "False/BreakingChange", v1alpha1.ConditionReady: "False/BreakingChange",
	})
	if w.status("servedRevision") != int64(1) || w.status("latestRevision") != int64(2) {
		t.Errorf("revision %v of %v is served, want 1 of 2", w.status("servedRevision"), w.status("latestRevision"))
	}
	group := w.group.DeepCopy()
	group.SetAnnotations(map[string]string{v1alpha1.AnnotationAllowBreakingChanges: "2"})
	w.put(group)
	w.run()
	wantConditions(t, w, map[v1alpha1.ConditionType]string{v1alpha1.ConditionKindServed: "True/Served"})
	if w.status("servedRevision") != int64(2) {
		t.Errorf("revision %v is served, want 2", w.status("servedRevision"))
	}
}

func TestDefinitionsOfOthersStay(t *testing.T) {
	cases := map[string]struct {
		label, annotation string
		want              string
	}{
		"not Plait's":               {"", "", "False/Conflict"},
		"another group's":           {"uid-2", "other", "False/Conflict"},
		"released by this name":     {"", "webapps", "True/Served"},
		"of a former group":         {"uid-0", "webapps", "True/Served"},
		"ours, unknown to no cache": {"uid-1", "webapps", "True/Served"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			crd := &apiextensionsv1.CustomResourceDefinition{}
			crd.Name, crd.UID = definitionName, "uid-crd"
			crd.Labels = map[string]string{v1alpha1.LabelResourceGroupUID: c.label}
			crd.Annotations = map[string]string{v1alpha1.AnnotationResourceGroup: c.annotation}
			fakeDefinitions{w}.keep(crd)
			calls := w.run()
			wantConditions(t, w, map[v1alpha1.ConditionType]string{v1alpha1.ConditionKindServed: c.want})
			if replaced := slices.Contains(calls, "replace definition"); replaced != (c.want == "True/Served") {
				t.Errorf("definition replaced: %t; calls %v", replaced, calls)
			}
		})
	}
}

func TestPanicOfTheCompilerIsTheGroupsProblem(t *testing.T) {
	w := newWorld(t)
	w.panics = true
	w.run()
	wantConditions(t, w, map[v1alpha1.ConditionType]string{v1alpha1.ConditionGraphAccepted: "False/InvalidGraph"})
}

func TestWhatCannotBeToldLeavesEverything(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.compileErr = errors.New("group does not answer")
	w.edit(map[string]any{"mark": "two"})
	w.run()
	for range maxQuiet {
		w.run()
	}
	wantConditions(t, w, map[v1alpha1.ConditionType]string{v1alpha1.ConditionKindsAvailable: "Unknown/GroupUnavailable"})
	if w.status("state") != "Active" || w.hub.Get("webapps") == nil {
		t.Errorf("state %v: the last good graph does not stay", w.status("state"))
	}
}

func TestKindsThatAppearCompileAgain(t *testing.T) {
	w := newWorld(t)
	w.run()
	if names := w.reconciler.memories.markStale(schema.GroupKind{Kind: "Secret"}); len(names) > 0 {
		t.Errorf("groups %v use Secrets", names)
	}
	names := w.reconciler.memories.markStale(schema.GroupKind{Kind: "ConfigMap"})
	if diff := cmp.Diff([]string{"webapps"}, names); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	w.run()
	if w.compiled != 2 {
		t.Errorf("compiled %d times, want 2", w.compiled)
	}
	if w.status("latestRevision") != int64(1) {
		t.Errorf("revision %v, want the same one", w.status("latestRevision"))
	}
}

func TestConflictIsLookedAtWhenTheDefinitionGoes(t *testing.T) {
	w := newWorld(t)
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name, crd.UID = definitionName, "uid-crd"
	fakeDefinitions{w}.keep(crd)
	w.run()
	wantConditions(t, w, map[v1alpha1.ConditionType]string{v1alpha1.ConditionKindServed: "False/Conflict"})
	if diff := cmp.Diff([]string{"webapps"}, w.reconciler.memories.markStale(testKind.GroupKind())); diff != "" {
		t.Errorf("groups to look at (-want +got):\n%s", diff)
	}
	delete(w.definitions, definitionName)
	w.run()
	wantConditions(t, w, map[v1alpha1.ConditionType]string{v1alpha1.ConditionKindServed: "True/Served"})
	if names := w.reconciler.memories.markStale(testKind.GroupKind()); len(names) > 0 {
		t.Errorf("a change of the own definition compiles %v again", names)
	}
}

func TestDeletion(t *testing.T) {
	cases := map[string]struct {
		spec      map[string]any
		instances int
		want      []string
		stays     bool
	}{
		"no instances":    {nil, 0, []string{"replace definition", "drop webapps-1", "deregister", "let go"}, false},
		"deletes its CRD": {map[string]any{"crdDeletion": "Delete"}, 0, []string{"delete definition", "status", "drop webapps-1", "deregister", "let go"}, false},
		"waits":           {nil, 2, []string{"replace definition", "status"}, true},
		"cascades": {map[string]any{"deletionPolicy": "Cascade"}, 2,
			[]string{"replace definition", "delete instance i0", "delete instance i1", "status", "replace definition", "drop webapps-1", "deregister", "let go"}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.run()
			for i := range c.instances {
				w.instances = append(w.instances, instanceNamed(fmt.Sprintf("i%d", i), "ACTIVE"))
			}
			w.markDeleted(c.spec)
			wantCalls(t, w.run(), c.want...)
			if (w.group != nil) != c.stays {
				t.Errorf("the group stays: %t, want %t", w.group != nil, c.stays)
			}
			for _, crd := range w.definitions {
				if isClosed(crd) != c.stays {
					t.Errorf("closed for new instances: %t, want %t", !c.stays, c.stays)
				}
			}
			if c.stays && (w.condition(v1alpha1.ConditionReady) != "False/Terminating" || !w.registered) {
				t.Errorf("Ready %s, registered %t: want Terminating, and served", w.condition(v1alpha1.ConditionReady), w.registered)
			}
		})
	}
}

func TestControllerThatDoesNotRunIsExplained(t *testing.T) {
	cases := map[string]struct {
		why  error
		want string
	}{
		"not listed": {dynamiccontroller.ErrNotComplete, "False/CacheNotSynced"},
		"forbidden":  {apierrors.NewForbidden(schema.GroupResource{Resource: "webapps"}, "", errors.New("no")), "False/EngineForbidden"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.state = c.why
			for range maxQuiet + 2 {
				w.run()
			}
			wantConditions(t, w, map[v1alpha1.ConditionType]string{v1alpha1.ConditionControllerReady: c.want, v1alpha1.ConditionReady: c.want})
		})
	}
}

func TestOldRevisionsAreDropped(t *testing.T) {
	w := newWorld(t)
	w.restart(Config{RevisionsKept: 2})
	w.run()
	for _, mark := range []string{"two", "three", "four"} {
		w.edit(map[string]any{"mark": mark})
		w.run()
	}
	var kept []int64
	for _, r := range w.revisions {
		kept = append(kept, r.Spec.Revision)
	}
	if diff := cmp.Diff([]int64{3, 4}, kept); diff != "" {
		t.Errorf("revisions (-want +got):\n%s", diff)
	}
}

func TestInstancesAreCountedNowAndThen(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.now = w.now.Add(time.Minute)
	w.instances = []*unstructured.Unstructured{instanceNamed("a", "ACTIVE")}
	wantCalls(t, w.run(), "status")
	w.instances = append(w.instances, instanceNamed("b", "ACTIVE"))
	wantCalls(t, w.run())
	w.now = w.now.Add(countTime)
	wantCalls(t, w.run(), "status")
}

func TestRevisionNames(t *testing.T) {
	if got := revisionName("webapps", 12); got != "webapps-12" {
		t.Errorf("name %q, want webapps-12", got)
	}
	long := strings.Repeat("a", 253)
	if got, other := revisionName(long, 12), revisionName(long[:252]+"b", 12); len(got) > 253 || got == other {
		t.Errorf("names %q and %q are too long or alike", got, other)
	}
}
