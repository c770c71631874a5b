package identity_test

import (
	"context"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

// configMaps are the rights to write ConfigMaps.
const configMaps = `[{apiGroups: [""], resources: [configmaps], verbs: [get, create, patch, delete]}]`

const settings = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: settings.apps.plait.run}
spec:
  schema: {apiVersion: v1alpha1, kind: Setting, spec: {namespace: string | default=""}}
  defaultServiceAccounts: {"*": deployer}
  resources:
  - id: settings
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        namespace: '${schema.spec.namespace != "" ? schema.spec.namespace : schema.metadata.namespace}'
      data: {text: hello}
`

// TestTenantStaysInItsNamespace has an instance ask for an object elsewhere.
func TestTenantStaysInItsNamespace(t *testing.T) {
	t.Parallel()
	victim := shared.Tenant(t, "victim")
	w := shared.Tenant(t, "intruder")
	w.Serve(settings)
	w.Grant("children", configMaps)
	w.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: Setting, metadata: {name: a}, spec: {namespace: victim}}")
	u := w.WaitReady("Setting", "a", "False/Forbidden")
	const rule = `needs the right to patch configmaps of API group "" in namespace victim`
	if got := world.Condition(u, "Ready"); !strings.Contains(got, rule) {
		t.Errorf("the missing rule is not named: %s", got)
	}
	if _, err := victim.Get("ConfigMap", "a"); !apierrors.IsNotFound(err) {
		t.Errorf("the tenant's object is in the namespace of another: %v", err)
	}
	w.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: Setting, metadata: {name: b}}")
	w.WaitReady("Setting", "b", "True/Available")
	w.Remove("Setting", "a")
	w.Remove("Setting", "b")
}

// TestFreedQuotaHeals frees a quota and touches nothing else.
func TestFreedQuotaHeals(t *testing.T) {
	t.Parallel()
	w := shared.Tenant(t, "full")
	w.Serve(strings.NewReplacer("settings.", "portals.", "Setting", "Portal", "ConfigMap", "Service", "data: {text: hello}",
		"spec: {clusterIP: None, ports: [{port: 80}]}").Replace(settings))
	w.Grant("children", `[{apiGroups: [""], resources: [services], verbs: [get, create, patch, delete]}]`)
	w.Apply("{apiVersion: v1, kind: ResourceQuota, metadata: {name: none}, spec: {hard: {services: \"0\"}}}")
	world.Eventually(t, "the quota has no effect", func() error {
		_, err := w.Get("ResourceQuota", "none")
		return err
	})
	w.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: Portal, metadata: {name: a}}")
	u := w.WaitReady("Portal", "a", "False/AdmissionDenied")
	if got := world.Condition(u, "Ready"); !strings.Contains(got, "exceeded quota: none") {
		t.Errorf("the quota is not named: %s", got)
	}
	more := []byte(`{"spec":{"hard":{"services":"1"}}}`)
	if _, err := w.At("ResourceQuota").Patch(context.Background(), "none", types.MergePatchType, more, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	freed := time.Now()
	w.WaitReady("Portal", "a", "True/Available")
	if took := time.Since(freed); took > 20*time.Second {
		t.Errorf("a freed quota heals after %s, want 15s", took)
	}
	w.Remove("Portal", "a")
}

// TestWatchNamespaces leaves instances elsewhere alone.
func TestWatchNamespaces(t *testing.T) {
	w, other := shared.Tenant(t, "watched"), shared.Tenant(t, "unwatched")
	group := strings.NewReplacer("settings.", "views.", "Setting", "View").Replace(settings)
	w.Serve(group)
	running.Replace(t, func(o *engine.Options) { o.WatchNamespaces = []string{"watched"} })
	w.Grant("children", configMaps)
	other.Grant("children", configMaps)
	other.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: View, metadata: {name: a}}")
	w.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: View, metadata: {name: a}}")
	w.WaitReady("View", "a", "True/Available")
	u, err := other.Get("View", "a")
	if err != nil || len(u.GetFinalizers()) > 0 {
		t.Errorf("an instance that is not watched is touched: %v, %v", u.GetFinalizers(), err)
	}
	w.Remove("View", "a")
	other.Remove("View", "a")
}
