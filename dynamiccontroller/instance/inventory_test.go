package instance

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

// claimed gives the inventory on the instance: kinds and namespaces.
func (b *bench) claimed() [2]string {
	annotations := b.instance().GetAnnotations()
	return [2]string{annotations[v1alpha1.AnnotationApplySetGroupKinds], annotations[v1alpha1.AnnotationApplySetNamespaces]}
}

func wideIn(namespaces ...string) []fakeNode {
	nodes := wide(len(namespaces))
	for i := range nodes {
		nodes[i].namespace = namespaces[i]
	}
	return nodes
}

// TestInventoryLosesWhatIsGone moves children, one namespace at a time, and has the inventory follow once the old ones
// are gone.
func TestInventoryLosesWhatIsGone(t *testing.T) {
	b := newBench(t, wideIn("team-b", "team-c"))
	b.mustRun(t)
	if diff := cmp.Diff([2]string{"ConfigMap", "team-b,team-c"}, b.claimed()); diff != "" {
		t.Fatalf("inventory (-want +got):\n%s", diff)
	}
	b.evaluator.nodes[0].unwanted = true
	want := []string{"delete a", "patch shop", "patch shop/status"}
	if diff := cmp.Diff(want, b.mustRun(t)); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([2]string{"ConfigMap", "team-c"}, b.claimed()); diff != "" {
		t.Errorf("inventory (-want +got):\n%s", diff)
	}
	if again := b.mustRun(t); len(again) != 0 {
		t.Errorf("a settled instance costs %v", again)
	}
}

// TestInventoryKeepsWhatMayBe has nothing leave that was never seen to go, and nothing soon after an unanswered write.
func TestInventoryKeepsWhatMayBe(t *testing.T) {
	b := newBench(t, wideIn("team-b", "team-c"))
	b.edit(func(u *unstructured.Unstructured) {
		u.SetAnnotations(map[string]string{
			v1alpha1.AnnotationApplySetGroupKinds: "Secret,Job.batch", v1alpha1.AnnotationApplySetNamespaces: "team-z",
		})
	})
	b.mustRun(t)
	const kinds = "ConfigMap,Job.batch,Secret"
	if diff := cmp.Diff([2]string{kinds, "team-b,team-c,team-z"}, b.claimed()); diff != "" {
		t.Errorf("inventory of an engine that has just started (-want +got):\n%s", diff)
	}
	b.evaluator.nodes[1].value, b.fail["patch b"] = "new", failure(503, metav1.StatusReasonServiceUnavailable)
	if _, err := b.run(); err == nil {
		t.Fatal("the write does not fail")
	}
	delete(b.fail, "patch b")
	b.evaluator.nodes[0].unwanted = true
	b.mustRun(t)
	if diff := cmp.Diff([2]string{kinds, "team-b,team-c,team-z"}, b.claimed()); diff != "" {
		t.Errorf("inventory right after a write without an answer (-want +got):\n%s", diff)
	}
	b.now = b.now.Add(2 * time.Minute)
	b.mustRun(t)
	if diff := cmp.Diff([2]string{kinds, "team-c,team-z"}, b.claimed()); diff != "" {
		t.Errorf("inventory later (-want +got):\n%s", diff)
	}
}
