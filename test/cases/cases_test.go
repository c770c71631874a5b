// Package cases runs the language cases: small documents with the right answers, through the code of the
// command line. Every folder of testdata is one, and every folder of the directories in PLAIT_CASES.
package cases

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// testCase is a case.yaml.
type testCase struct {
	Title  string `json:"title"`
	Does   string `json:"does"`
	Reason string `json:"reason"`
	Expect struct {
		Valid       bool `json:"valid"`
		Diagnostics []struct {
			Path     string   `json:"path"`
			Contains []string `json:"contains"`
		} `json:"diagnostics"`
		State   string           `json:"state"`
		Objects []map[string]any `json:"objects"`
		Absent  []struct {
			Object int    `json:"object"`
			Path   string `json:"path"`
		} `json:"absent"`
		Nodes []struct {
			ID         string   `json:"id"`
			State      string   `json:"state"`
			WaitingFor []string `json:"waitingFor"`
		} `json:"nodes"`
		Status  map[string]any `json:"status"`
		Message []string       `json:"message"`
	} `json:"expect"`
	hasObjects bool
}

func TestCases(t *testing.T) {
	roots := append([]string{"testdata"}, filepath.SplitList(os.Getenv("PLAIT_CASES"))...)
	ran := 0
	for _, root := range roots {
		if root == "" {
			continue
		}
		files, err := filepath.Glob(filepath.Join(root, "*", "case.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			ran++
			t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { runCase(t, filepath.Dir(file)) })
		}
	}
	if ran == 0 {
		t.Fatalf("no case found in %v", roots)
	}
}

func runCase(t *testing.T, dir string) {
	c := readCase(t, dir)
	set := load(t, dir)
	faults := checkDiagnostics(c, errorsOf(set.Problems))
	if c.Does == "render" && c.Expect.Valid && len(faults) == 0 {
		faults = checkRendering(t, dir, c, set)
	}
	if len(faults) > 0 {
		t.Errorf("%s (%s)\n%s", c.Title, c.Reason, strings.Join(faults, "\n"))
	}
}

func readCase(t *testing.T, dir string) testCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "case.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var c testCase
	if err := yaml.UnmarshalStrict(data, &c); err != nil {
		t.Fatal(err)
	}
	c.hasObjects = c.Expect.Objects != nil
	if c.Does != "validate" && c.Does != "render" {
		t.Fatalf("case.yaml: does is %q", c.Does)
	}
	return c
}

func load(t *testing.T, dir string) *offline.Set {
	t.Helper()
	documents, problems := read(t, filepath.Join(dir, "group.yaml"))
	var known []*source.Document
	if crds := filepath.Join(dir, "crds"); exists(crds) {
		var faults diag.List
		known, faults = read(t, crds)
		problems.Append(faults)
	}
	set, err := offline.Load(context.Background(), documents, known)
	if err != nil {
		t.Fatal(err)
	}
	set.Problems.Append(problems)
	return set
}

func read(t *testing.T, path string) ([]*source.Document, diag.List) {
	t.Helper()
	docs, problems, err := offline.Read([]string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return docs, problems
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func errorsOf(problems diag.List) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, d := range problems.Sorted() {
		if d.Severity == diag.Error {
			out = append(out, d)
		}
	}
	return out
}

func checkDiagnostics(c testCase, got []diag.Diagnostic) []string {
	var faults []string
	if c.Expect.Valid != (len(got) == 0) {
		faults = append(faults, fmt.Sprintf("valid: expected %v", c.Expect.Valid))
	}
	want := c.Expect.Diagnostics
	if len(want) != len(got) {
		faults = append(faults, fmt.Sprintf("expected %d diagnostics, got %d", len(want), len(got)))
	}
	for i := range min(len(want), len(got)) {
		if want[i].Path != got[i].Path {
			faults = append(faults, fmt.Sprintf("diagnostic %d: expected path %s, got %s", i, want[i].Path, got[i].Path))
		}
		faults = append(faults, missingTexts(fmt.Sprintf("diagnostic %d", i), want[i].Contains,
			got[i].Summary+" "+got[i].Detail+" "+got[i].Suggestion)...)
	}
	if len(faults) > 0 {
		for _, d := range got {
			faults = append(faults, "  got "+d.String())
		}
	}
	return faults
}

func missingTexts(what string, texts []string, in string) []string {
	var faults []string
	for _, text := range texts {
		if !strings.Contains(strings.ToLower(in), strings.ToLower(text)) {
			faults = append(faults, fmt.Sprintf("%s: expected the text %q in: %s", what, text, in))
		}
	}
	return faults
}

func checkRendering(t *testing.T, dir string, c testCase, set *offline.Set) []string {
	t.Helper()
	instances, _ := read(t, filepath.Join(dir, "instance.yaml"))
	if len(instances) != 1 {
		t.Fatalf("instance.yaml holds %d documents", len(instances))
	}
	g := set.GraphOf(instances[0])
	if g == nil {
		return []string{"no group serves the instance"}
	}
	var observed []*source.Document
	if file := filepath.Join(dir, "observed.yaml"); exists(file) {
		observed, _ = read(t, file)
	}
	got := offline.Render(context.Background(), g, instances[0], observed)
	faults := checkState(c, got)
	faults = append(faults, checkObjects(c, got.Objects)...)
	if c.Expect.Status != nil {
		faults = append(faults, subset("status", c.Expect.Status, got.Status)...)
	}
	if len(faults) > 0 {
		data, err := yaml.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		faults = append(faults, "got:\n"+string(data))
	}
	return faults
}

func checkState(c testCase, got offline.Rendering) []string {
	var faults []string
	if c.Expect.State != "" && c.Expect.State != got.State {
		faults = append(faults, fmt.Sprintf("expected state %s, got %s", c.Expect.State, got.State))
	}
	faults = append(faults, missingTexts("message", c.Expect.Message, got.Message)...)
	nodes := map[string]offline.Node{}
	for _, n := range got.Nodes {
		nodes[n.ID] = n
	}
	for _, want := range c.Expect.Nodes {
		n := nodes[want.ID]
		if n.State != want.State {
			faults = append(faults, fmt.Sprintf("node %s: expected %s, got %s (%s)", want.ID, want.State, n.State, n.Message))
		}
		if want.WaitingFor != nil && strings.Join(want.WaitingFor, ",") != strings.Join(n.WaitingFor, ",") {
			faults = append(faults, fmt.Sprintf("node %s: expected to wait for %v, got %v", want.ID, want.WaitingFor, n.WaitingFor))
		}
	}
	return faults
}

func checkObjects(c testCase, got []map[string]any) []string {
	var faults []string
	if c.hasObjects && len(c.Expect.Objects) != len(got) {
		faults = append(faults, fmt.Sprintf("expected %d objects, got %d", len(c.Expect.Objects), len(got)))
	}
	for i := range min(len(c.Expect.Objects), len(got)) {
		faults = append(faults, subset(fmt.Sprintf("object %d", i), c.Expect.Objects[i], got[i])...)
	}
	for _, absent := range c.Expect.Absent {
		if absent.Object < len(got) && lookup(got[absent.Object], absent.Path) {
			faults = append(faults, fmt.Sprintf("object %d: %s should be absent", absent.Object, absent.Path))
		}
	}
	return faults
}
