package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const head = "apiVersion: plait.run/v1alpha1\nkind: ResourceGroup\nmetadata: {name: g}\nspec:\n"

func mapText(t *testing.T, text string) (*Group, []string) {
	t.Helper()
	docs, problems := Parse("", []byte(text))
	if problems.Len() > 0 || len(docs) != 1 {
		t.Fatal(len(docs), lines(problems))
	}
	g, problems := MapGroup(docs[0])
	var got []string
	for _, d := range problems.Sorted() {
		got = append(got, fmt.Sprintf("%d:%d %s %s %s %s", d.Position.Line, d.Position.Column, d.Code, d.Path, d.Summary, d.Suggestion))
	}
	return g, got
}

// wholeGroup is the spec of a group with every field in it.
const wholeGroup = `
  schema:
    apiVersion: v1
    kind: Web
    group: example.com
    scope: Cluster
    plural: webs
    shortNames: [w]
    categories: [all]
    metadata: {labels: {a: b}, annotations: {c: d}}
    spec: {size: integer}
    types: {T: string}
    status: {x: "${a.b}"}
    validations: [{rule: "true", message: nope}]
    additionalPrinterColumns: [{name: A, type: string, jsonPath: .spec.a, priority: 1}]
  deletionPolicy: Cascade
  pinning: Allowed
  defaultServiceAccounts: {team-a: deployer, "*": fallback, "": kube/x}
  resources:
  - id: one
    template: {a: b}
    includeWhen: ["${true}"]
    readyWhen: ["${true}"]
    forEach: [{zone: "${z}"}, {size: "${s}"}]
    dependsOn: [two]
    lifecycle: {deletion: Orphan, ignoreFields: [spec.replicas]}
  - id: two
    externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: {matchLabels: {a: "${x}"}, matchExpressions: [{key: a, operator: In, values: [b]}]}}}
  - id: three
    def: {}
    template: null
status: {state: Active}
`

