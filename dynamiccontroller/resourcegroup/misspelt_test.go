package resourcegroup

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
)

// told keeps the events of a group.
type told struct{ events []string }

func (r *told) Eventf(_, _ runtime.Object, kind, reason, _, note string, args ...any) {
	r.events = append(r.events, kind+" "+reason+": "+fmt.Sprintf(note, args...))
}

func TestMisspeltAnnotationsAreToldOnce(t *testing.T) {
	w, events := newWorld(t), &told{}
	w.reconciler.deps.Clients.Recorder = events
	w.group.SetAnnotations(map[string]string{"plait.run/reconcile": "suspend", "plait.run/allow-breaking-change": "1"})
	w.run()
	w.edit(map[string]any{"mark": "two"})
	w.run()
	want := []string{
		"Warning UnknownValue: the annotation plait.run/allow-breaking-change means nothing here. Did you mean plait.run/allow-breaking-changes?",
		`Warning UnknownValue: the annotation plait.run/reconcile is "suspend", which means nothing. Write "suspended", or drop it`,
	}
	if diff := cmp.Diff(want, events.events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
