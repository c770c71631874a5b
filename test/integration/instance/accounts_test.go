package instance_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/identity"
)

var (
	accounts     = schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}
	roles        = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"}
	roleBindings = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"}
)

func (w *world) grant(account, verbs string) {
	w.t.Helper()
	w.apply(roles, w.namespace, `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: `+account+`}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [`+verbs+`]}]`)
	w.apply(roleBindings, w.namespace, `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: `+account+`}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: `+account+`}
subjects: [{kind: ServiceAccount, name: `+account+`, namespace: `+w.namespace+`}]`)
}

func TestChildrenAreWrittenAsTheServiceAccount(t *testing.T) {
	w := newWorld(t)
	startEngine(t, identity.Settings{})
	gvr := resourceOf("Tenant")
	group := strings.Replace(groupOf("Tenant", 2, false), "  resources:\n", "  defaultServiceAccounts: {"+w.namespace+": deployer}\n  resources:\n", 1)
	w.apply(groups, "", group)
	w.waitStatus(groups, "", "tenant", "state", "Active")

	w.apply(gvr, w.namespace, instanceOf("Tenant", "a", ""))
	w.waitCondition(gvr, w.namespace, "a", "ServiceAccountResolved", "False/ServiceAccountNotFound")
	if left := w.names("a-"); len(left) > 0 {
		t.Errorf("written although nobody may: %v", left)
	}
	w.apply(accounts, w.namespace, "{apiVersion: v1, kind: ServiceAccount, metadata: {name: deployer}}")
	created := time.Now()
	u := w.waitCondition(gvr, w.namespace, "a", "Ready", "False/Forbidden")
	if took := time.Since(created); took > 5*time.Second { // the fallback comes after 15
		t.Errorf("the account is noticed after %s", took)
	}
	if got := condition(u, "Ready"); !strings.Contains(got, `needs the right to patch configmaps of API group "" in namespace `+w.namespace) {
		t.Errorf("the missing rule is not named: %s", got)
	}
	w.grant("deployer", "get, list, create, patch, delete")
	w.apply(gvr, w.namespace, instanceOf("Tenant", "a", "text: granted"))
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	w.waitStatus(gvr, w.namespace, "a", "serviceAccount", w.namespace+"/deployer")

	requests := newLedger(t)
	w.apply(gvr, w.namespace, instanceOf("Tenant", "b", ""))
	w.waitStatus(gvr, w.namespace, "b", "state", "ACTIVE")
	spend(t, requests, "bringing up as a service account", 2+3+1)
	w.delete(gvr, w.namespace, "b")
	w.waitGone(gvr, w.namespace, "b")
	w.delete(gvr, w.namespace, "a")
	w.waitGone(gvr, w.namespace, "a")
}

func TestNobodyActsWithoutAnEntry(t *testing.T) {
	w := newWorld(t)
	startEngine(t, identity.Settings{})
	gvr := resourceOf("Anon")
	w.apply(groups, "", groupOf("Anon", 1, false))
	w.waitStatus(groups, "", "anon", "state", "Active")
	w.apply(gvr, w.namespace, instanceOf("Anon", "a", ""))
	w.waitCondition(gvr, w.namespace, "a", "ServiceAccountResolved", "False/NoServiceAccount")
	w.delete(gvr, w.namespace, "a")
	w.waitGone(gvr, w.namespace, "a")
}
