package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// edit replaces one text in a document; a text that is not there would test nothing.
func edit(t testing.TB, doc, old, replacement string) string {
	t.Helper()
	if !strings.Contains(doc, old) {
		t.Fatalf("the document has no %q", old)
	}
	return strings.Replace(doc, old, replacement, 1)
}

// wantRefusal wants no error for an empty text, and else exactly one that holds it.
func wantRefusal(t testing.TB, errs field.ErrorList, want string) {
	t.Helper()
	if want == "" {
		if len(errs) > 0 {
			t.Errorf("refused: %v", errs.ToAggregate())
		}
		return
	}
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), want) {
		t.Errorf("got %v, want one error with %q", errs, want)
	}
}

const acme = `
apiVersion: plait.run/v1alpha1
kind: Connection
metadata: {name: acme}
spec:
  kubeconfigSecretRef: {namespace: plait-system, name: acme}
  acceptClusterUID: two
status:
  observedGeneration: 1
  remoteClusterUID: one
  localClusterUID: home
  identitySource: Namespace
`

func TestConnectionDefaults(t *testing.T) {
	doc := parse(t, `
apiVersion: plait.run/v1alpha1
kind: Connection
metadata: {name: acme}
spec: {kubeconfigSecretRef: {namespace: plait-system, name: acme}}
`)
	wantRefusal(t, newServer(t, "connections").create(t, doc), "")
	want := parse(t, `
apiVersion: plait.run/v1alpha1
kind: Connection
metadata: {name: acme}
spec:
  kubeconfigSecretRef: {namespace: plait-system, name: acme, key: kubeconfig}
  schema: {source: Auto, pullPolicy: Bound, updatePolicy: Always}
  autoBind: false
  insecureSkipTLSVerify: false
  abandon: false
status: {observedGeneration: -1}
`)
	if diff := cmp.Diff(want, doc); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

func TestConnectionRules(t *testing.T) {
	const pinned = "remoteClusterUID: one"
	tests := []struct{ name, old, new, want string }{
		{"unchanged", pinned, pinned, ""},
		{"to the accepted cluster", pinned, "remoteClusterUID: two", ""},
		{"to another cluster", pinned, "remoteClusterUID: three", "status.remoteClusterUID"},
		{"left out", "  " + pinned + "\n", "", "status.remoteClusterUID"},
		{"emptied", pinned, `remoteClusterUID: ""`, "status.remoteClusterUID"},
		{"the local cluster", "localClusterUID: home", "localClusterUID: away", "status.localClusterUID"},
		{"the local cluster left out", "  localClusterUID: home\n", "", "status.localClusterUID"},
		{"the local cluster, accepted", "localClusterUID: home", "localClusterUID: two", ""},
		{"the source alone", "identitySource: Namespace", "identitySource: LogicalCluster", "status.identitySource"},
		{"the source with the cluster", pinned + "\n  localClusterUID: home\n  identitySource: Namespace", "remoteClusterUID: two\n  localClusterUID: home\n  identitySource: LogicalCluster", ""},
		{"the Secret", "name: acme}\n  accept", "name: other}\n  accept", "spec.kubeconfigSecretRef"},
		{"the default key written out", "name: acme}\n  accept", "name: acme, key: kubeconfig}\n  accept", ""},
		{"another key", "name: acme}\n  accept", "name: acme, key: other}\n  accept", "spec.kubeconfigSecretRef"},
		{"other settings", "  acceptClusterUID: two", "  autoBind: true\n  abandon: true\n  schema: {pullPolicy: All}", ""},
	}
	connection := newServer(t, "connections")
	old := parse(t, acme)
	wantRefusal(t, connection.create(t, old), "")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			errs := connection.update(t, parse(t, edit(t, acme, test.old, test.new)), old)
			if test.name == "emptied" { // the length of the value is refused as well
				errs = errs[:min(1, len(errs))]
			}
			wantRefusal(t, errs, test.want)
		})
	}
}

// A pin that is not set yet may be set to anything, and a status may come into being.
func TestConnectionPinsOnce(t *testing.T) {
	connection := newServer(t, "connections")
	old := parse(t, acme)
	connection.admit(old)
	delete(old, "status")
	wantRefusal(t, connection.update(t, parse(t, acme), old), "")
	old["status"] = object{"observedGeneration": int64(-1)}
	wantRefusal(t, connection.update(t, parse(t, acme), old), "")
}

func TestConnectionNameFitsALabel(t *testing.T) {
	connection := newServer(t, "connections")
	wantRefusal(t, connection.create(t, parse(t, edit(t, acme, "{name: acme}", "{name: "+strings.Repeat("a", 63)+"}"))), "")
	wantRefusal(t, connection.create(t, parse(t, edit(t, acme, "{name: acme}", "{name: "+strings.Repeat("a", 64)+"}"))), "at most 63")
}