func TestMapGroup(t *testing.T) {
	g, problems := mapText(t, head+wholeGroup)
	if len(problems) > 0 {
		t.Fatal(strings.Join(problems, "\n"))
	}
	wantPolicies := Policies{
		DeletionPolicy: "Cascade", CRDDeletion: "Retain", Pinning: "Allowed", OwnerReferences: "Set",
		DefaultServiceAccounts: map[string]string{"team-a": "deployer", "*": "fallback", "": "kube/x"},
	}
	if diff := cmp.Diff(wantPolicies, g.Policies); diff != "" {
		t.Error(diff)
	}
	one := g.Nodes[0]
	wantLifecycle := Lifecycle{Deletion: "Orphan", Adoption: "Never", Conflict: "Force", Recreate: "Never",
		IgnoreFields: []*Value{one.Lifecycle.IgnoreFields[0]}}
	if diff := cmp.Diff(wantLifecycle, one.Lifecycle); diff != "" {
		t.Error(diff)
	}
	got := []string{
		g.Name, g.Schema.Kind.Text(), g.Schema.Labels.Get("a").Text(), g.Schema.Status.Get("x").Path,
		one.ForEach[1].Name + one.ForEach[1].Value.Path, one.DependsOn[0].Text(), g.Nodes[1].ExternalRef.Path,
		g.Nodes[2].Def.Path, fmt.Sprint(g.Nodes[2].Template == nil, g.Nodes[2].Index),
	}
	want := []string{
		"g", "Web", "b", "spec.schema.status.x", "sizespec.resources[0].forEach[1].size", "two",
		"spec.resources[1].externalRef", "spec.resources[2].def", "true 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

const plainSchema = "  schema: {apiVersion: v1, kind: A}\n"

// strictCases are documents with what is said of them, in order.
var strictCases = map[string]struct {
	text string
	want []string
}{
	"not ours": {"apiVersion: plait.run/v1\nkind: Group\nmetadata: {}\nspec: null\nstat: {}\n", []string{
		`1:1 PLT005 spec the field "spec" is required`,
		`1:13 PLT006 apiVersion this is "plait.run/v1", and must be "plait.run/v1alpha1"`,
		`2:7 PLT006 kind this is "Group", and must be "ResourceGroup"`,
		`3:11 PLT005 metadata.name the field "name" is required`,
		`5:1 PLT003 stat a ResourceGroup has no field "stat" Did you mean status?`,
	}},
	"metadata": {"apiVersion: plait.run/v1alpha1\nkind: ResourceGroup\nmetadata: {name: A_b, namespace: x, labels: {a: 1}, lables: {}}\nspec: {schema: {}}\n", []string{
		`3:18 PLT006 metadata.name "A_b" is no valid name`, `PLT006 metadata.namespace a ResourceGroup has no namespace`,
		`PLT004 metadata.labels.a this must be a string, not an integer Put it in quotes.`,
		`PLT003 metadata.lables metadata has no field "lables" Did you mean labels?`,
		`4:16 PLT005 spec.schema.apiVersion`, `4:16 PLT005 spec.schema.kind`,
	}},
	"schema": {head + "  schema:\n    apiVersion: 1\n    kind: A\n    scope: cluster\n    shortNames: [1]\n    spec: [x]\n    validations: [{rul: x}]\n    additionalPrinterColumns: [{name: A, jsonpath: .x}]\n", []string{
		`PLT004 spec.schema.apiVersion this must be a string, not an integer Put it in quotes.`,
		`PLT006 spec.schema.scope "cluster" is not possible here Use Namespaced or Cluster.`,
		`PLT004 spec.schema.shortNames[0] this must be a string`, `PLT004 spec.schema.spec this must be a map, not a list`,
		`11:19 PLT005 spec.schema.validations[0].rule`, `11:20 PLT003 spec.schema.validations[0].rul`,
		`PLT005 spec.schema.additionalPrinterColumns[0].jsonPath`, `PLT005 spec.schema.additionalPrinterColumns[0].type`,
		`PLT003 spec.schema.additionalPrinterColumns[0].jsonpath a printer column has no field "jsonpath" Did you mean jsonPath?`,
	}},
	"policies": {head + plainSchema + "  deletionPolicy: Never\n  crdDeletion: true\n  defaultServiceAccounts: {A: b, c: D, \"\": x}\n  resources: {}\n", []string{
		`PLT006 spec.deletionPolicy "Never" is not possible here Use Wait or Cascade.`, `PLT004 spec.crdDeletion this must be a string, not true or false`,
		`PLT006 spec.defaultServiceAccounts.A "A" is no name of a namespace`, `PLT006 spec.defaultServiceAccounts.c "D" is no name of a service account`,
		`PLT006 spec.defaultServiceAccounts[""] "x" names no service account`, `PLT004 spec.resources this must be a list, not a map`,
	}},
	"nodes": {head + plainSchema + "  resources:\n  - x\n  - id: a\n    readywhen: []\n    template: {status: {}}\n  - {id: b}\n  - {id: c, def: {}, template: x}\n  - {def: {}, lifecycle: {deletion: Retain, x: 1}, includeWhen: [true]}\n", []string{
		`7:5 PLT004 spec.resources[0] this must be a map, not a string`,
		`9:5 PLT003 spec.resources[1].readywhen a node has no field "readywhen" Did you mean readyWhen?`,
		`10:16 PLT405 spec.resources[1].template.status a template cannot set status`,
		`11:5 PLT202 spec.resources[2] the node has no body`,
		`12:5 PLT202 spec.resources[3] the node has several bodies: template and def`,
		`12:32 PLT004 spec.resources[3].template this must be a map, not a string`,
		`13:5 PLT005 spec.resources[4].id`, `PLT006 spec.resources[4].lifecycle.deletion "Retain" is not possible here Use Delete or Orphan.`,
		`PLT003 spec.resources[4].lifecycle.x`, `PLT004 spec.resources[4].includeWhen[0] this must be a string`,
	}},
	"forEach": {head + plainSchema + "  resources:\n  - id: a\n    def: {}\n    forEach: [{}, {a: x, b: y}, {c: 1}, d, {e: f}, {e: f}, {e: f}, {e: f}, {e: f}, {e: f}, {g: h}]\n", []string{
		`PLT204 spec.resources[0].forEach[0] an entry of forEach names exactly one iterator`, `PLT204 spec.resources[0].forEach[1] an entry`,
		`PLT004 spec.resources[0].forEach[2].c this must be a string`, `PLT004 spec.resources[0].forEach[3] this must be a map`,
		`PLT204 spec.resources[0].forEach[10] a node may have 10 iterators at most`,
	}},
	"externalRef": {head + plainSchema + "  resources:\n  - id: a\n    externalRef: {apiVersion: v1, nam: x, metadata: {name: 1, selector: {matchLabels: {a: 1}, x: y, matchExpressions: [{}]}}}\n", []string{
		`PLT003 spec.resources[0].externalRef.nam`, `PLT004 spec.resources[0].externalRef.metadata.name this must be a string`,
		`PLT004 spec.resources[0].externalRef.metadata.selector.matchLabels.a`, `PLT003 spec.resources[0].externalRef.metadata.selector.x`,
		`PLT005 spec.resources[0].externalRef.metadata.selector.matchExpressions[0].key`,
		`PLT005 spec.resources[0].externalRef.metadata.selector.matchExpressions[0].operator`,
	}},
	"too many nodes":    {head + plainSchema + "  resources:\n" + strings.Repeat("  - {}\n", 2001), []string{`PLT008 spec.resources 2001 resources are too many`}},
	"too many accounts": {head + plainSchema + "  defaultServiceAccounts:\n" + accounts(29), []string{`PLT006 spec.defaultServiceAccounts 29 entries are too many`}},
	"too large":         {head + plainSchema + "# " + strings.Repeat("x", 700<<10), []string{"PLT007 spec the document has 700 KiB, and over 700 KiB an API server may not store it Apply it with `kubectl apply --server-side`"}},
}

func TestMapGroupIsStrict(t *testing.T) {
	for name, tc := range strictCases {
		t.Run(name, func(t *testing.T) {
			g, got := mapText(t, tc.text)
			if g == nil || len(got) != len(tc.want) {
				t.Fatalf("got %v and %d problems:\n%s", g, len(got), strings.Join(got, "\n"))
			}
			for i, want := range tc.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("got  %q\nwant %q in it", got[i], want)
				}
			}
		})
	}
}

