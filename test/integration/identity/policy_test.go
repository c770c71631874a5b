package identity_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/test/world"
)

// authors may write groups; what they may impersonate differs.
const authors = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: authors}
rules: [{apiGroups: [plait.run], resources: [resourcegroups], verbs: [get, create, patch, update]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: authors}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: authors}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: authors}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: impersonate-all}
rules: [{apiGroups: [""], resources: [serviceaccounts], verbs: [impersonate]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: impersonate-all}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: impersonate-all}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: everywhere}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: use-deployer}
rules: [{apiGroups: [""], resources: [serviceaccounts], resourceNames: [deployer], verbs: [impersonate]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: use-deployer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: use-deployer}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: here}]`

// author is the client of a user of the group authors: everywhere, here (in one namespace, for deployer) or nowhere.
func author(t *testing.T, name string) dynamic.ResourceInterface {
	t.Helper()
	rc, err := shared.RESTConfigFor(name, "authors")
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(rc)
	if err != nil {
		t.Fatal(err)
	}
	return client.Resource(schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegroups"})
}

func named(t *testing.T, name, accounts string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	document := `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: ` + name + `}
spec:
  schema: {apiVersion: v1alpha1, kind: Named}
  resources: [{id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}"}}}]`
	if err := yaml.Unmarshal([]byte(document), &u.Object); err != nil {
		t.Fatal(err)
	}
	if accounts != "" {
		var entries map[string]any
		if err := yaml.Unmarshal([]byte(accounts), &entries); err != nil {
			t.Fatal(err)
		}
		u.Object["spec"].(map[string]any)["defaultServiceAccounts"] = entries
	}
	return u
}

func TestWhoMayNameAnAccount(t *testing.T) {
	t.Parallel()
	w := shared.Tenant(t, "named")
	w.Apply(authors)
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	world.Eventually(t, "the policy has no effect", func() error {
		if _, err := author(t, "nowhere").Create(t.Context(), named(t, "probe", "{named: deployer}"), dry); !apierrors.IsForbidden(err) {
			return fmt.Errorf("an author without rights gets %w", err)
		}
		_, err := author(t, "everywhere").Create(t.Context(), named(t, "probe", "{named: deployer}"), dry)
		return err
	})
	const refused = "the author may not use; needed is the right to impersonate "
	tests := map[string]struct{ user, accounts, want string }{
		"no right":                         {"nowhere", "{named: deployer}", refused + "named/deployer"},
		"the right to this one":            {"here", "{named: deployer}", ""},
		"another account":                  {"here", "{named: admin}", refused + "named/admin"},
		"another namespace":                {"here", "{other: deployer}", refused + "other/deployer"},
		"one of two":                       {"here", "{named: deployer, other: deployer}", refused + "named/deployer and other/deployer"},
		"all namespaces, right in one":     {"here", `{"*": deployer}`, refused + "*/deployer"},
		"all namespaces, right in all":     {"everywhere", `{"*": deployer}`, ""},
		"cluster-scoped":                   {"here", `{"": named/deployer}`, ""},
		"cluster-scoped, other namespace":  {"here", `{"": other/deployer}`, refused + "other/deployer"},
		"cluster-scoped, no namespace":     {"here", `{"": deployer}`, refused + "deployer"},
		"no map":                           {"everywhere", "", "spec.defaultServiceAccounts is missing"},
		"empty map":                        {"nowhere", "{}", ""},
		"as many as can be checked":        {"everywhere", entries(28, "deployer"), ""},
		"as many as can be, without right": {"nowhere", entries(28, "deployer"), refused + "n00/deployer and n01/deployer"},
		"too many":                         {"everywhere", entries(29, "deployer"), "28"},
		"the last of many":                 {"here", strings.TrimSuffix(entries(1, "deployer"), "}") + ", named: deployer}", refused + "n00/deployer and named/deployer"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := author(t, tt.user).Create(t.Context(), named(t, "tried.apps.plait.run", tt.accounts), dry)
			if tt.want == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the answer is %v, want %q", err, tt.want)
			}
		})
	}
}

// entries names an account in n namespaces, in flow style.
func entries(n int, account string) string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprintf("n%02d", i)] = account
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// TestOnlyNewSpecsAreAsked has others, and the engine, write what is not the spec of a group.
func TestOnlyNewSpecsAreAsked(t *testing.T) {
	t.Parallel()
	w := shared.Tenant(t, "respecified")
	w.Apply(authors)
	group := named(t, "named.apps.plait.run", "{respecified: deployer}")
	text, err := yaml.Marshal(group.Object)
	if err != nil {
		t.Fatal(err)
	}
	w.Serve(string(text))
	u, err := w.Get("ResourceGroup", group.GetName())
	if err != nil || len(u.GetFinalizers()) == 0 {
		t.Fatalf("the engine could not claim the group: %v, %v", u, err)
	}
	if err := world.HasCondition("ServiceAccountsAllowed", "True/Allowed")(u); err != nil {
		t.Error(err)
	}
	nobody := author(t, "nowhere")
	patch := func(body string) error {
		_, err := nobody.Patch(context.Background(), group.GetName(), types.MergePatchType, []byte(body), metav1.PatchOptions{})
		return err
	}
	if err := patch(`{"metadata":{"labels":{"a":"b"}}}`); err != nil {
		t.Errorf("a label is refused: %v", err)
	}
	if err := patch(`{"spec":{"resources":null}}`); !apierrors.IsForbidden(err) {
		t.Errorf("new templates for an account of others: %v, want forbidden", err)
	}
}

// TestOnlyTheEngineMakesRevisions has somebody who may write revisions, and nothing else, put a spec past the policy. That
// the engine may, every test shows.
func TestOnlyTheEngineMakesRevisions(t *testing.T) {
	t.Parallel()
	w := shared.Tenant(t, "revised")
	w.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: historians}
rules: [{apiGroups: [plait.run], resources: [resourcegrouprevisions], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: historians}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: historians}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: historians}]`)
	rc, err := shared.RESTConfigFor("historian", "historians")
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(rc)
	if err != nil {
		t.Fatal(err)
	}
	revision := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "plait.run/v1alpha1", "kind": "ResourceGroupRevision", "metadata": map[string]any{"name": "forged-9"},
		"spec": map[string]any{
			"resourceGroup": map[string]any{"name": "forged", "uid": "1"}, "revision": int64(9), "hash": "x",
			"snapshot": map[string]any{"defaultServiceAccounts": map[string]any{"kube-system": "admin"}},
		},
	}}
	at := client.Resource(schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegrouprevisions"})
	world.Eventually(t, "a forged revision is taken", func() error {
		_, err := at.Create(t.Context(), revision, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if apierrors.IsForbidden(err) && strings.Contains(err.Error(), "only the engine makes revisions") {
			return nil
		}
		return fmt.Errorf("the answer is %w", err)
	})
}
