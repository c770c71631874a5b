package instance_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// TestQuantityThatIsNone has an input that the API server cannot read: a fault of the input, not of the server.
func TestQuantityThatIsNone(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	kind := w.serve("Sized", "cpu: string", `  - id: web
    template:
      apiVersion: v1
      kind: Pod
      metadata: {name: "${schema.metadata.name}-web"}
      spec: {containers: [{name: main, image: "example.com/a:1", resources: {requests: {cpu: "${schema.spec.cpu}"}}}]}
`)
	w.Apply(instanceOf("Sized", "a", "cpu: half"))
	u := w.WaitStatus(kind, "a", "state", "FAILED")
	const says = `the API server cannot read spec.containers[0].resources.requests.cpu, "half"`
	if got := world.Condition(u, "Ready"); !strings.HasPrefix(got, "False/InvalidObject") || !strings.Contains(got, says) {
		t.Errorf("Ready is %s, want %s", got, says)
	}
	w.Apply(instanceOf("Sized", "a", `cpu: "0.5"`))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	w.Remove(kind, "a")
}

// TestPinnedRevision keeps an instance on a revision where the group allows it, and moves it when the pin goes.
func TestPinnedRevision(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	const kind = "Pinned"
	group := func(last string) string {
		text := strings.Replace(groupOf(kind, 1, false), "crdDeletion: Delete", "crdDeletion: Delete\n  pinning: Allowed", 1)
		return strings.Replace(text, `last: "${schema.spec.last}"}`, `last: "`+last+`"}`, 1)
	}
	w.Apply(group("one"))
	w.WaitStatus("ResourceGroup", "pinned", "state", "Active")
	w.Apply(instanceOf(kind, "a", ""))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	w.Patch(kind, "a", `{"metadata":{"annotations":{"plait.run/revision":"1"}}}`)
	w.Apply(group("two"))
	w.WaitStatus("ResourceGroup", "pinned", "servedRevision", int64(2))
	w.Apply(instanceOf(kind, "b", ""))
	w.WaitStatus(kind, "b", "revision", int64(2))
	w.waitData("b-0", map[string]any{"text": "hello", "last": "two"})
	w.Patch(kind, "a", `{"spec":{"text":"new"}}`)
	w.WaitStatus(kind, "a", "text", "new")
	w.WaitStatus(kind, "a", "revision", int64(1))
	w.waitData("a-0", map[string]any{"text": "new", "last": "one"})
	w.Patch(kind, "a", `{"metadata":{"annotations":{"plait.run/revision":null}}}`)
	w.WaitStatus(kind, "a", "revision", int64(2))
	w.waitData("a-0", map[string]any{"text": "new", "last": "two"})
}

// TestAnotherEngineDeletes has an engine that may not act as itself take down what one made that might.
func TestAnotherEngineDeletes(t *testing.T) {
	w := newWorld(t)
	running := shared.RunEngine(t)
	const kind = "Inherited"
	w.Apply(groupOf(kind, 2, true))
	w.WaitStatus("ResourceGroup", "inherited", "state", "Active")
	w.Apply(instanceOf(kind, "a", ""))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	running.MustStop(t)
	shared.RunEngine(t, asNobody)
	w.WaitCondition(kind, "a", "ServiceAccountResolved", "False/NoServiceAccount")
	w.WaitCondition("ResourceGroup", "inherited", "ServiceAccountsAllowed", "False/Denied")
	w.Remove(kind, "a")
	if left := w.Names("ConfigMap", "a-"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestInventoryFollows moves a child into another namespace, and back.
func TestInventoryFollows(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	other := w.in(w.Namespace + "-other")
	kind := w.serve("Moved", "namespace: string", `  - id: one
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}", namespace: "${schema.spec.namespace}"}, data: {a: b}}
`)
	const annotation = "applyset.kubernetes.io/additional-namespaces"
	for _, step := range []struct{ namespace, want string }{{other.Namespace, other.Namespace}, {w.Namespace, ""}} {
		w.Apply(instanceOf("Moved", "a", "namespace: "+step.namespace))
		w.WaitStatus(kind, "a", "state", "ACTIVE")
		w.WaitFor(kind, "a", func(u *unstructured.Unstructured) error {
			if got := u.GetAnnotations()[annotation]; got != step.want {
				return fmt.Errorf("the inventory names %q, want %q", got, step.want)
			}
			return nil
		})
	}
	w.Remove(kind, "a")
}

// TestGroupComesUpWithFewWrites counts the writes of a group's status until its kind is served.
func TestGroupComesUpWithFewWrites(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	requests := shared.NewLedger(t)
	w.Apply(groupOf("Quiet", 2, true))
	w.WaitReady("ResourceGroup", "quiet", "True/Available")
	writes := 0
	all := requests.Take()
	for _, r := range all {
		if r == "patch resourcegroups quiet/status" {
			writes++
		}
	}
	if writes > 2 {
		t.Errorf("%d writes of the status, at most 2 are allowed:\n%s", writes, strings.Join(all, "\n"))
	}
}
