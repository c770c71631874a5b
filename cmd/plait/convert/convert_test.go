package convert

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
	"github.com/plait-run/plait/test/golden"
)

// TestConvert converts every file of testdata, and compiles what comes out.
func TestConvert(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := converted(t, filepath.Base(file), data)
			golden.Check(t, strings.TrimSuffix(file, ".yaml")+".golden", got)
			compiles(t, got)
		})
	}
}

func converted(t *testing.T, name string, data []byte) string {
	t.Helper()
	documents, err := Convert(name, data)
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, d := range documents {
		out, err := d.YAML()
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, string(out))
	}
	return strings.Join(parts, "---\n")
}

func compiles(t *testing.T, text string) {
	t.Helper()
	docs, problems := source.Parse("result", []byte(text))
	set, err := offline.Load(context.Background(), docs, nil)
	if err != nil {
		t.Fatal(err)
	}
	set.Problems.Append(problems)
	for _, d := range set.Problems.Sorted() {
		if d.Severity == diag.Error {
			t.Error(d)
		}
	}
	if len(set.Groups) == 0 {
		t.Error("no ResourceGroup came out")
	}
}

func TestConvertRefusesBrokenYAML(t *testing.T) {
	if _, err := Convert("x.yaml", []byte("a: [")); err == nil {
		t.Error("no error")
	}
}

func TestNotesHavePlaces(t *testing.T) {
	documents, err := Convert("x.yaml", []byte(`apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: x}
spec:
  extra: 1
  defaultServiceAccounts: {"*": a}
  schema: {kind: X, apiVersion: v1, group: example.com}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range documents[0].Notes {
		got = append(got, n.String()[:20])
	}
	want := []string{"x.yaml: note: Deleti", "x.yaml:5:3: note: sp", "x.yaml: note: spec.s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOddDocuments(t *testing.T) {
	const header = "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\n"
	for _, text := range []string{
		"", "# nothing\n", "[1, 2]", "text", "null", "kind: List", header + "metadata: []\nspec: {schema: {kind: X}, resources: {}}",
		header + "spec: {schema: {spec: 1, status: [1, null, {a: ~}], validation: x}, resources: [1, null, {}, {id: [], template: 1, forEach: {}, externalRef: 2}]}",
		header + "spec: {schema: {kind: X}, resources: [{id: \"\", template: {metadata: 1, kind: Secret}}, {id: 1}]}",
		header + "spec: {schema: {kind: X}, resources: [{id: a, template: {data: {a: \"${\", b: \"${x.data[\", c: \"${'\"}}}]}",
	} {
		documents, err := Convert("x.yaml", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		for _, d := range documents {
			if _, err := d.YAML(); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			if _, err := d.JSON(); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}

func TestDefinitionsWithoutASchemaAreRefused(t *testing.T) {
	const header = "# it\napiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: a}\n"
	for _, spec := range []string{"", "spec: 3", "spec: {resources: []}", "spec: {schema: null}", "spec: {schema: []}", "spec: {schema: {}}", "spec: {schema: x}"} {
		_, err := Convert("x.yaml", []byte(header+spec))
		want := `x.yaml:2:1: the ResourceGraphDefinition "a" cannot be converted: it has no spec.schema, which would say what kind it defines`
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v", spec, err)
		}
	}
}

// TestAliases holds strings that several aliases lead to to being rewritten once.
func TestAliases(t *testing.T) {
	got := converted(t, "x.yaml", []byte(`apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: x}
spec:
  schema: {apiVersion: v1, kind: X}
  resources:
  - id: secret
    externalRef: {apiVersion: v1, kind: Secret, metadata: {name: s}}
  - id: one
    template: &base
      apiVersion: v1
      kind: ConfigMap
      metadata: &meta {name: one}
      data: {a: "${secret.data.a}"}
  - id: two
    template:
      <<: *base
      metadata: {<<: *meta, name: two}
  - id: three
    template: *base
`))
	if n := strings.Count(got, "base64.encode("); n != 1 {
		t.Errorf("rewritten %d times:\n%s", n, got)
	}
	if !strings.Contains(got, "<<: *base") || !strings.Contains(got, "template: *base") {
		t.Errorf("aliases are lost:\n%s", got)
	}
}
