package compile

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// document puts resources and, where given, more lines of spec.schema into a whole ResourceGroup.
func document(resources string, schemaLines ...string) string {
	return "apiVersion: plait.run/v1alpha1\nkind: ResourceGroup\nmetadata: {name: things}\nspec:\n  schema:\n" +
		"    apiVersion: v1alpha1\n    kind: Thing\n" + indent(strings.Join(schemaLines, "\n"), 4) +
		"  resources:\n" + indent(resources, 2)
}

func indent(text string, by int) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	pad := strings.Repeat(" ", by)
	return pad + strings.ReplaceAll(strings.Trim(text, "\n"), "\n", "\n"+pad) + "\n"
}

func compileText(t *testing.T, text string) (*graph.Graph, []diag.Diagnostic) {
	t.Helper()
	return compileWith(t, text, schema.Embedded())
}

func compileWith(t *testing.T, text string, kinds schema.Resolver) (*graph.Graph, []diag.Diagnostic) {
	t.Helper()
	docs, problems := source.Parse("group.yaml", []byte(text))
	if len(docs) != 1 {
		t.Fatalf("%d documents, problems %v", len(docs), problems.Sorted())
	}
	group, faults := source.MapGroup(docs[0])
	problems.Append(faults)
	g, found, err := Compile(context.Background(), group, kinds)
	if err != nil {
		t.Fatal(err)
	}
	problems.Append(found)
	return g, problems.Sorted()
}

const configMap = `
- id: %s
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: %s}
    data: {a: "%s"}`

func config(id, value string) string { return fmt.Sprintf(configMap, id, id, value) }

