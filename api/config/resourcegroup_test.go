package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

const webapps = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: webapps.apps.example.com}
spec:
  schema:
    apiVersion: v1alpha1
    kind: WebApp
    group: apps.example.com
    scope: Namespaced
    plural: webapps
    spec: {image: string, replicas: integer | default=3}
  resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: "${schema.spec.image}"}}
`

func TestResourceGroupDefaults(t *testing.T) {
	doc := parse(t, `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: a}
spec:
  schema: {apiVersion: v1, kind: A}
  resources:
  - id: x
    lifecycle: {ignoreFields: [spec.replicas]}
`)
	if errs := newServer(t, "resourcegroups").create(t, doc); len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	want := parse(t, `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: a}
spec:
  schema: {apiVersion: v1, kind: A, group: apps.plait.run, scope: Namespaced}
  deletionPolicy: Wait
  crdDeletion: Retain
  pinning: Denied
  ownerReferences: Set
  resources:
  - id: x
    lifecycle: {ignoreFields: [spec.replicas]}
status: {observedGeneration: -1}
`)
	// Nodes get no defaults: a list with fields that nobody wrote would differ for ever
	// from the one in a GitOps repository.
	if diff := cmp.Diff(want, doc); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

// What the compiler is to name must reach it: the API server neither drops nor refuses it.
func TestResourceGroupKeepsMistakes(t *testing.T) {
	const text = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: a}
spec:
  oops: 1
  deletionPolicy: Wait
  crdDeletion: Retain
  pinning: Denied
  ownerReferences: Set
  schema:
    apiVersion: v1
    kind: A
    group: apps.plait.run
    scope: Namespaced
    oops: {deep: [1]}
    metadata: {namespace: x, labels: {a: b}}
    spec: {a: strnig, b: {c: [1, {d: e}]}}
    types: {T: {x: integer}}
    status: {s: "${", conditions: ["${x}"]}
    validations: [{rule: "self.", oops: 1}, {message: no rule}]
    additionalPrinterColumns: [{name: X, oops: 1}]
  resources:
  - {}
  - id: Not-An-Id
    oops: 1
    template: {apiVersion: "${x}", whatever: {deep: [{er: true}]}}
    externalRef: {oops: 1, metadata: {oops: 1, name: a, selector: {oops: 1, matchLabels: {"${a}": "${b}"}}}}
    def: {a: "${", b: [1.5, {c: null}]}
    includeWhen: ["not an expression"]
    forEach: [{a: "${[1]}", b: "${[2]}"}, {}]
    dependsOn: [nobody, nobody]
    lifecycle: {oops: 1, recreate: OnImmutable, deletion: Orphan}
  - id: Not-An-Id
status: {observedGeneration: -1}
`
	doc := parse(t, text)
	if errs := newServer(t, "resourcegroups").create(t, doc); len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	if diff := cmp.Diff(parse(t, text), doc); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

// What can never be mended later, because it is immutable, is refused at once; so is what
// no compiler needs to explain.
func TestResourceGroupRefusals(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"bad version", "apiVersion: v1alpha1", "apiVersion: 1", "spec.schema.apiVersion"},
		{"bad kind", "kind: WebApp", "kind: webApp", "spec.schema.kind"},
		{"no kind", "kind: WebApp", "", "spec.schema.kind: Required"},
		{"group without a dot", "group: apps.example.com", "group: apps", "spec.schema.group"},
		{"reserved group", "group: apps.example.com", "group: plait.run", "reserved"},
		{"bad scope", "scope: Namespaced", "scope: Everywhere", "spec.schema.scope"},
		{"bad plural", "plural: webapps", "plural: WebApps", "spec.schema.plural"},
		{"bad deletionPolicy", "  resources:", "  deletionPolicy: Never\n  resources:", "spec.deletionPolicy"},
		{"bad crdDeletion", "  resources:", "  crdDeletion: Keep\n  resources:", "spec.crdDeletion"},
		{"bad pinning", "  resources:", "  pinning: Maybe\n  resources:", "spec.pinning"},
		{"bad ownerReferences", "  resources:", "  ownerReferences: Some\n  resources:", "spec.ownerReferences"},
		{"bad lifecycle", "  - id: config", "  - id: config\n    lifecycle: {deletion: Keep, adoption: Always, conflict: Ask, recreate: Often}", "spec.resources[0].lifecycle.recreate"},
		{"29 accounts", "  resources:", "  defaultServiceAccounts: {" + accounts(29) + "}\n  resources:", "spec.defaultServiceAccounts: Too many"},
	}
	group := newServer(t, "resourcegroups")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			errs := group.create(t, parse(t, edit(t, webapps, test.old, test.new)))
			if len(errs) == 0 || !strings.Contains(errs.ToAggregate().Error(), test.want) {
				t.Errorf("got %v, want an error with %q", errs, test.want)
			}
		})
	}
	if errs := group.create(t, parse(t, edit(t, webapps, "  resources:", "  defaultServiceAccounts: {"+accounts(28)+"}\n  resources:"))); len(errs) > 0 {
		t.Errorf("28 accounts: %v", errs)
	}
}

func accounts(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("ns-%d: sa", i))
	}
	return strings.Join(out, ", ")
}

