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
)

var deleteNow = metav1.DeleteOptions{}

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
	victim := newTenant(t, "victim")
	w := newTenant(t, "intruder")
	w.serve(settings)
	w.grant("children", configMaps)
	w.apply("{apiVersion: apps.plait.run/v1alpha1, kind: Setting, metadata: {name: a}, spec: {namespace: victim}}")
	u := w.waitReady("Setting", "a", "False/Forbidden")
	const rule = `needs the right to patch configmaps of API group "" in namespace victim`
	if got := condition(u, "Ready"); !strings.Contains(got, rule) {
		t.Errorf("the missing rule is not named: %s", got)
	}
	if _, err := victim.get("ConfigMap", "a"); !apierrors.IsNotFound(err) {
		t.Errorf("the tenant's object is in the namespace of another: %v", err)
	}
	w.apply("{apiVersion: apps.plait.run/v1alpha1, kind: Setting, metadata: {name: b}}")
	w.waitReady("Setting", "b", "True/Available")
	w.remove("Setting", "a")
	w.remove("Setting", "b")
}

// TestFreedQuotaHeals frees a quota and touches nothing else.
func TestFreedQuotaHeals(t *testing.T) {
	w := newTenant(t, "full")
	w.serve(strings.NewReplacer("settings.", "portals.", "Setting", "Portal", "ConfigMap", "Service", "data: {text: hello}",
		"spec: {clusterIP: None, ports: [{port: 80}]}").Replace(settings))
	w.grant("children", `[{apiGroups: [""], resources: [services], verbs: [get, create, patch, delete]}]`)
	w.apply("{apiVersion: v1, kind: ResourceQuota, metadata: {name: none}, spec: {hard: {services: \"0\"}}}")
	eventually(t, "the quota has no effect", func() error {
		_, err := w.get("ResourceQuota", "none")
		return err
	})
	w.apply("{apiVersion: apps.plait.run/v1alpha1, kind: Portal, metadata: {name: a}}")
	u := w.waitReady("Portal", "a", "False/AdmissionDenied")
	if got := condition(u, "Ready"); !strings.Contains(got, "exceeded quota: none") {
		t.Errorf("the quota is not named: %s", got)
	}
	more := []byte(`{"spec":{"hard":{"services":"1"}}}`)
	if _, err := w.at("ResourceQuota").Patch(context.Background(), "none", types.MergePatchType, more, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	freed := time.Now()
	w.waitReady("Portal", "a", "True/Available")
	if took := time.Since(freed); took > 20*time.Second {
		t.Errorf("a freed quota heals after %s, want 15s", took)
	}
	w.remove("Portal", "a")
}

// TestWatchNamespaces leaves instances elsewhere alone.
func TestWatchNamespaces(t *testing.T) {
	w, other := newTenant(t, "watched"), newTenant(t, "unwatched")
	group := strings.NewReplacer("settings.", "views.", "Setting", "View").Replace(settings)
	w.serve(group)
	withEngine(t, func(o *engine.Options) { o.WatchNamespaces = []string{"watched"} })
	w.grant("children", configMaps)
	other.grant("children", configMaps)
	other.apply("{apiVersion: apps.plait.run/v1alpha1, kind: View, metadata: {name: a}}")
	w.apply("{apiVersion: apps.plait.run/v1alpha1, kind: View, metadata: {name: a}}")
	w.waitReady("View", "a", "True/Available")
	u, err := other.get("View", "a")
	if err != nil || len(u.GetFinalizers()) > 0 {
		t.Errorf("an instance that is not watched is touched: %v, %v", u.GetFinalizers(), err)
	}
	w.remove("View", "a")
	other.remove("View", "a")
}