func TestDiagnostics(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []string // code and path
	}{
		{"nothing wrong", document(config("one", "x")), nil},
		{"iterator named like a node", document(config("one", "x") + config("two", "${one}") + "\n  forEach: [{one: '${[\"x\"]}'}]"), []string{
			"PLT204 spec.resources[1].forEach[0].one",
		}},
		{"iterator twice", document(config("one", "${a}") + "\n  forEach: [{a: '${[\"x\"]}'}, {a: '${[\"y\"]}'}]"), []string{
			"PLT204 spec.resources[0].forEach[1].a",
		}},
		{"kind with an expression", document("- id: one\n  template: {apiVersion: v1, kind: '${schema.kind}', metadata: {name: x}}"), []string{
			"PLT401 spec.resources[0].template.kind",
		}},
		{"no apiVersion", document("- id: one\n  template: {kind: ConfigMap, metadata: {name: x}}"), []string{
			"PLT401 spec.resources[0].template.apiVersion",
		}},
		{"no name", document("- id: one\n  template: {apiVersion: v1, kind: ConfigMap}"), []string{"PLT401 spec.resources[0].template.metadata.name"}},
		{"generateName", document("- id: one\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {generateName: x-}}"), []string{
			"PLT401 spec.resources[0].template.metadata.generateName",
		}},
		{"ill-formed labels", document("- id: one\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, labels: {a b: x, Ok.c: 'x y', d: '${schema.kind} z'}, annotations: {A.b/C: 'x y', e f: z}}}"), []string{
			`PLT403 spec.resources[0].template.metadata.labels["a b"]`, `PLT403 spec.resources[0].template.metadata.labels["Ok.c"]`,
			`PLT403 spec.resources[0].template.metadata.annotations["e f"]`,
		}},
		{"names of services and roles", document("- id: one\n  template: {apiVersion: v1, kind: Service, metadata: {name: a.b}}\n" +
			"- id: two\n  template: {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: 'system:a'}, rules: []}"), []string{
			"PLT401 spec.resources[0].template.metadata.name",
		}},
		{"ill-formed name", document("- id: one\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: A_b}}"), []string{
			"PLT401 spec.resources[0].template.metadata.name",
		}},
		{"a role may have a name with capitals", document("- id: one\n  template: {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: 'A:b'}, rules: []}"), nil},
		{"own marks", document("- id: one\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, labels: {plait.run/owned: 'no'}}}"), []string{
			`PLT405 spec.resources[0].template.metadata.labels["plait.run/owned"]`,
		}},
		{"name and selector", document("- id: one\n  externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, selector: {matchLabels: {a: b}}}}"), []string{
			"PLT205 spec.resources[0].externalRef.metadata",
		}},
		{"external collection", document("- id: one\n  forEach: [{a: '${[\"x\"]}'}]\n  externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${schema.metadata.name}'}}"), []string{
			"PLT204 spec.resources[0].forEach",
		}},
		{"reserved group", document(config("one", "x"), "group: plait.run"), []string{"PLT701 spec.schema.group"}},
		{"version and kind", strings.Replace(document(config("one", "x")), "v1alpha1\n    kind: Thing", "one\n    kind: thing", 1), []string{
			"PLT701 spec.schema.apiVersion", "PLT701 spec.schema.kind",
		}},
		{"optional in text", document(config("one", "x") + config("two", "is ${one.?data.?b}")), []string{"PLT305 spec.resources[1].template.data.a"}},
		{"text around a condition", document(config("one", "x") + "\n  includeWhen: ['is ${true}', plain]"), []string{
			"PLT306 spec.resources[0].includeWhen[0]", "PLT306 spec.resources[0].includeWhen[1]",
		}},
		{"a selector is typed", document("- id: one\n  externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: {matchLabels: {a: '${1}'}}}}"), []string{
			"PLT304 spec.resources[0].externalRef.metadata.selector.matchLabels.a",
		}},
		{"cycle by dependsOn", document(config("one", "${two.data.a}") + config("two", "x") + "\n  dependsOn: [one]"), []string{"PLT501 spec.resources[0].template.data.a"}},
		{"two cycles", document(config("a", "${b.data.a}") + config("b", "${a.data.a}") + config("c", "${d.data.a}") + config("d", "${c.data.a}")), []string{
			"PLT501 spec.resources[0].template.data.a", "PLT501 spec.resources[2].template.data.a",
		}},
		{"same object under equal conditions", document(
			strings.Replace(config("one", "x"), "name: one", "name: same", 1) + "\n  includeWhen: ['${schema.metadata.name == \"a\"}']" +
				strings.Replace(config("two", "x"), "name: two", "name: same", 1) + "\n  includeWhen: ['${schema.metadata.name == \"a\"}']"), []string{
			"PLT502 spec.resources[1].template.metadata.name",
		}},
		{"same object under other conditions", document(
			strings.Replace(config("one", "x"), "name: one", "name: same", 1) + "\n  includeWhen: ['${schema.metadata.name == \"a\"}']" +
				strings.Replace(config("two", "x"), "name: two", "name: same", 1) + "\n  includeWhen: ['${schema.metadata.name != \"a\"}']"), nil},
		{"isReady of a kind that tells nothing", document(config("one", "x") + "\n  readyWhen: ['${self.isReady()}']"), nil},
		{"conditions of the author", document(config("one", "x"), "status: {conditions: ['${1}', x]}"), []string{
			"PLT304 spec.schema.status.conditions[0]", "PLT306 spec.schema.status.conditions[1]",
		}},
		{"namespace of a cluster-scoped instance", document(config("one", "${schema.metadata.namespace}"), "scope: Cluster"), []string{
			"PLT406 spec.resources[0].template.metadata.namespace", "PLT406 spec.resources[0].template.data.a",
		}},
		{"unused iterator is a warning", document(config("one", "${z}") + "\n  forEach: [{z: '${[\"x\", \"y\"]}'}]"), []string{"PLT503 spec.resources[0].forEach[0].z"}},
		{"a slip in a kind of Kubernetes", document("- id: one\n  template: {apiVersion: apps/v1, kind: Deploymnt, metadata: {name: x}}"), []string{"PLT505 spec.resources[0].template.kind"}},
		{"shell text", document(config("one", "echo ${HOME}")), []string{"PLT302 spec.resources[0].template.data.a"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, problems := compileText(t, row.text)
			var got []string
			for _, d := range problems {
				got = append(got, string(d.Code)+" "+d.Path)
				if d.Position.Line == 0 {
					t.Errorf("no position: %s", d)
				}
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s\n%v", diff, problems)
			}
		})
	}
}

func TestGraph(t *testing.T) {
	g, problems := compileText(t, document(
		config("last", "${first.data.a}${soft.?data.?a.orValue('')}")+config("first", "${names.base}")+config("soft", "x")+
			config("plain", "x")+"\n  dependsOn: [last]"+"\n- id: names\n  def: {base: '${other.deep}-x'}"+"\n- id: other\n  def: {deep: '${schema.metadata.name}'}"))
	if g == nil {
		t.Fatal(problems)
	}
	want := `things serves apps.plait.run/v1alpha1, Kind=Thing
  soft template ConfigMap
  other def
  names def needs other
  first template ConfigMap needs names
  last template ConfigMap needs first, ~soft
  plain template ConfigMap needs >last
`
	if diff := cmp.Diff(want, g.String()); diff != "" {
		t.Error(diff)
	}
}
