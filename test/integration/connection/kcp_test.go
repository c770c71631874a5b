package connection

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/discovery"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/remote"
	"github.com/plait-run/plait/test/world"
)

// logicalClusters is what makes a cluster look like one of kcp's.
const logicalClusters = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: logicalclusters.core.kcp.io}
spec:
  group: core.kcp.io
  scope: Cluster
  names: {kind: LogicalCluster, plural: logicalclusters, singular: logicalcluster}
  versions:
  - {name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`

// TestProviderInKCP has a LogicalCluster tell which cluster answers: an account that plait connect makes may read it, and so
// may one that has what the page says. It is not parallel, since other Connections would see it too.
func TestProviderInKCP(t *testing.T) {
	c := newCommand(t, "kcped")
	c.export(west, definition{Kind: "Database"})
	t.Cleanup(func() {
		remove(t, west, "logicalclusters.core.kcp.io")
		client, err := discovery.NewDiscoveryClientForConfig(west.RESTConfig())
		if err != nil {
			t.Fatal(err)
		}
		world.Eventually(t, "the provider goes on looking like kcp", func() error {
			source, err := remote.FindIdentitySource(context.Background(), client.RESTClient())
			if err != nil || source == v1alpha1.IdentitySourceNamespace {
				return err
			}
			return fmt.Errorf("its identity is that of its %s", source)
		})
	})
	roles, err := documented("provider role in kcp")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range []string{logicalClusters, "{apiVersion: core.kcp.io/v1alpha1, kind: LogicalCluster, metadata: {name: cluster}}", roles + `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: tenant-in-kcp}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-consumer-kcp}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ` + tenant + `}]`} {
		world.Eventually(t, "the provider does not take what makes it look like kcp", func() error {
			_, err := west.Apply(t.Context(), "", document)
			return err
		})
	}
	c.removeAtEnd()
	r := c.result(withPlugin(t, west), "--context", "admin", "--create-account")
	bound := "provider created ClusterRoleBinding " + strings.TrimPrefix(r.Account, "plait/") + "-kcp"
	if got := actions(r); !slices.Contains(got, bound) {
		t.Errorf("%q is not among %v", bound, got)
	}
	if u := c.waitReady("True/AsExpected"); field(t, u, "status", "identitySource") != "LogicalCluster" {
		t.Errorf("the status is %v", u.Object["status"])
	}

	s := newSuite(t, "kcptenant")
	s.secret(kubeconfig(t, west, tenant))
	s.connect("")
	if u := s.waitReady("True/AsExpected"); field(t, u, "status", "identitySource") != "LogicalCluster" {
		t.Errorf("the status is %v", u.Object["status"])
	}
}

// TestConnectByLeastAdministrator has somebody make an account who may do at the provider what the account may, and manage
// accounts and roles, and nothing else.
func TestConnectByLeastAdministrator(t *testing.T) {
	c := newCommand(t, "leastadmin")
	c.export(west, definition{Kind: "Database"})
	if _, err := west.Apply(t.Context(), "", `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: least-admin}
rules:
- {apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles, clusterrolebindings, roles, rolebindings], verbs: [get, create, patch]}
- {apiGroups: [""], resources: [namespaces, serviceaccounts, secrets], verbs: [get, create, patch]}
- {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [get, list]}
- {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update, delete]}
- {apiGroups: [`+c.group+`], resources: [databases], verbs: [get, list, watch, create, patch, delete]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: least-admin}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: least-admin}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: least-admin}]`); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(kubeconfig(t, west, "least-admin")), 0o600); err != nil {
		t.Fatal(err)
	}
	c.forgetInstalled("databases")
	c.removeAtEnd()
	r := c.result(file, "--create-account", "--auto-bind")
	if got := c.states(r)["databases."+c.group]; got != "Installed" {
		t.Errorf("the API is %q", got)
	}
}
