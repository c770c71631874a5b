package crd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/simpleschema"
	"github.com/plait-run/plait/graph/source"
)

// build makes the definition of a schema block: kind Thing, or what the block says.
func build(t testing.TB, schemaText string, status map[string]apiextensionsv1.JSONSchemaProps) (*apiextensionsv1.CustomResourceDefinition, diag.List) {
	t.Helper()
	text := "apiVersion: plait.run/v1alpha1\nkind: ResourceGroup\nmetadata: {name: things}\nspec:\n  schema:\n    " +
		strings.ReplaceAll(strings.TrimSpace(schemaText), "\n", "\n    ") + "\n"
	docs, problems := source.Parse("", []byte(text))
	if problems.Len() > 0 || len(docs) != 1 {
		t.Fatal(problems.Sorted())
	}
	group, _ := source.MapGroup(docs[0])
	s := group.Schema
	inputs, problems := simpleschema.Build(simpleschema.Input{Spec: s.Spec, Types: s.Types, Validations: s.Validations})
	if problems.Len() > 0 {
		t.Fatal(problems.Sorted())
	}
	kind := "Thing"
	if s.Kind != nil {
		kind = s.Kind.Text()
	}
	return Build(Input{
		Source: group, Namespaced: s.Scope.Text() != "Cluster", Inputs: inputs, Status: status,
		Kind:     schema.GroupVersionKind{Group: "apps.plait.run", Version: "v1alpha1", Kind: kind},
		Resource: schema.GroupVersionResource{Group: "apps.plait.run", Version: "v1alpha1", Resource: strings.ToLower(kind) + "s"},
	})
}

func lines(problems diag.List) []string {
	var out []string
	for _, d := range problems.Sorted() {
		out = append(out, fmt.Sprintf("%s %s %s %s", d.Code, d.Path, d.Summary, d.Suggestion))
	}
	return out
}

// builtDefinition is what TestBuild builds, without its schema.
const builtDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    note: x
    plait.run/resource-group: things
  labels:
    app.kubernetes.io/managed-by: plait.run
    applyset.kubernetes.io/is-parent-type: "true"
    plait.run/exported: "true"
  name: things.apps.plait.run
spec:
  conversion:
    strategy: None
  group: apps.plait.run
  names:
    categories:
    - all
    kind: Thing
    listKind: ThingList
    plural: things
    shortNames:
    - th
    singular: thing
  scope: Cluster
  versions:
  - additionalPrinterColumns:
    - jsonPath: .status.phase
      name: State
      priority: 1
      type: string
    - jsonPath: .status.conditions[?(@.type=="Ready")].status
      name: READY
      type: string
    - jsonPath: .spec.size
      name: SIZE
      type: integer
    - jsonPath: .status.url
      name: URL
      type: string
    - description: d
      jsonPath: .status.since
      name: Age
      type: date
    name: v1alpha1
    served: true
    storage: true
    subresources:
      status: {}
status:
  acceptedNames:
    kind: ""
    plural: ""
  conditions: null
  storedVersions: null
`

func TestBuild(t *testing.T) {
	crd, problems := build(t, `
scope: Cluster
shortNames: [th]
categories: [all]
metadata: {labels: {plait.run/exported: "true"}, annotations: {note: x}}
spec:
  size: integer | required minimum=1 printColumn
  name: string | default=a
additionalPrinterColumns:
- {name: State, type: string, jsonPath: .status.phase, priority: 1}
- {name: Age, type: date, jsonPath: .status.since, description: d}
- {name: URL, type: string, jsonPath: .status.url}
`, map[string]apiextensionsv1.JSONSchemaProps{"url": {Type: "string"}, "state": {Type: "integer"}})
	if problems.Len() > 0 {
		t.Fatal(lines(problems))
	}
	root := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	if diff := cmp.Diff([]string{"spec"}, root.Required); diff != "" {
		t.Error(diff)
	}
	status := root.Properties["status"]
	if status.Properties["url"].Type != "string" || status.Properties["state"].Type != "string" || string(status.Default.Raw) != `{"observedGeneration":-1}` {
		t.Errorf("status schema: %v", status)
	}
	crd.Spec.Versions[0].Schema = nil
	got, err := yaml.Marshal(crd)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(builtDefinition, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestBuildAcceptsTheWholeLanguage(t *testing.T) {
	_, problems := build(t, `
types:
  Port: {name: string | required maxLength=20, number: integer | minimum=1 maximum=65535 immutable}
  Name: string | minLength=1 pattern="^[a-z]+$"
validations: [{rule: "self.min <= self.max", message: "min is above max"}]
spec:
  min: integer | default=1
  max: integer | default=2
  s: string | enum="a,b" default=a
  nl: string | nullable
  f: float | exclusiveMinimum=0 multipleOf=2
  b: boolean | immutable
  o: 'object | default={"a": {"b": [1]}}'
  a: any | default=5
  i: intOrString | default="80%"
  q: quantity | default=64Mi
  d: date-time
  u: duration | default=5m
  l: '[]Name | uniqueItems maxItems=5 default=["x"]'
  ll: '[][]string(maxLength=3)'
  m: map[string]Port
  p: '[]Port | listType=map listMapKey=name maxItems=10'
  tls: {enabled: boolean | default=false, host: string | maxLength=100, $validations: [{rule: "!self.enabled || has(self.host)", message: "host is needed"}]}
  nn: string | validation="self != 'x'" message="no x" maxLength=10
  im: '[]string | immutable maxItems=20'
