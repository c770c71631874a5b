package arch

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestTree holds the real tree to the rules.
func TestTree(t *testing.T) {
	root := os.DirFS("../..")
	checkModule(t, root)
	tree, err := readTree(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.files) == 0 {
		t.Fatal("no Go file was found")
	}
	for _, problem := range append(check(tree), checkRules(tree)...) {
		t.Error(problem)
	}
}

// checkModule makes sure that the tree is ours: in another module no import would be.
func checkModule(t *testing.T, root fs.FS) {
	t.Helper()
	content, err := fs.ReadFile(root, "go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(content), "module "+module+"\n") {
		t.Fatalf("go.mod is not that of %s", module)
	}
}

// Every row of the table can fail: each pair of a bound package and a forbidden import is
// tried in a tree of one file.
func TestEveryImportRuleCanFail(t *testing.T) {
	for _, rule := range importRules {
		for _, pattern := range rule.packages {
			for _, forbidden := range rule.forbidden {
				dir, imported := example(pattern, "zz"), importPath(example(forbidden, "yy"))
				file := dir + "/a.go"
				got := checkFiles(t, map[string]string{file: source("zz", imported)})
				want := fmt.Sprintf("%s:2 imports %q, which %s must not: %s", file, imported, dir, rule.why)
				if !slices.Contains(got, want) {
					t.Errorf("got %q, want %q among them", got, want)
				}
			}
		}
	}
}

func TestEveryCallRuleCanFail(t *testing.T) {
	for _, rule := range callRules {
		for _, pattern := range rule.packages {
			for _, function := range rule.functions {
				dir := example(pattern, "zz")
				text := fmt.Sprintf("package zz\nimport other %q\nvar f = other.%s\n", rule.path, function)
				got := checkFiles(t, map[string]string{dir + "/a.go": text})
				want := fmt.Sprintf("%s/a.go:3 uses %s.%s, which %s must not: %s", dir, rule.path, function, dir, rule.why)
				if !slices.Equal(got, []string{want}) {
					t.Errorf("got %q, want only %q", got, want)
				}
			}
		}
	}
}

// example is a path that a pattern means: for a tree one below its root.
func example(pattern, below string) string {
	prefix, isTree := strings.CutSuffix(pattern, "...")
	switch {
	case !isTree:
		return pattern
	case prefix == "":
		return "cmd/" + below
	case prefix == "./":
		return "./cmd"
	default:
		return prefix + below
	}
}

// importPath turns an import as the rules write it into one as Go files do.
func importPath(name string) string {
	if own, ok := strings.CutPrefix(name, "./"); ok {
		return module + "/" + own
	}
	return name
}

func source(name string, imports ...string) string {
	text := "package " + name + "\n"
	for _, imported := range imports {
		text += fmt.Sprintf("import _ %q\n", imported)
	}
	return text
}

func checkFiles(t *testing.T, files map[string]string) []string {
	t.Helper()
	fake := fstest.MapFS{}
	for name, content := range files {
		fake[name] = &fstest.MapFile{Data: []byte(content)}
	}
	tree, err := readTree(fake)
	if err != nil {
		t.Fatal(err)
	}
	return check(tree)
}