func accounts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "    n%d: a\n", i)
	}
	return b.String()
}

func TestMapGroupOfNoMap(t *testing.T) {
	g, problems := MapGroup(NewDocument("", FromPlain([]any{})))
	if g != nil || !problems.HasErrors() {
		t.Errorf("got %v, %v", g, lines(problems))
	}
}

func TestIsGroup(t *testing.T) {
	for text, want := range map[string]bool{
		"{apiVersion: plait.run/v1alpha1, kind: ResourceGroup}": true, "{apiVersion: plait.run/v9, kind: ResourceGroup}": true,
		"{apiVersion: x/v1, kind: ResourceGroup}": false, "{apiVersion: plait.run/v1alpha1, kind: Mount}": false,
	} {
		docs, _ := Parse("", []byte(text))
		if got := docs[0].IsGroup(); got != want {
			t.Errorf("%s: got %t", text, got)
		}
	}
}

func TestJoin(t *testing.T) {
	for want, got := range map[string]string{
		"spec": JoinKey("", "spec"), "a.b-c_1": JoinKey("a", "b-c_1"), `a["app.conf"]`: JoinKey("a", "app.conf"),
		`a["${x}"]`: JoinKey("a", "${x}"), `[""]`: JoinKey("", ""), `a["q\""]`: JoinKey("a", `q"`), "a[3]": JoinIndex("a", 3),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