`, nil)
	if problems.Len() > 0 {
		t.Errorf("got %s", strings.Join(lines(problems), "\n"))
	}
}

func TestProblemsStandAtTheirFields(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"rule with an unknown field": {"validations: [{rule: self.mn < 3}]\nspec: {min: integer}", []string{
			"PLT106 spec.schema.validations[0].rule the rule cannot be used: undefined field 'mn' (at 1:5 of the rule)"}},
		"rule that is no bool":    {"spec: {min: integer | validation=self}", []string{"PLT106 spec.schema.spec.min the rule cannot be used: cel expression must evaluate to a bool"}},
		"rule with broken syntax": {`spec: {a: {b: string, $validations: [{rule: "self.b =="}]}}`, []string{`PLT106 spec.schema.spec.a["$validations"][0].rule the rule cannot be used: Syntax error`}},
		"costly rule": {"spec: {l: '[]string | validation=\"self.all(a, self.all(b, a == b || a.contains(b)))\"'}", []string{
			"PLT106 spec.schema.spec.l the rule may cost too much: estimated rule cost exceeds budget by factor of more than 100x Set maxItems"}},
		"costly rule in a type, used twice": {"types: {L: '[]string | validation=\"self.all(a, self.all(b, a.contains(b)))\"'}\nspec: {a: L, b: L}", []string{"PLT106 spec.schema.types.L the rule may cost too much"}},
		"a default against its rule":        {"spec: {nn: string | default=x validation=\"self != 'x'\"}", []string{"PLT103 spec.schema.spec.nn the default breaks the rules of its own field"}},
		"a default and a rule": {"validations: [{rule: self.zz == 1}]\nspec: {nn: string | default=x validation=\"self != 'x'\"}", []string{
			"PLT106 spec.schema.validations[0].rule", "PLT103 spec.schema.spec.nn"}},
		"immutable where nothing can be compared": {"spec: {l: '[]P'}\ntypes: {P: {a: string | immutable}}", []string{"PLT106 spec.schema.types.P.a the rule cannot be used: oldSelf cannot be used"}},
		"message with a line break":               {"validations: [{rule: \"true\", message: \"a\\nb\"}]\nspec: {nn: string}", []string{"PLT106 spec.schema.validations[0].rule the rule cannot be used: must not contain line breaks"}},
		"short names": {"shortNames: [OK_]\ncategories: [ok, Not]\nspec: {}", []string{
			"PLT701 spec.schema.shortNames[0] the API server would refuse this", "PLT701 spec.schema.categories[1]"}},
		"columns": {"spec: {}\nadditionalPrinterColumns: [{name: A, type: string, jsonPath: .a}, {name: B, type: text, jsonPath: .b}]", []string{
			"PLT702 spec.schema.additionalPrinterColumns[1].type the API server would refuse this"}},
		"two columns of one name": {"spec: {}\nadditionalPrinterColumns: [{name: A, type: string, jsonPath: .a}, {name: a, type: string, jsonPath: .b}]", []string{
			"PLT006 spec.schema.additionalPrinterColumns[1].name there are two printer columns A"}},
		"columns without a name or with an odd priority": {"spec: {}\nadditionalPrinterColumns: [{name: '', type: string, jsonPath: .a}, {name: B, type: string, jsonPath: .b, priority: -1}]", []string{
			"PLT006 spec.schema.additionalPrinterColumns[0].name a printer column needs a name",
			"PLT006 spec.schema.additionalPrinterColumns[1].priority the priority of a column is a whole number from 0"}},
		"labels":      {"metadata: {labels: {a: \"b c\", app.kubernetes.io/managed-by: x}}\nspec: {}", []string{"PLT702 spec.schema.metadata.labels the API", `PLT006 spec.schema.metadata.labels["app.kubernetes.io/managed-by"]`}},
		"a long kind": {"kind: A" + strings.Repeat("b", 60) + "\nspec: {}", []string{"PLT701 spec.schema.kind the API server would refuse this"}},
	} {
		t.Run(name, func(t *testing.T) {
			crd, problems := build(t, tc.text, nil)
			got := lines(problems)
			if crd == nil || len(got) != len(tc.want) {
				t.Fatalf("got\n%s", strings.Join(got, "\n"))
			}
			for i, want := range tc.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("got  %q\nwant %q in it", got[i], want)
				}
			}
		})
	}
}

func TestStatusProblems(t *testing.T) {
	_, problems := build(t, "spec: {}\nstatus: {a: x, b: y}", map[string]apiextensionsv1.JSONSchemaProps{"b": {Type: "array"}})
	want := "PLT105 spec.schema.status.b the API server would refuse this field: Required value: must be specified"
	if got := lines(problems); len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("got %q", got)
	}
}

func TestBuildIsDeterministic(t *testing.T) {
	text := "types: {A: {x: string | default=b, yy: integer | immutable}}\nspec: {a: A, b: '[]A', c: 'map[string]A', d: {e: {f: A}}}"
	first, _ := build(t, text, nil)
	for range 20 {
		again, _ := build(t, text, nil)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatal(diff)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	var text strings.Builder
	text.WriteString("spec:\n")
	for i := range 50 {
		fmt.Fprintf(&text, "  f%d: {a: string | default=x maxLength=10, b: '[]integer', c: boolean | immutable}\n", i)
	}
	b.ReportAllocs()
	for b.Loop() {
		build(b, text.String(), nil)
	}
}
