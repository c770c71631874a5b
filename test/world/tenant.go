package world

import (
	"context"
	"testing"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/cmd/plait/rbac"
	"github.com/plait-run/plait/graph/source"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Tenant is a namespace with an account deployer, which may do nothing at first, and whose accounts the engine may be.
type Tenant struct{ *Space }

// Tenant makes one; the engine needs a user of its own (GrantEngine).
func (w *World) Tenant(t testing.TB, namespace string) *Tenant {
	t.Helper()
	s := &Tenant{w.Space(t, namespace)}
	s.Apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: deployer}}")
	s.AllowImpersonation()
	return s
}

// AllowImpersonation lets the engine be the accounts of the namespace.
func (s *Tenant) AllowImpersonation() {
	s.t.Helper()
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: plait-impersonator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-impersonator}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ` + s.engineUser + `}]`)
}

// Grant gives the account deployer rights in its namespace by a role of the name; rules are its rules, in YAML.
func (s *Tenant) Grant(name, rules string) {
	s.t.Helper()
	s.GrantTo("deployer", name, rules)
}

// Serve applies a group, with the engine's role that `plait rbac` prints for it, and waits until it is served.
func (s *Tenant) Serve(group string) {
	s.t.Helper()
	s.Apply(roleFor(s.t, group))
	s.WaitReady("ResourceGroup", s.Define(group), "True/Available")
}

// Define applies a group, and deletes it when the test ends. It gives its name.
func (s *Tenant) Define(group string) string {
	s.t.Helper()
	name := s.Apply(group).GetName()
	s.t.Cleanup(func() {
		err := s.At("ResourceGroup").Delete(context.Background(), name, metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			s.t.Errorf("deleting the group: %v", err)
		}
	})
	return name
}

func roleFor(t testing.TB, group string) string {
	t.Helper()
	docs, problems := source.Parse("group.yaml", []byte(group))
	set, err := offline.Load(context.Background(), docs, nil)
	if err != nil {
		t.Fatal(err)
	}
	set.Problems.Append(problems)
	if set.Problems.HasErrors() {
		t.Fatal(set.Problems.Sorted())
	}
	text, err := rbac.YAML(rbac.Documents(set.Groups[0].Graph)[:1])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// GrantTo gives a service account of the namespace rights there, by a role of the name.
func (s *Space) GrantTo(account, name, rules string) {
	s.t.Helper()
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: ` + name + `}
rules: ` + rules + `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: ` + name + `}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ` + name + `}
subjects: [{kind: ServiceAccount, name: ` + account + `, namespace: ` + s.Namespace + `}]`)
}
