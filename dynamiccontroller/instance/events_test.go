package instance

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// recorded keeps events as `type reason: note`.
type recorded struct{ events []string }

func (r *recorded) Eventf(_, _ runtime.Object, kind, reason, _, note string, args ...any) {
	r.events = append(r.events, fmt.Sprintf("%s %s: ", kind, reason)+fmt.Sprintf(note, args...))
}

func (r *recorded) take() []string {
	out := r.events
	r.events = nil
	return out
}

func annotated(key, value string) func(*unstructured.Unstructured) {
	return func(u *unstructured.Unstructured) {
		annotations := u.GetAnnotations()
		annotations[key] = value
		u.SetAnnotations(annotations)
	}
}

func TestEvents(t *testing.T) {
	b := newBench(t, wide(2))
	events := &recorded{}
	b.controller.clients.Recorder = events
	steps := []struct {
		name string
		do   func()
		want []string
	}{
		{"up", func() {}, []string{"Normal Available: everything is ready"}},
		{"at rest", func() {}, nil},
		{"a change that keeps the state", func() { b.evaluator.nodes[0].value = "new" }, nil},
		{"a refused change", func() {
			b.evaluator.nodes[0].value = "newer"
			b.fail["patch a"] = failure(422, metav1.StatusReasonInvalid)
		}, []string{"Warning InvalidObject: a: the API server refuses it: refused"}},
		{"another node while the instance has failed", func() {
			b.evaluator.nodes[1].value = "newer"
			b.fail["patch b"] = failure(422, metav1.StatusReasonInvalid)
		}, []string{`Warning InvalidObject: node "b": the API server refuses it: refused`}},
		{"well again", func() {
			b.fail = map[string]error{}
			b.evaluator.nodes[0].value, b.evaluator.nodes[1].value = "good", "good"
		}, []string{"Normal Available: everything is ready"}},
		{"a misspelt wish", func() { b.edit(annotated("plait.run/reconcil", "suspended")) },
			[]string{"Warning UnknownValue: the annotation plait.run/reconcil means nothing here. Did you mean plait.run/reconcile or plait.run/reconcile-at?"}},
		{"the same once more", func() { b.edit(annotated("plait.run/reconcile-at", "now")) }, nil},
		{"deleted", func() { b.hold("a"); b.markDeleted(placeOfInstance()) }, []string{"Normal Deleting: deleting the children, dependents first"}},
	}
	for _, step := range steps {
		step.do()
		b.mustRun(t)
		if diff := cmp.Diff(step.want, events.take()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}
