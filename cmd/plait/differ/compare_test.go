package differ

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/cmd/plait/inspect/stage"
	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/cmd/plait/online"
	"github.com/plait-run/plait/cmd/plait/term"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/test/golden"
)

// server is an API server that lays what is applied over what is there, and refuses Services.
type server struct {
	apply.API
	t    *testing.T
	live map[string]map[string]any
}

func (s server) Patch(_ context.Context, at apply.Place, p apply.Patch) (map[string]any, error) {
	if !p.DryRun {
		s.t.Errorf("%s %q is written", at.Resource.Resource, at.Name)
	}
	if at.Resource.Resource == "services" {
		return nil, apierrors.NewForbidden(schema.GroupResource{Resource: "services"}, at.Name, fmt.Errorf("exceeded quota"))
	}
	return over(s.live[at.Name], p.Body), nil
}

// For makes everybody the same; namespace other has no account.
func (s server) For(_ context.Context, _ *graph.Graph, namespace string) (api apply.API, as, note string, err error) {
	if namespace == "other" {
		return s, yourself, "you may not impersonate service account other/deployer", nil
	}
	return s, "service account team/deployer", "", nil
}

func report(t *testing.T, most int) Report {
	t.Helper()
	cluster, err := stage.Read("testdata/cluster.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents, _, err := offline.Read([]string{"testdata/group.yaml"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := online.Load(context.Background(), cluster, documents, nil)
	if err != nil || set.Problems.HasErrors() {
		t.Fatal(err, set.Problems.Sorted())
	}
	live := map[string]map[string]any{
		"a-config":   {"data": map[string]any{"size": "1", "fact": "one"}},
		"a-password": {"data": map[string]any{"word": "aHVudGVyMQ=="}},
	}
	d := &Differ{Reader: cluster, Actors: server{t: t, live: live}, Most: most}
	out, err := d.Compare(context.Background(), set.Groups[0].Graph)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCompare compares a group with a cluster that is written down, and shows the report on each screen and as JSON.
func TestCompare(t *testing.T) {
	r := report(t, 0)
	var out bytes.Buffer
	for _, screen := range []term.Screen{{}, {Width: 80}, {Width: 140, Colours: true}} {
		fmt.Fprintf(&out, "=== %d columns\n", screen.Width)
		if err := Text(&out, screen, r); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(out.String(), "\x1b", "ESC") + "=== JSON\n" + string(data) + "\n"
	golden.Check(t, "testdata/report.txt", got)
	if strings.Contains(got, "hunter") {
		t.Error("a value of a Secret is shown")
	}
	if !r.HasProblem() {
		t.Error("a breaking change is no problem")
	}
}

func TestMost(t *testing.T) {
	if r := report(t, 1); len(r.Instances) != 1 || r.Omitted != 1 || r.Total != 2 {
		t.Errorf("%d instances, %d omitted of %d", len(r.Instances), r.Omitted, r.Total)
	}
}

func TestHasProblem(t *testing.T) {
	for _, row := range []struct {
		r    Report
		want bool
	}{
		{Report{}, false},
		{Report{API: API{Changes: []Change{{Path: "spec.a"}}}}, false},
		{Report{API: API{Changes: []Change{{Path: "spec.a", Breaking: true}}}}, true},
		{Report{Instances: []Instance{{Objects: []Object{{Action: Delete}}}}}, false},
		{Report{Instances: []Instance{{Objects: []Object{{Action: Fail}}}}}, true},
		{Report{Instances: []Instance{{Invalid: []string{"spec.a: gone"}}}}, true},
	} {
		if got := row.r.HasProblem(); got != row.want {
			t.Errorf("%+v: %v", row.r, got)
		}
	}
}

func TestCompareFields(t *testing.T) {
	type m = map[string]any
	long := strings.Repeat("x", 100)
	for _, row := range []struct {
		name          string
		before, after m
		want          []Field
	}{
		{"nothing", m{"a": "b"}, m{"a": "b"}, nil},
		{"value", m{"a": m{"b": int64(1)}}, m{"a": m{"b": int64(2)}}, []Field{{"a.b", "1", "2"}}},
		{"added and removed", m{"a": "x"}, m{"b": "y"}, []Field{{"a", `"x"`, ""}, {"b", "", `"y"`}}},
		{"list", m{"a": []any{"x", "y"}}, m{"a": []any{"x"}}, []Field{{"a[1]", `"y"`, ""}}},
		{"other type", m{"a": []any{}}, m{"a": m{}}, []Field{{"a", "[]", "{}"}}},
		{"long", m{}, m{"a": long}, []Field{{"a", "", `"` + long[:62] + "…"}}},
		{"what passes", m{"metadata": m{"generation": int64(1)}, "status": m{"a": "b"}}, m{"metadata": m{"generation": int64(2)}}, nil},
		{
			"marks", m{"metadata": m{"labels": m{"plait.run/bucket": "1"}}},
			m{"metadata": m{"labels": m{"plait.run/bucket": "2", "team": "a"}}}, []Field{{"metadata.labels.team", "", `"a"`}},
		},
	} {
		got, omitted := compareFields(row.before, row.after, false)
		if diff := cmp.Diff(row.want, got); diff != "" || omitted != 0 {
			t.Errorf("%s: %d omitted %s", row.name, omitted, diff)
		}
	}
	many := m{}
	for i := range 30 {
		many[fmt.Sprint(i)] = "x"
	}
	fields, omitted := compareFields(m{}, many, true)
	if len(fields) != maxFields || omitted != 10 || fields[0].New != masked {
		t.Errorf("%d fields, %d omitted, the first is %v", len(fields), omitted, fields[0])
	}
}
