package instance

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
)

func TestPruneDeletesWaveByWave(t *testing.T) {
	b := newBench(t, chain(3))
	b.mustRun(t)
	for i := range b.evaluator.nodes {
		b.evaluator.nodes[i].unwanted, b.evaluator.nodes[i].needs = true, nil
	}
	b.hold("b")
	if diff := cmp.Diff([]string{"delete c", "delete b", "patch shop/status"}, b.mustRun(t)); diff != "" {
		t.Errorf("until something stays (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string(nil), b.mustRun(t)); diff != "" {
		t.Errorf("while it stays (-want +got):\n%s", diff)
	}
	b.unhold("b")
	if diff := cmp.Diff([]string{"delete a", "patch shop/status"}, b.mustRun(t)); diff != "" {
		t.Errorf("when it is gone (-want +got):\n%s", diff)
	}
	if left := b.names("configmaps"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	b.wantState(t, "ACTIVE")
}

func TestPruneSaysWhatItMayNotDelete(t *testing.T) {
	b := newBench(t, wide(2))
	b.mustRun(t)
	b.evaluator.nodes[0].unwanted = true
	b.fail["delete a"] = failure(http.StatusForbidden, metav1.StatusReasonForbidden)
	b.mustRun(t)
	b.wantState(t, "FAILED")
	ready := conditionOf(b.instance().Object, v1alpha1.ConditionReady)
	if got, want := text(ready, "message"), "deleting ConfigMap team-a/a, which is not wanted any more: "; !strings.HasPrefix(got, want) {
		t.Errorf("Ready says %q, want it to begin with %q", got, want)
	}
	if ready["reason"] != "Forbidden" {
		t.Errorf("reason %v, want Forbidden", ready["reason"])
	}
	delete(b.fail, "delete a")
	b.mustRun(t)
	b.wantState(t, "ACTIVE")
}
