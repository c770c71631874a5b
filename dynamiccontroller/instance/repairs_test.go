package instance

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
)

// steal changes data.v of a ConfigMap as another manager would.
func (b *bench) steal(name string) {
	at := apply.Place{Resource: configMaps, Namespace: "team-a", Name: name}
	u := unstructured.Unstructured{Object: decoded(b.t, b.objects[at])}
	metadata := u.Object["metadata"].(map[string]any)
	ours := managed(b.t, map[string]any{"metadata": map[string]any{"labels": metadata["labels"], "annotations": metadata["annotations"]}})
	theirs := managed(b.t, map[string]any{"data": map[string]any{"v": "stolen"}})
	theirs[0].Manager, theirs[0].Operation = "rival", "Update"
	u.Object["data"] = map[string]any{"v": "stolen"}
	u.SetManagedFields(append(ours, theirs...))
	b.version++
	u.SetResourceVersion("9" + u.GetResourceVersion())
	b.objects[at] = u.Object
}

func TestRivalsAreLeftAlone(t *testing.T) {
	b := newBench(t, wide(1))
	b.mustRun(t)
	for n := range maxRepairs {
		b.steal("a")
		if requests := b.mustRun(t); len(requests) == 0 || requests[0] != "patch a" {
			t.Fatalf("repair %d: requests %v, want a patch", n+1, requests)
		}
	}
	b.steal("a")
	requests := b.mustRun(t)
	if strings.Contains(strings.Join(requests, ","), "patch a,") {
		t.Errorf("the sixth change is fought: %v", requests)
	}
	b.wantState(t, "FAILED")
	ready := conditionOf(b.instance().Object, v1alpha1.ConditionReady)
	if message, _ := ready["message"].(string); ready["reason"] != "Conflict" || !strings.Contains(message, "rival changes data, ") {
		t.Errorf("Ready is %v %q, want a Conflict that names the rival", ready["reason"], message)
	}
	b.now = b.now.Add(repairTime + time.Minute)
	b.mustRun(t)
	b.wantState(t, "ACTIVE")
}