func TestResourceGroupIdentityIsImmutable(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"nothing", "replicas: integer", "replicas: number", ""},
		{"version", "apiVersion: v1alpha1\n    kind", "apiVersion: v1alpha2\n    kind", "spec.schema.apiVersion"},
		{"kind", "kind: WebApp", "kind: App", "spec.schema.kind"},
		{"group", "group: apps.example.com", "group: other.example.com", "spec.schema.group"},
		{"group left out", "group: apps.example.com", "", "spec.schema.group"},
		{"scope", "scope: Namespaced", "scope: Cluster", "spec.schema.scope"},
		{"scope left out is the default", "scope: Namespaced", "", ""},
		{"plural", "plural: webapps", "plural: webs", "spec.schema.plural"},
		{"plural left out", "plural: webapps", "", "spec.schema.plural"},
	}
	group := newServer(t, "resourcegroups")
	old := parse(t, webapps)
	if errs := group.create(t, old); len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantRefusal(t, group.update(t, parse(t, edit(t, webapps, test.old, test.new)), old), test.want)
		})
	}
	t.Run("plural added", func(t *testing.T) {
		without := parse(t, edit(t, webapps, "plural: webapps", ""))
		group.admit(without)
		wantRefusal(t, group.update(t, parse(t, webapps), without), "spec.schema.plural")
	})
}

// 2000 nodes are stored and updated within the API server's budget for rules, and so is
// the revision that holds them; 2001 are refused.
func TestResourceGroupOf2000Nodes(t *testing.T) {
	group := newServer(t, "resourcegroups")
	doc, old := parse(t, webapps), parse(t, webapps)
	setNodes(doc, 2000)
	setNodes(old, 2000)
	group.admit(old)
	wantRefusal(t, group.update(t, doc, old), "")

	revision := newServer(t, "resourcegrouprevisions")
	kept, changed := revisionOf(doc), revisionOf(old)
	wantRefusal(t, revision.update(t, kept, revisionOf(doc)), "")
	changed["spec"].(object)["snapshot"].(object)["resources"] = []any{}
	wantRefusal(t, revision.update(t, changed, kept), "a revision is immutable")

	setNodes(doc, 2001)
	wantRefusal(t, group.update(t, doc, old), "spec.resources: Too many")
}

func setNodes(doc object, n int) {
	nodes := make([]any, n)
	for i := range nodes {
		nodes[i] = object{
			"id": fmt.Sprintf("node%d", i),
			"template": object{
				"apiVersion": "v1", "kind": "ConfigMap",
				"metadata": object{"name": fmt.Sprintf("node-%d", i)},
				"data":     object{"text": strings.Repeat("x", 200)},
			},
		}
	}
	doc["spec"].(object)["resources"] = nodes
}

func revisionOf(group object) object {
	return object{
		"apiVersion": "plait.run/v1alpha1",
		"kind":       "ResourceGroupRevision",
		"metadata":   object{"name": "webapps-1"},
		"spec": object{
			"resourceGroup": object{"name": "webapps", "uid": "1234"},
			"revision":      int64(1),
			"hash":          "abcd",
			"snapshot":      group["spec"].(object),
		},
	}
}

func TestRevisionIsImmutable(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"labels", "metadata: {name: a-1}", "metadata: {name: a-1, labels: {a: b}}", ""},
		{"number", "revision: 1", "revision: 2", "a revision is immutable"},
		{"deep inside", "default=3", "default=4", "a revision is immutable"},
		{"more", "spec: {image", "more: 1, spec: {image", "a revision is immutable"},
	}
	const text = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroupRevision
metadata: {name: a-1}
spec:
  resourceGroup: {name: a, uid: u}
  revision: 1
  hash: abc
  snapshot: {schema: {spec: {image: string, replicas: integer | default=3}}, oops: [1, {b: null}]}
`
	revision := newServer(t, "resourcegrouprevisions")
	old := parse(t, text)
	wantRefusal(t, revision.create(t, old), "")
	if diff := cmp.Diff(parse(t, text), old); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantRefusal(t, revision.update(t, parse(t, edit(t, text, test.old, test.new)), old), test.want)
		})
	}
}

// Free-form maps are owned whole, or the managed fields of 2000 nodes would not fit.
func TestFreeFormMapsAreAtomic(t *testing.T) {
	spec := decodeCRD(t, "resourcegroups").Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	schema, resources := spec.Properties["schema"], spec.Properties["resources"]
	maps := map[string]apiextensionsv1.JSONSchemaProps{
		"schema.spec":   schema.Properties["spec"],
		"schema.types":  schema.Properties["types"],
		"schema.status": schema.Properties["status"],
		"template":      resources.Items.Schema.Properties["template"],
		"def":           resources.Items.Schema.Properties["def"],
		"snapshot": decodeCRD(t, "resourcegrouprevisions").Spec.Versions[0].
			Schema.OpenAPIV3Schema.Properties["spec"].Properties["snapshot"],
	}
	for name, got := range maps {
		isAtomic := got.XMapType != nil && *got.XMapType == "atomic"
		isKept := got.XPreserveUnknownFields != nil && *got.XPreserveUnknownFields
		if got.Type != "object" || !isAtomic || !isKept {
			t.Errorf("%s: type %q, atomic %t, preserves unknown fields %t", name, got.Type, isAtomic, isKept)
		}
	}
	if resources.XListType == nil || *resources.XListType != "atomic" {
		t.Error("resources is not an atomic list")
	}
}
