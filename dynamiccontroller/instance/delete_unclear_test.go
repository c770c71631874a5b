package instance

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
)

// TestDeletionKeepsWhatSomethingUnseenMayNeed is an engine that has just started: the cache of one kind is complete, and
// that of another, which may hold dependents, is not.
func TestDeletionKeepsWhatSomethingUnseenMayNeed(t *testing.T) {
	b := newBench(t, wide(1))
	b.mustRun(t)
	b.edit(func(u *unstructured.Unstructured) {
		annotations := u.GetAnnotations()
		annotations[v1alpha1.AnnotationApplySetGroupKinds] += ",Widget.example.com"
		u.SetAnnotations(annotations)
	})
	b.markDeleted(placeOfInstance())
	b.unsynced = []schema.GroupVersionResource{{Group: "example.com", Version: "v1", Resource: "widgets"}}
	if got := b.mustRun(t); len(got) > 0 {
		t.Errorf("an incomplete cache costs %v at once, want nothing", got)
	}
	b.now = b.now.Add(syncPatience + time.Second)
	if diff := cmp.Diff([]string{"patch shop/status"}, b.mustRun(t)); diff != "" {
		t.Errorf("a cache that stays incomplete (-want +got):\n%s", diff)
	}
	b.unsynced = nil
	if diff := cmp.Diff([]string{"delete a", "patch shop"}, b.runUntilGone(t)); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// TestDeletionGoesOnWhileAnswersShowThatChildrenAreGone is a chain of which one child is held.
func TestDeletionGoesOnWhileAnswersShowThatChildrenAreGone(t *testing.T) {
	b := newBench(t, chain(4))
	b.mustRun(t)
	b.hold("b")
	b.markDeleted(placeOfInstance())
	if diff := cmp.Diff([]string{"delete d", "delete c", "delete b", "patch shop/status"}, b.mustRun(t)); diff != "" {
		t.Errorf("until something stays (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string(nil), b.mustRun(t)); diff != "" {
		t.Errorf("while it stays (-want +got):\n%s", diff)
	}
	b.unhold("b")
	if diff := cmp.Diff([]string{"delete a", "patch shop"}, b.mustRun(t)); diff != "" {
		t.Errorf("when it is gone (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string(nil), b.mustRun(t)); diff != "" {
		t.Errorf("afterwards (-want +got):\n%s", diff)
	}
}
