package instance_test

import (
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/test/world"
)

func TestSuspendedAndAskedFor(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	kind := w.serve("Paused", "name: string | required", sharedName)
	w.Apply(instanceOf("Paused", "a", "name: one"))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	w.Patch(kind, "a", `{"metadata":{"annotations":{"plait.run/reconcile":"suspended"}}}`)
	w.WaitCondition(kind, "a", "Suspended", "True/Suspended")
	requests := shared.NewLedger(t)
	w.Patch("ConfigMap", "one", `{"data":{"of":"somebody"}}`)
	if diff := cmp.Diff([]string(nil), requests.Take()); diff != "" {
		t.Errorf("requests while suspended (-want +got):\n%s", diff)
	}
	w.Patch(kind, "a", `{"metadata":{"annotations":{"plait.run/reconcile":null}}}`)
	w.waitData("one", map[string]any{"of": "a"})
	w.WaitCondition(kind, "a", "Suspended", "absent")
	requests.Take()
	w.Patch(kind, "a", `{"metadata":{"annotations":{"plait.run/reconcile-at":"now"}}}`)
	w.WaitStatus(kind, "a", "lastHandledReconcileAt", "now")
	if diff := cmp.Diff([]string{"patch pauseds a/status"}, requests.Take()); diff != "" {
		t.Errorf("requests of a full pass (-want +got):\n%s", diff)
	}
	w.Patch(kind, "a", `{"metadata":{"annotations":{"plait.run/reconcile":"suspended"}}}`)
	w.Delete(kind, "a")
	w.WaitGone(kind, "a")
	if _, err := w.Get("ConfigMap", "one"); !apierrors.IsNotFound(err) {
		t.Errorf("the child of a suspended instance is left behind: %v", err)
	}
}

func TestNamespaceGoesWithItsInstances(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	const kind = "Going"
	w.Apply(groupOf("Going", 3, true))
	w.WaitStatus("ResourceGroup", "going", "state", "Active")
	w.Apply(instanceOf("Going", "a", ""))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	w.Delete("Namespace", w.Namespace)
	w.WaitGone("Namespace", w.Namespace)
}

func TestDefinitionGoesUnderItsInstances(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	const kind = "Pulled"
	w.Apply(groupOf("Pulled", 3, true))
	w.WaitStatus("ResourceGroup", "pulled", "state", "Active")
	w.Apply(instanceOf("Pulled", "a", ""))
	before := w.WaitStatus(kind, "a", "state", "ACTIVE")
	w.Delete("CustomResourceDefinition", definitionOf(kind))
	world.Eventually(t, "the instance does not go", func() error {
		u, err := w.Get(kind, "a")
		if apierrors.IsNotFound(err) || (err == nil && u.GetUID() != before.GetUID()) {
			return nil
		}
		return fmt.Errorf("%v, error %w", u, err)
	})
	world.Eventually(t, "children stay", func() error {
		if left := w.Names("ConfigMap", "a-"); len(left) > 0 {
			return fmt.Errorf("left behind: %v", left)
		}
		return nil
	})
	w.Apply(instanceOf("Pulled", "b", "")) // the definition comes back
	w.WaitStatus(kind, "b", "state", "ACTIVE")
}

func TestFreedQuotaHeals(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	kind := w.serve("Full", "name: string | required", sharedName)
	w.Apply(`{apiVersion: v1, kind: ResourceQuota, metadata: {name: full}, spec: {hard: {count/configmaps: "0"}}}`)
	world.Eventually(t, "the quota is not counted", func() error {
		u, err := w.Get("ResourceQuota", "full")
		if err == nil && u.Object["status"] == nil {
			err = fmt.Errorf("no status")
		}
		return err
	})
	w.Apply(instanceOf("Full", "a", "name: one"))
	w.WaitStatus(kind, "a", "state", "FAILED")
	w.Delete("ResourceQuota", "full")
	w.WaitStatus(kind, "a", "state", "ACTIVE")
}
