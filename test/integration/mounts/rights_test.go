package mounts_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

// TestServiceAccount has the named account asked whether it may read the object.
func TestServiceAccount(t *testing.T) {
	t.Parallel()
	s := newScene(t, plait, "account")
	s.cluster("a", readyAt(first))
	s.Apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: reader}}")
	w := s.mountWith(fmt.Sprintf("{ref: %s, serviceAccountName: reader}", s.ref("a")))
	s.says(w, "Unavailable False/MountForbidden", "", `"account/reader"`, "clusters.infra.example.com")
	s.GrantTo("reader", "read", "[{apiGroups: [infra.example.com], resources: [clusters], verbs: [get]}]")
	s.says(w, isUp, first) // asked again after 15 seconds
	s.Patch(plait.kind(), w, `{"spec":{"mount":{"serviceAccountName":"elsewhere/reader"}}}`)
	s.says(w, "Unavailable False/MountForbidden", first, "not of the object's namespace")
	s.Patch(plait.kind(), w, `{"spec":{"mount":{"serviceAccountName":"reader"}}}`)
	s.says(w, isUp, first)
}

// TestClusterScopedAccount names the account with its namespace, as an object that is in none needs.
func TestClusterScopedAccount(t *testing.T) {
	t.Parallel()
	s := newScene(t, plait, "scoped")
	s.Apply("{apiVersion: infra.example.com/v1, kind: Zone, metadata: {name: scoped}}")
	s.status("zones.infra.example.com", "scoped", readyAt(first))
	const ref = "{apiVersion: infra.example.com/v1, kind: Zone, name: scoped}"
	w := s.mountWith("{ref: " + ref + ", serviceAccountName: scoped/reader}")
	s.says(w, "Unavailable False/MountForbidden", "", `"scoped/reader"`)
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: read-zones}
rules: [{apiGroups: [infra.example.com], resources: [zones], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: read-zones}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: read-zones}
subjects: [{kind: ServiceAccount, name: reader, namespace: scoped}]`)
	s.says(w, isUp, first)
}

// TestWhoMayNameAnAccount has an author without the right to impersonate refused, at creation and at a change.
func TestWhoMayNameAnAccount(t *testing.T) {
	t.Parallel()
	s := newScene(t, plait, "authors")
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: write-workspaces}
rules: [{apiGroups: [plait.run], resources: [workspaces], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: write-workspaces}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: write-workspaces}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: author}]`)
	rc, err := shared.RESTConfigFor("author")
	if err != nil {
		t.Fatal(err)
	}
	author, err := dynamic.NewForConfig(rc)
	if err != nil {
		t.Fatal(err)
	}
	create := func(account string) error {
		mount := "{ref: " + s.ref("a")
		if account != "" {
			mount += ", serviceAccountName: " + account
		}
		all, err := world.Read([]byte("{apiVersion: plait.run/v1alpha1, kind: Workspace, metadata: {name: authors}, spec: {mount: " + mount + "}}}"))
		if err != nil {
			return err
		}
		_, err = author.Resource(workspaces).Apply(context.Background(), "authors", all[0], metav1.ApplyOptions{FieldManager: "author", Force: true})
		return err
	}
	s.cleanUp("authors")
	world.Eventually(t, "the author is not refused by the policy", func() error {
		if err := create("reader"); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "impersonate authors/reader") {
			return errors.New(fmt.Sprint("the answer is ", err))
		}
		return nil
	})
	if err := create(""); err != nil {
		t.Fatalf("without an account: %v", err)
	}
	if err := create("reader"); !apierrors.IsForbidden(err) {
		t.Errorf("the change is answered with %v", err)
	}
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: use-reader}
rules: [{apiGroups: [""], resources: [serviceaccounts], resourceNames: [reader], verbs: [impersonate]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: use-reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: use-reader}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: author}]`)
	world.Eventually(t, "the author may not name the account", func() error { return create("reader") })
}

// TestEngineWithoutRights has an engine that may do only what its documents ask for: no Workspace without an account, no
// kind that it may not list, until the rights come.
func TestEngineWithoutRights(t *testing.T) {
	s := newScene(t, plait, "rights")
	s.cluster("a", readyAt(first))
	s.Apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: reader}}")
	s.GrantTo("reader", "read", "[{apiGroups: [infra.example.com], resources: [clusters], verbs: [get]}]")
	rc, err := shared.RESTConfigFor("mounts-engine")
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: mounts-engine}
rules:
- {apiGroups: [plait.run], resources: [workspaces, workspaces/status], verbs: [get, list, watch, patch]}
- {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [get, list, watch]}
- {apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: mounts-engine}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: mounts-engine}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: mounts-engine}]`)
	withoutEngine(t)
	shared.RunEngine(t, func(o *engine.Options) {
		o.RESTConfig, o.ActAsSelf, o.InstallCRDs, o.Enable = rc, false, false, []string{"mounts"}
	})
	bare := s.mount(s.ref("a"))
	s.says(bare, "Unavailable False/MountForbidden", "", "spec.mount.serviceAccountName")
	w := s.mountWith(fmt.Sprintf("{ref: %s, serviceAccountName: reader}", s.ref("a")))
	s.says(w, "Unavailable False/MountForbidden", "", "the engine may not impersonate")
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: impersonate}
rules: [{apiGroups: [""], resources: [serviceaccounts], verbs: [impersonate]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: impersonate}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: impersonate}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: mounts-engine}]`)
	s.says(w, "Unavailable False/MountForbidden", "", "the engine may not list and watch")
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: mounts-engine-clusters}
rules: [{apiGroups: [infra.example.com], resources: [clusters], verbs: [list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: mounts-engine-clusters}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: mounts-engine-clusters}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: mounts-engine}]`)
	s.says(w, isUp, first)
}
