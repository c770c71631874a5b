package resourcegroup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/graph"
)

// fakeRights are the engine's.
type fakeRights struct {
	missing []string
	role    string
	err     error
	asked   int
}

func (f *fakeRights) Missing(context.Context, *graph.Graph) (missing []string, role string, err error) {
	f.asked++
	return f.missing, f.role, f.err
}

// TestEngineForbidden lacks a right, is asked again, and gets it.
func TestEngineForbidden(t *testing.T) {
	w := newWorld(t)
	rights := &fakeRights{missing: []string{"list secrets", "watch secrets"}, role: "kind: ClusterRole\n"}
	w.reconciler.deps.Rights = rights
	w.run()
	wantConditions(t, w, map[v1alpha1.ConditionType]string{
		v1alpha1.ConditionControllerReady: "False/EngineForbidden", v1alpha1.ConditionReady: "False/EngineForbidden",
	})
	if w.status("state") != "Active" || !w.registered {
		t.Error("what is allowed is not served")
	}
	rights.missing = nil
	w.run()
	wantConditions(t, w, map[v1alpha1.ConditionType]string{v1alpha1.ConditionControllerReady: "True/Running"})
	before := rights.asked
	w.run()
	if rights.asked != before {
		t.Error("it asks again for a graph for which nothing is missing")
	}
}

func TestRightsThatCannotBeTold(t *testing.T) {
	w := newWorld(t)
	w.reconciler.deps.Rights = &fakeRights{err: errors.New("no answer")}
	w.run()
	wantConditions(t, w, map[v1alpha1.ConditionType]string{v1alpha1.ConditionControllerReady: "True/Running"})
}

func TestForbiddenText(t *testing.T) {
	var many []string
	for i := range 12 {
		many = append(many, fmt.Sprintf("list r%d", i))
	}
	tests := map[string]struct {
		missing []string
		role    string
		want    string
	}{
		"one": {
			many[:1], "kind: ClusterRole\n",
			"the engine may not list r0; apply this role, which `plait rbac` prints first:\nkind: ClusterRole\n",
		},
		"many, of a large role": {
			many, strings.Repeat("x", maxRole+1),
			"the engine may not list r0, list r1, list r2, list r3, list r4, list r5, list r6, list r7, list r8, list r9 and 2 more; " +
				"apply the first document that `plait rbac` prints for this group",
		},
	}
	for name, tt := range tests {
		if diff := cmp.Diff(tt.want, forbiddenText(tt.missing, tt.role)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
