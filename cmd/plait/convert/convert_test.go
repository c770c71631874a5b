package convert

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

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
			golden(t, strings.TrimSuffix(file, ".yaml")+".golden", got)
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

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
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
