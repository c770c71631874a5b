package sync_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestCopy follows one object through its life: up, down, drift, a copy that somebody deletes, the end.
func TestCopy(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	o.bind("")
	here.Apply("{" + o.gvk() + ", metadata: {name: a, labels: {secret: x}, annotations: {note: why}}, spec: {size: 1, tags: {k: v}}}")
	live := there.WaitFor(o.name, "a", specIs("size", int64(1)))
	for key, want := range map[string]string{
		"plait.run/consumer-cluster-uid": localUID + localUID, "secret": "", "note": "", // once as a label, once as an annotation
		"plait.run/consumer-object-uid": string(uidOf(here.WaitFor(o.name, "a", held))), "plait.run/consumer-generation": "1",
	} {
		if err := metaIs(key, want)(live); err != nil {
			t.Error(err)
		}
	}

	report(t, there, o.name, "a", `{"phase":"Up","observedGeneration":1,"conditions":[{"type":"Ready","status":"True","observedGeneration":1}]}`)
	here.WaitStatus(o.name, "a", "phase", "Up")
	here.Patch(o.name, "a", `{"spec":{"size":2,"tags":{"k":null}}}`)
	live = there.WaitFor(o.name, "a", func(u *unstructured.Unstructured) error {
		if got := fieldOf(u, "spec"); got != `{"size":2,"tags":{}}` { // in two writes: the map is emptied
			return fmt.Errorf("spec is %s", got)
		}
		return nil
	})
	here.WaitFor(o.name, "a", func(u *unstructured.Unstructured) error {
		if got := fieldOf(u, "status", "observedGeneration"); got != "1" || u.GetGeneration() != 2 {
			return fmt.Errorf("generation %d is said to be observed at %s", u.GetGeneration(), got)
		}
		return nil
	})
	report(t, there, o.name, "a", fmt.Sprintf(`{"observedGeneration":%d}`, must(there.Get(o.name, "a")).GetGeneration()))
	here.WaitStatus(o.name, "a", "phase", "Up")

	there.Patch(o.name, "a", `{"spec":{"size":50}}`)
	there.WaitFor(o.name, "a", specIs("size", int64(2)))
	there.Patch(o.name, "a", `{"metadata":{"labels":{"plait.run/consumer-cluster-uid":null}}}`)
	there.WaitFor(o.name, "a", metaIs("plait.run/consumer-cluster-uid", localUID+localUID))

	if _, err := there.At(o.name).Patch(t.Context(), "a", "application/json-patch+json", []byte(`[{"op":"remove","path":"/status"}]`), patchOptions, "status"); err != nil {
		t.Fatal(err)
	}
	here.WaitFor(o.name, "a", func(u *unstructured.Unstructured) error {
		if got := fieldOf(u, "status"); got != "null" && got != "{}" {
			return fmt.Errorf("the status is there still: %s", got)
		}
		return nil
	})

	old := uidOf(live)
	there.Delete(o.name, "a")
	there.WaitFor(o.name, "a", func(u *unstructured.Unstructured) error {
		if u.GetUID() == old {
			return fmt.Errorf("it is the old one")
		}
		return nil
	})

	// The object stays until its copy is gone, which something there holds up.
	there.Patch(o.name, "a", `{"metadata":{"finalizers":["example.com/hold"]}}`)
	here.Delete(o.name, "a")
	there.WaitFor(o.name, "a", func(u *unstructured.Unstructured) error {
		if u.GetDeletionTimestamp() == nil {
			return fmt.Errorf("it is not being deleted")
		}
		return nil
	})
	if u, err := here.Get(o.name, "a"); err != nil || held(u) != nil {
		t.Errorf("the object has not waited for its copy: %v, %v", u, err)
	}
	there.Patch(o.name, "a", `{"metadata":{"finalizers":null}}`)
	here.WaitGone(o.name, "a")
	there.WaitGone(o.name, "a")
}

// held wants the finalizer.
func held(u *unstructured.Unstructured) error {
	if got := fmt.Sprint(u.GetFinalizers()); !strings.Contains(got, "plait.run/sync") {
		return fmt.Errorf("finalizers are %s", got)
	}
	return nil
}

// TestCarriedKeys sends the listed keys of metadata, as they come and go, and large objects.
func TestCarriedKeys(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	consumer.Space(t, "default").Apply(strings.Replace(o.binding(""), "{name: "+o.name+"}",
		"{name: "+o.name+", metadata: {labels: [team], annotations: [note]}}", 1))
	here.Apply("{" + o.gvk() + ", metadata: {name: a, labels: {team: x, other: z}, annotations: {note: why}}, spec: {size: 1}}")
	live := there.WaitFor(o.name, "a", metaIs("team", "x"))
	for key, want := range map[string]string{"note": "why", "other": ""} {
		if err := metaIs(key, want)(live); err != nil {
			t.Error(err)
		}
	}
	here.Patch(o.name, "a", `{"metadata":{"labels":{"team":null}}}`)
	there.WaitFor(o.name, "a", metaIs("team", ""))

	large := strings.Repeat("x", 300<<10)
	here.Apply(o.database("large", "{text: "+large+"}"))
	there.WaitFor(o.name, "large", specIs("text", large))
	report(t, there, o.name, "large", `{"phase":"`+large[:100<<10]+`"}`)
	here.WaitFor(o.name, "large", func(u *unstructured.Unstructured) error {
		if n := len(fieldOf(u, "status", "phase")); n < 100<<10 {
			return fmt.Errorf("the phase has %d bytes", n)
		}
		return nil
	})
}
