package offline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

func TestDocumentsThatAreNoInstances(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"apiVersion: plait.run/v1alpha1\nkind: ResourceGroop", "error PLT902 kind"},
		{"apiVersion: plait.run/v1\nkind: ResourceGroup", "error PLT902 kind"},
		{"apiVersion: plait.io/v1alpha1\nkind: ResourceGroup", "error PLT902 kind"},
		{"kind: ResourceGroup", "error PLT005 apiVersion"},
		{"apiVersion: v1\nfoo: bar", "error PLT005 kind"},
		{"apiVersion: apps.example.com/v1\nkind: Shop", "warning PLT902 kind"},
		{"apiVersion: v1\nkind: Servce", "warning PLT902 kind"},
		{"apiVersion: v1\nkind: ConfigMap\ndata: {a: b}", ""},
		{"apiVersion: v1\nkind: ConfigMap\ndat: {a: b}", "warning PLT903 dat"},
		{"apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: x, selector: {}, template: {}}", "error PLT901 spec.replicas"},
		{"apiVersion: plait.run/v1alpha1\nkind: Workspace\nspec: {connectionRef: {name: a}}", "error PLT901 spec.mount, warning PLT903 spec.connectionRef"},
		{"apiVersion: plait.run/v1alpha1\nkind: Worspace", "error PLT902 kind"},
	} {
		var got []string
		for _, d := range problemsOf(t, row.text) {
			got = append(got, d.Severity.String()+" "+string(d.Code)+" "+d.Path)
		}
		if diff := cmp.Diff(row.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s\n%s", row.text, diff)
		}
	}
}

// problemsOf gives all that is found in the documents of a text.
func problemsOf(t *testing.T, text string) []diag.Diagnostic {
	t.Helper()
	docs, _ := source.Parse("x.yaml", []byte(text))
	set, err := Load(context.Background(), docs, nil)
	if err != nil {
		t.Fatal(err)
	}
	set.CheckInstances(context.Background())
	return set.Problems.Sorted()
}

// TestMisspeltAnnotations has the annotations of groups and instances looked at where the engine would look at them.
func TestMisspeltAnnotations(t *testing.T) {
	var got []string
	for _, d := range problemsOf(t, `apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata:
  name: shops
  annotations:
    plait.run/reconcile: suspend
    example.com/reconcil: mine
spec: {schema: {apiVersion: v1alpha1, kind: Shop}}
---
apiVersion: apps.plait.run/v1alpha1
kind: Shop
metadata:
  name: corner
  annotations:
    plait.run/reconcile: suspended
    plait.run/reconcil: suspended
---
apiVersion: v1
kind: ConfigMap
metadata: {name: other, annotations: {plait.run/reconcil: suspended}}
`) {
		got = append(got, d.String())
	}
	want := []string{
		`x.yaml:6:5: warning PLT904 metadata.annotations["plait.run/reconcile"]: the annotation plait.run/reconcile is "suspend", which means nothing
    Write "suspended", or drop it`,
		`x.yaml:16:5: warning PLT904 metadata.annotations["plait.run/reconcil"]: the annotation plait.run/reconcil means nothing here
    Did you mean plait.run/reconcile or plait.run/reconcile-at?`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDefinitionsOfKroAreToBeConverted(t *testing.T) {
	docs, _ := source.Parse("x.yaml", []byte("apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition"))
	set, err := Load(context.Background(), docs, nil)
	if err != nil {
		t.Fatal(err)
	}
	set.CheckInstances(context.Background())
	problems := set.Problems.Sorted()
	if len(problems) != 1 || problems[0].Suggestion != "Turn it into a ResourceGroup with `plait convert`." {
		t.Errorf("got %v", problems)
	}
}

func TestHiddenFoldersAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.yaml", ".plait/b.yaml", "sub/c.yaml"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	docs, _, err := Read([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 2 {
		t.Errorf("%d documents, want those of a.yaml and sub/c.yaml", len(docs))
	}
}

func TestTwoGroupsForOneKind(t *testing.T) {
	group := func(name, kind string) string {
		return "apiVersion: plait.run/v1alpha1\nkind: ResourceGroup\nmetadata: {name: " + name + "}\nspec: {schema: {apiVersion: v1alpha1, kind: " + kind + "}}\n"
	}
	docs, _ := source.Parse("x.yaml", []byte(group("a", "Shop")+"---\n"+group("b", "Shop")+"---\n"+group("a", "Shop")+"---\n"+group("c", "Farm")))
	set, err := Load(context.Background(), docs, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := set.Problems.Sorted()
	if len(got) != 1 || got[0].Position.Line != 9 || !strings.Contains(got[0].Summary, `the ResourceGroup "a" serves the kind Shop.apps.plait.run too`) {
		t.Errorf("got %v", got)
	}
}
