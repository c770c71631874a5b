package instance_test

import (
	"strings"
	"testing"
	"time"

	"github.com/plait-run/plait/test/world"
)

func TestChildrenAreWrittenAsTheServiceAccount(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t, asNobody)
	const kind = "Tenant"
	group := strings.Replace(groupOf("Tenant", 2, false), "  resources:\n", "  defaultServiceAccounts: {"+w.Namespace+": deployer}\n  resources:\n", 1)
	w.Apply(group)
	w.WaitStatus("ResourceGroup", "tenant", "state", "Active")

	w.Apply(instanceOf("Tenant", "a", ""))
	w.WaitCondition(kind, "a", "ServiceAccountResolved", "False/ServiceAccountNotFound")
	if left := w.Names("ConfigMap", "a-"); len(left) > 0 {
		t.Errorf("written although nobody may: %v", left)
	}
	w.Apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: deployer}}")
	created := time.Now()
	u := w.WaitCondition(kind, "a", "Ready", "False/Forbidden")
	if took := time.Since(created); took > 5*time.Second { // the fallback comes after 15
		t.Errorf("the account is noticed after %s", took)
	}
	if got := world.Condition(u, "Ready"); !strings.Contains(got, `needs the right to patch configmaps of API group "" in namespace `+w.Namespace) {
		t.Errorf("the missing rule is not named: %s", got)
	}
	w.GrantTo("deployer", "deployer", `[{apiGroups: [""], resources: [configmaps], verbs: [get, list, create, patch, delete]}]`)
	w.Apply(instanceOf("Tenant", "a", "text: granted"))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	w.WaitStatus(kind, "a", "serviceAccount", w.Namespace+"/deployer")

	requests := shared.NewLedger(t)
	w.Apply(instanceOf("Tenant", "b", ""))
	w.WaitStatus(kind, "b", "state", "ACTIVE")
	spend(t, requests, "bringing up as a service account", 2+3+1)
	w.Delete(kind, "b")
	w.WaitGone(kind, "b")
	w.Delete(kind, "a")
	w.WaitGone(kind, "a")
}

func TestNobodyActsWithoutAnEntry(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t, asNobody)
	const kind = "Anon"
	w.Apply(groupOf("Anon", 1, false))
	w.WaitStatus("ResourceGroup", "anon", "state", "Active")
	w.Apply(instanceOf("Anon", "a", ""))
	w.WaitCondition(kind, "a", "ServiceAccountResolved", "False/NoServiceAccount")
	w.Delete(kind, "a")
	w.WaitGone(kind, "a")
}