// What is allowed passes, and what is not is found where it stands.
func TestCheck(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string // part of the one problem; empty for none
	}{
		{"a clean tree", map[string]string{
			"api/v1alpha1/a.go":      source("v1alpha1", "k8s.io/apimachinery/pkg/runtime"),
			"graph/expr/a.go":        source("expr", "github.com/google/cel-go/cel"),
			"graph/dag/a.go":         source("dag", "gonum.org/v1/gonum/graph/topo"),
			"graph/ready/a.go":       source("ready", "sigs.k8s.io/cli-utils/pkg/kstatus/status"),
			"runtime/a.go":           "package runtime\nimport \"time\"\nfunc f(now time.Time) time.Duration { return time.Second }\n",
			"runtime/a_test.go":      "package runtime\nimport \"time\"\nvar start = time.Now()\n",
			"mounts/a.go":            source("mounts", module+"/graph", module+"/dynamiccontroller/watch"),
			"dynamiccontroller/a.go": source("dynamiccontroller", module+"/graph", "sigs.k8s.io/controller-runtime"),
			"cmd/plait/a.go":         source("main", module+"/mounts", module+"/connection", module+"/graph/compile"),
		}, ""},
		{"a test of a bound package", map[string]string{"graph/a_test.go": source("graph", module+"/api/v1alpha1")}, ""},
		{"a door in a test", map[string]string{"runtime/a_test.go": source("runtime", "github.com/google/cel-go/cel")}, "one door to CEL"},
		{"a door beside the door", map[string]string{"graph/exprs/a.go": source("exprs", "github.com/google/cel-go/cel")}, "graph/exprs/a.go:2"},
		{"below the door", map[string]string{"graph/expr/lib/a.go": source("lib", "github.com/google/cel-go/cel")}, "graph/expr/lib must not"},
		{"a name that only begins alike", map[string]string{"graph/a.go": source("graph", module+"/apis", "k8s.io/client-gopher/x")}, ""},
		{"another module that begins alike", map[string]string{"api/a.go": source("api", module+"-extras/x")}, ""},
		{"the rest of cli-utils", map[string]string{"cmd/a.go": source("cmd", "sigs.k8s.io/cli-utils/pkg/apply")}, "only kstatus"},
		{"the second import", map[string]string{"runtime/plan/a.go": source("plan", "fmt", "log/slog")}, "runtime/plan/a.go:3"},
		{"the clock by another name", map[string]string{"runtime/a.go": "package runtime\nimport clock \"time\"\n\nvar now = clock.Now()\n"}, "runtime/a.go:4 uses time.Now"},
		{"a local variable called time", map[string]string{"runtime/a.go": "package runtime\nvar time struct{ Now int }\nvar now = time.Now\n"}, ""},
		{"a folder that says nothing", map[string]string{"graph/util/text/a.go": source("text")}, `"util"`},
		{"a package that says nothing", map[string]string{"graph/text/a.go": source("helpers")}, `"helpers"`},
		{"a new folder at the top", map[string]string{"internal/x/a.txt": ""}, "internal/ stands at the top"},
		{"what is built, hidden or data", map[string]string{
			"bin/k8s/a.go": "not Go", ".cache/x/a.go": "not Go", "graph/testdata/a.go": "not Go",
		}, ""},
		{"a nested module", map[string]string{
			"test/controlplane/go.mod": "module x", "test/controlplane/util/a.go": source("util", "gonum.org/v1/gonum/graph"),
		}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := checkFiles(t, test.files)
			switch {
			case test.want == "" && len(got) > 0:
				t.Errorf("found %q, want nothing", got)
			case test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)):
				t.Errorf("found %q, want one problem with %q", got, test.want)
			}
		})
	}
}

func TestRulesAboutNothingAreFound(t *testing.T) {
	fake := fstest.MapFS{
		"graph/expr/a.go":        {Data: []byte("package expr\n")},
		"dynamiccontroller/a.go": {Data: []byte("package dynamiccontroller\n")},
	}
	tree, err := readTree(fake)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(checkRules(tree), "\n")
	for _, want := range []string{`"graph/dag"`, `"dynamiccontroller/watch"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not missed in:\n%s", want, got)
		}
	}
	for _, unwanted := range []string{`"graph/expr"`, `"connection/..."`, `"..."`} {
		if strings.Contains(got, unwanted) {
			t.Errorf("%s is missed in:\n%s", unwanted, got)
		}
	}
}

func TestUnreadableFileIsAnError(t *testing.T) {
	if _, err := readTree(fstest.MapFS{"graph/a.go": {Data: []byte("packag graph")}}); err == nil {
		t.Error("a file that does not parse was passed over")
	}
}
