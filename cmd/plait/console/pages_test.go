package console

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/cmd/plait/explain"
	"github.com/plait-run/plait/cmd/plait/inspect"
)

func rowsOfATest() section {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	items := []*inspect.Item{
		{Kind: "Shop", Namespace: "b", Name: "good", State: "ACTIVE", Health: inspect.Good, Since: &at},
		{Kind: "Shop", Namespace: "a", Name: "busy", State: "IN_PROGRESS", Health: inspect.Busy, Message: "waiting for db"},
		{Kind: "Shop", Namespace: "b", Name: "bad", State: "FAILED", Health: inspect.Bad, Reason: "Forbidden", Message: "<script>alert(1)</script>"},
		{Kind: "Shop", Namespace: "a", Name: "good", State: "ACTIVE", Health: inspect.Good},
	}
	out := section{Title: "Instances", Path: instancesPath}
	for _, it := range items {
		out.Rows = append(out.Rows, row{Item: it, Path: "/o/shops/" + it.Namespace + "/" + it.Name, Note: noteOf(it)})
	}
	return out
}

func names(s section) []string {
	var out []string
	for _, r := range s.Rows {
		out = append(out, r.Namespace+"/"+r.Name)
	}
	return out
}

func TestSection(t *testing.T) {
	list := rowsOfATest()
	list.sort()
	if diff := cmp.Diff([]string{"b/bad", "a/busy", "a/good", "b/good"}, names(list)); diff != "" {
		t.Error(diff)
	}
	if list.Bad() != 1 || list.Busy() != 1 || list.Good() != 2 {
		t.Errorf("%d, %d, %d", list.Bad(), list.Busy(), list.Good())
	}
	for query, want := range map[string][]string{
		"": {"b/bad", "a/busy", "a/good", "b/good"}, "GOOD active": {"a/good", "b/good"}, "waiting": {"a/busy"},
		"forbidden": {"b/bad"}, "nothing": nil,
	} {
		if diff := cmp.Diff(want, names(list.filtered(query))); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
}

// TestPagesEscape has people write into every place.
func TestPagesEscape(t *testing.T) {
	s, err := newServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	const evil = `"><script>alert(1)</script>`
	list := rowsOfATest()
	list.Notes = []string{evil}
	it := &inspect.Item{
		Relation: inspect.Root, Class: inspect.ClassInstance, Kind: evil, Name: evil, State: evil, Message: evil, Notes: []string{evil},
		Conditions: []inspect.Condition{{Type: evil, Status: evil, Reason: evil, Message: evil}},
		Items:      []*inspect.Item{{Relation: inspect.Node, ID: evil, State: evil, Message: evil}},
	}
	object := &objectView{
		Item: it, Tree: branchOf(nil, it), YAML: evil, GraphNote: evil, Events: []inspect.Event{{Type: evil, Reason: evil, Message: evil}},
		Explanation: explain.Explanation{Causes: []explain.Cause{{Subject: evil, Problem: evil, Next: evil, Command: evil, Details: []string{evil}}}, Waiting: []string{evil}},
	}
	for name, v := range map[string]view{
		"overview.html": {Title: evil, Lists: []section{list}},
		"list.html":     {Title: evil, Query: evil, List: &list},
		"object.html":   {Title: evil, Object: object, Watched: []string{evil}},
		"error.html":    {Title: evil, Error: evil},
	} {
		var out bytes.Buffer
		if err := s.pages.ExecuteTemplate(&out, name, v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(out.String(), "<script>") || !strings.Contains(out.String(), "&lt;script&gt;") {
			t.Errorf("%s lets a script in:\n%s", name, out.String())
		}
	}
}

func TestYAMLHidesSecrets(t *testing.T) {
	secret := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret",
		"metadata": map[string]any{
			"name": "s", "annotations": map[string]any{lastApplied: "hunter2", "other": "kept"}, "managedFields": []any{map[string]any{"manager": "m"}},
		},
		"data": map[string]any{"a": "hunter2"}, "stringData": map[string]any{"b": "hunter2"},
	}}
	got := yamlOf(secret)
	if strings.Contains(got, "hunter2") || strings.Contains(got, "managedFields") || !strings.Contains(got, "a: (hidden)") || !strings.Contains(got, "other: kept") {
		t.Error(got)
	}
	if data, _, _ := unstructured.NestedString(secret.Object, "data", "a"); data != "hunter2" {
		t.Error("the object itself was changed")
	}
	plain := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"a": "seen"}}}
	if got := yamlOf(plain); !strings.Contains(got, "a: seen") {
		t.Error(got)
	}
}

func TestMarksOfTakesTheWorstObjectOfANode(t *testing.T) {
	tree := &branch{Branches: []branch{
		{Item: &inspect.Item{Relation: inspect.Node, ID: "a", State: "Ready", Health: inspect.Good}},
		{Item: &inspect.Item{Relation: inspect.Node, ID: "a", State: "Failed", Health: inspect.Bad}},
		{Item: &inspect.Item{Relation: inspect.Node, ID: "a", State: "Applied", Health: inspect.Busy}},
		{Item: &inspect.Item{Relation: inspect.Group, ID: "b", State: "Active", Health: inspect.Good}},
	}}
	got := marksOf(tree)
	tree.anchor()
	if tree.Branches[0].Anchor != "node-a" || tree.Branches[1].Anchor != "" || tree.Branches[3].Anchor != "" {
		t.Errorf("the anchors are %v", tree.Branches)
	}
	if len(got) != 1 || got["a"].State != "Failed" || got["a"].Class != "bad" || got["a"].Link != "#node-a" {
		t.Errorf("%v", got)
	}
}

func TestGraphed(t *testing.T) {
	instance := branch{Item: &inspect.Item{Class: inspect.ClassInstance, Relation: inspect.Mount, Name: "it"}}
	for _, row := range []struct {
		name string
		tree branch
		want bool
	}{
		{"an instance", instance, true},
		{"a Workspace with a mount", branch{Item: &inspect.Item{Class: inspect.ClassWorkspace}, Branches: []branch{instance}}, true},
		{"a Workspace with another object", branch{Item: &inspect.Item{Class: inspect.ClassWorkspace}, Branches: []branch{
			{Item: &inspect.Item{Class: inspect.ClassObject, Relation: inspect.Mount}},
		}}, false},
		{"any object", branch{Item: &inspect.Item{Class: inspect.ClassObject}}, false},
	} {
		if got := row.tree.graphed(); (got != nil) != row.want {
			t.Errorf("%s: %v", row.name, got)
		}
	}
}
