package identity_test

import (
	"encoding/json"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

const password = "correct-horse"

// heist is a group that reads a Secret in some way, and writes what it finds into its status and into a ConfigMap.
func heist(kind, node, value string) string {
	plural := strings.ToLower(kind) + "s"
	return `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: ` + plural + `.apps.plait.run}
spec:
  schema:
    apiVersion: v1alpha1
    kind: ` + kind + `
    spec: {target: string}
    status: {loot: '${` + value + `}'}
  defaultServiceAccounts: {"*": deployer}
  resources:
  - id: vault
` + node + `
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}-copy"}
      data: {loot: '${` + value + `}'}
`
}

// heists are ways in which a tenant might read by a group what the own account may not read.
var heists = map[string]struct {
	kind, node, value string
	rights            string // beside those to write ConfigMaps
	missing           string // what the instance says
	suffices          string // verbs that let it through
}{
	"an external by name": {
		"Namer", "    externalRef: {apiVersion: v1, kind: Secret, metadata: {name: treasure}}", one,
		"", "may not get secrets", "get",
	},
	"a computed name": {
		"Templater", "    externalRef: {apiVersion: v1, kind: Secret, metadata: {name: \"${schema.spec.target}\"}}", one,
		"", "may not get secrets", "get",
	},
	"a selector": {
		"Selector", "    externalRef: {apiVersion: v1, kind: Secret, metadata: {selector: {matchLabels: {rich: \"yes\"}}}}", first,
		"", "may not list secrets", "get, list",
	},
	"an adopted child": {
		"Adopter", "    lifecycle: {adoption: IfUnowned, deletion: Orphan}\n" +
			"    template: {apiVersion: v1, kind: Secret, metadata: {name: \"${schema.spec.target}\"}}", one,
		`[{apiGroups: [""], resources: [secrets], verbs: [create, patch]}]`, "the right to get secrets", "get",
	},
}

const (
	one   = "string(vault.data.password)"
	first = "string(vault[0].data.password)"
)

// TestSecretsStaySecret has all heists fail, and heal once the account has the right.
func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	for name, h := range heists {
		w := shared.Tenant(t, "heist-"+strings.ToLower(h.kind))
		w.Serve(heist(h.kind, h.node, h.value))
		w.Grant("children", configMaps)
		if h.rights != "" {
			w.Grant("some", h.rights)
		}
		w.Apply("{apiVersion: v1, kind: Secret, metadata: {name: treasure, labels: {rich: \"yes\"}}, stringData: {password: " + password + "}}")
		w.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: " + h.kind + ", metadata: {name: a}, spec: {target: treasure}}")
		u := w.WaitReady(h.kind, "a", "False/Forbidden")
		if got := world.Condition(u, "Ready"); !strings.Contains(got, h.missing) {
			t.Errorf("%s: the missing right is not named: %s", name, got)
		}
		holdsNoLoot(t, w, u)
		w.Grant("secrets", `[{apiGroups: [""], resources: [secrets], verbs: [`+h.suffices+`]}]`)
	}
	for name, h := range heists { // they wait at the same time, a minute: for as long as answers about rights are kept
		w := shared.Tenant(t, "heist-"+strings.ToLower(h.kind))
		u := w.WaitReady(h.kind, "a", "True/Available")
		if loot, _, _ := unstructured.NestedString(u.Object, "status", "loot"); loot != password {
			t.Errorf("%s: with the right it reads %q", name, loot)
		}
		w.Remove(h.kind, "a")
	}
}

// holdsNoLoot looks for the password in the instance and in all ConfigMaps of the namespace.
func holdsNoLoot(t *testing.T, w *world.Tenant, instance *unstructured.Unstructured) {
	t.Helper()
	list, err := w.At("ConfigMap").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range append(list.Items, *instance) {
		text, err := json.Marshal(u.Object)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), password) {
			t.Errorf("%s %s has the password: %s", u.GetKind(), u.GetName(), text)
		}
	}
}