const binding = `
apiVersion: plait.run/v1alpha1
kind: ClusterBinding
metadata: {name: acme}
spec:
  connectionRef: {name: acme}
  apis:
  - {name: databases.db.example.com, metadata: {labels: [team]}}
  relatedResources:
  - {resource: secrets, direction: FromProvider, selector: {names: [a]}}
`

func TestBindingRules(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"unchanged", "name: acme", "name: acme", ""},
		{"the Connection", "connectionRef: {name: acme}", "connectionRef: {name: other}", "spec.connectionRef"},
		{"an API more", "  relatedResources:", "  - {name: caches.db.example.com}\n  relatedResources:", ""},
		{"an API without a group", "databases.db.example.com", "databases", "spec.apis[0].name"},
		{"by labels", "{names: [a]}", "{labelSelector: {matchLabels: {a: b}}}", ""},
		{"by expressions", "{names: [a]}", "{labelSelector: {matchExpressions: [{key: a, operator: Exists}]}}", ""},
		{"no selector", ", selector: {names: [a]}", "", "selector: Required"},
		{"an empty selector", "{names: [a]}", "{}", "exactly one of"},
		{"both selectors", "{names: [a]}", "{names: [a], labelSelector: {matchLabels: {a: b}}}", "exactly one of"},
		{"a selector of everything", "{names: [a]}", "{labelSelector: {}}", "would select everything"},
		{"a selector of no labels", "{names: [a]}", "{labelSelector: {matchLabels: {}}}", "would select everything"},
		{"no names", "{names: [a]}", "{names: []}", "names"},
		{"pods", "resource: secrets", "resource: pods", "resource: Unsupported"},
	}
	for _, plural := range []string{"clusterbindings", "bindings"} {
		t.Run(plural, func(t *testing.T) {
			bindings := newServer(t, plural)
			old := parse(t, binding)
			wantRefusal(t, bindings.create(t, old), "")
			spec := old["spec"].(object)
			if spec["conflictPolicy"] != "Fail" || spec["deletionPolicy"] != "Retain" {
				t.Errorf("policies by default: %v and %v", spec["conflictPolicy"], spec["deletionPolicy"])
			}
			for _, test := range tests {
				t.Run(test.name, func(t *testing.T) {
					wantRefusal(t, bindings.update(t, parse(t, edit(t, binding, test.old, test.new)), old), test.want)
				})
			}
		})
	}
}

const workspace = `
apiVersion: plait.run/v1alpha1
kind: Workspace
metadata: {name: eu}
spec:
  mount:
    ref: {apiVersion: infra.example.com/v1alpha1, kind: TenantCluster, name: eu-1, namespace: infra}
    serviceAccountName: reader
`

func TestWorkspaceRules(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"the URL", "spec:", "spec:\n  URL: https://eu.example.com", ""},
		{"the account", "serviceAccountName: reader", "serviceAccountName: infra/reader", ""},
		{"a bad account", "serviceAccountName: reader", "serviceAccountName: a/b/c", "spec.mount.serviceAccountName"},
		{"another object", "name: eu-1", "name: eu-2", "spec.mount.ref"},
		{"no namespace", ", namespace: infra", "", "spec.mount.ref"},
		{"a status", "spec:", "status: {phase: Unavailable, conditions: [{type: WorkspaceMountReady, status: 'False', severity: Error, lastTransitionTime: '2026-01-01T00:00:00Z', reason: MountObjectNotFound}]}\nspec:", ""},
		{"a condition that is True", "spec:", "status: {phase: Ready, conditions: [{type: WorkspaceMountReady, status: 'True', severity: '', lastTransitionTime: '2026-01-01T00:00:00Z'}]}\nspec:", ""},
		{"another phase", "spec:", "status: {phase: Lost}\nspec:", "status.phase"},
	}
	workspaces := newServer(t, "workspaces")
	old := parse(t, workspace)
	wantRefusal(t, workspaces.create(t, old), "")
	if diff := cmp.Diff(object{"phase": "Scheduling"}, old["status"]); diff != "" {
		t.Errorf("status at first (-want +got):\n%s", diff)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantRefusal(t, workspaces.update(t, parse(t, edit(t, workspace, test.old, test.new)), old), test.want)
		})
	}
	t.Run("no mount", func(t *testing.T) {
		wantRefusal(t, workspaces.create(t, parse(t, "{apiVersion: plait.run/v1alpha1, kind: Workspace, metadata: {name: a}, spec: {}}")), "spec.mount: Required")
	})
}
