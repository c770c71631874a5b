package rbac

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/test/golden"
)

func load(t *testing.T, file string) *graph.Graph {
	t.Helper()
	docs, problems, err := offline.Read([]string{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := offline.Load(context.Background(), docs, nil)
	if err != nil {
		t.Fatal(err)
	}
	set.Problems.Append(problems)
	if set.Problems.HasErrors() || len(set.Groups) != 1 {
		t.Fatal(set.Problems.Sorted())
	}
	return set.Groups[0].Graph
}

func TestDocuments(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			got, err := YAML(Documents(load(t, file)))
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, strings.TrimSuffix(file, ".yaml")+".golden", string(got))
		})
	}
}

func TestRules(t *testing.T) {
	g := grants{}
	core := func(name string) schema.GroupResource { return schema.GroupResource{Resource: name} }
	g.add(core("secrets"), "b", "get")
	g.add(core("secrets"), "a", "get")
	g.add(core("services"), "x", "get", "patch")
	g.add(core("services"), "", "get")
	g.add(core("pods"), "", "get")
	g.add(core("nodes"), "n", "get")
	g.add(schema.GroupResource{Group: "apps", Resource: "deployments"}, "", "delete", "get")
	want := []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"nodes"}, ResourceNames: []string{"n"}, Verbs: []string{"get"}},
		{APIGroups: []string{""}, Resources: []string{"pods", "services"}, Verbs: []string{"get"}},
		{APIGroups: []string{""}, Resources: []string{"secrets"}, ResourceNames: []string{"a", "b"}, Verbs: []string{"get"}},
		{APIGroups: []string{""}, Resources: []string{"services"}, ResourceNames: []string{"x"}, Verbs: []string{"patch"}},
		{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: []string{"get", "delete"}},
	}
	for range 20 {
		if diff := cmp.Diff(want, g.rules()); diff != "" {
			t.Fatal(diff)
		}
	}
}
