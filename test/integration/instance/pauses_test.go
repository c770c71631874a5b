package instance_test

import (
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/google/go-cmp/cmp"
)

var quotas = schema.GroupVersionResource{Version: "v1", Resource: "resourcequotas"}

func TestSuspendedAndAskedFor(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	gvr := w.serve("Paused", "name: string | required", sharedName)
	w.apply(gvr, w.namespace, instanceOf("Paused", "a", "name: one"))
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	w.patch(gvr, w.namespace, "a", `{"metadata":{"annotations":{"plait.run/reconcile":"suspended"}}}`)
	w.waitCondition(gvr, w.namespace, "a", "Suspended", "True/Suspended")
	requests := newLedger(t)
	w.patch(configMaps, w.namespace, "one", `{"data":{"of":"somebody"}}`)
	if diff := cmp.Diff([]string(nil), requests.take()); diff != "" {
		t.Errorf("requests while suspended (-want +got):\n%s", diff)
	}
	w.patch(gvr, w.namespace, "a", `{"metadata":{"annotations":{"plait.run/reconcile":null}}}`)
	w.waitData("one", map[string]any{"of": "a"})
	w.waitCondition(gvr, w.namespace, "a", "Suspended", "absent")
	requests.take()
	w.patch(gvr, w.namespace, "a", `{"metadata":{"annotations":{"plait.run/reconcile-at":"now"}}}`)
	w.waitStatus(gvr, w.namespace, "a", "lastHandledReconcileAt", "now")
	if diff := cmp.Diff([]string{"patch pauseds a/status"}, requests.take()); diff != "" {
		t.Errorf("requests of a full pass (-want +got):\n%s", diff)
	}
	w.patch(gvr, w.namespace, "a", `{"metadata":{"annotations":{"plait.run/reconcile":"suspended"}}}`)
	w.delete(gvr, w.namespace, "a")
	w.waitGone(gvr, w.namespace, "a")
	if _, err := w.get(configMaps, w.namespace, "one"); !apierrors.IsNotFound(err) {
		t.Errorf("the child of a suspended instance is left behind: %v", err)
	}
}

func TestNamespaceGoesWithItsInstances(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	gvr := resourceOf("Going")
	w.apply(groups, "", groupOf("Going", 3, true))
	w.waitStatus(groups, "", "going", "state", "Active")
	w.apply(gvr, w.namespace, instanceOf("Going", "a", ""))
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	w.delete(namespaces, "", w.namespace)
	w.waitGone(namespaces, "", w.namespace)
}

func TestDefinitionGoesUnderItsInstances(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	gvr := resourceOf("Pulled")
	w.apply(groups, "", groupOf("Pulled", 3, true))
	w.waitStatus(groups, "", "pulled", "state", "Active")
	w.apply(gvr, w.namespace, instanceOf("Pulled", "a", ""))
	before := w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	w.delete(crds, "", gvr.GroupResource().String())
	eventually(t, "the instance does not go", func() error {
		u, err := w.get(gvr, w.namespace, "a")
		if apierrors.IsNotFound(err) || (err == nil && u.GetUID() != before.GetUID()) {
			return nil
		}
		return fmt.Errorf("%v, error %w", u, err)
	})
	eventually(t, "children stay", func() error {
		if left := w.names("a-"); len(left) > 0 {
			return fmt.Errorf("left behind: %v", left)
		}
		return nil
	})
	w.apply(gvr, w.namespace, instanceOf("Pulled", "b", "")) // the definition comes back
	w.waitStatus(gvr, w.namespace, "b", "state", "ACTIVE")
}

func TestFreedQuotaHeals(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	gvr := w.serve("Full", "name: string | required", sharedName)
	w.apply(quotas, w.namespace, `{apiVersion: v1, kind: ResourceQuota, metadata: {name: full}, spec: {hard: {count/configmaps: "0"}}}`)
	eventually(t, "the quota is not counted", func() error {
		u, err := w.get(quotas, w.namespace, "full")
		if err == nil && u.Object["status"] == nil {
			err = fmt.Errorf("no status")
		}
		return err
	})
	w.apply(gvr, w.namespace, instanceOf("Full", "a", "name: one"))
	w.waitStatus(gvr, w.namespace, "a", "state", "FAILED")
	w.delete(quotas, w.namespace, "full")
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
}
