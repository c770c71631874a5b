package documents_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plait-run/plait/test/world"
)

const (
	helmInstall = `helm install plait deploy/chart --namespace plait-system --create-namespace \`
	connected   = "Connection acme is ready: acme.example.com:6443 (v1.37.2) exports 1 API, found by their labels"
	devProvider = "test/integration/dev TestProviderBeside"
	twoClusters = "test/examples TestProvidedExamples"
)

// elsewhere are the blocks that this package does not run, by page and first line, and the test that does, or shows as much of
// it as can be shown here, where there is no Helm with a cluster, and no container. A block without such a test says why.
var elsewhere = []struct{ page, first, where, why string }{
	{"README.md", "make run", devProvider, "it builds and runs plait dev"},
	{"README.md", `make run ARGS="--provider"`, devProvider, "as above"},
	{"README.md", helmInstall, "test/integration/install TestChart", "the API server takes what Helm's engine renders for these values"},
	{"docs/guides/install.md", helmInstall, "test/integration/install TestChart", "as above"},
	{"docs/guides/install.md", "apiVersion: kustomize.config.k8s.io/v1beta1", "test/integration/install TestKustomization", "it is rendered"},
	{"docs/guides/install.md", "kubectl apply --server-side -k .", "test/integration/install TestMain", "it installs what that package tests"},
	{"docs/guides/install.md", "engine:", "test/integration/install TestChart", "it is rendered"},
	{"docs/guides/upgrade-and-uninstall.md", "helm upgrade plait deploy/chart --namespace plait-system", "test/integration/install TestUpgrade", "without Helm"},
	{"docs/guides/upgrade-and-uninstall.md", "kubectl scale deployment plait-engine -n plait-system --replicas=0", "test/integration/install TestDrain", "without Helm"},
	{"docs/connections.md", "plait connect acme --kubeconfig acme.yaml --pull Referenced --auto-bind", "test/integration/connection TestConnectOverwritesNobody", "it takes a second cluster: that test runs the program with these flags"},
	{"docs/connections.md", connected, "test/integration/documents TestShown", "it is what a program prints"},
	{"docs/connections.md", "plait dev --provider", devProvider, "it takes clusters of its own"},
	{"docs/inspecting.md", "plait console", "test/integration/front TestConsoleFollowsAFailure", "it stays until Ctrl-C"},
	{"examples/provided-database/README.md", "your cluster                                    the provider's", "", "it is a drawing"},
	{"examples/provided-database/README.md", `make run ARGS="--provider"`, devProvider, "it builds and runs plait dev"},
	{"examples/provided-database/README.md", "kubectl --context provider apply -f provider.yaml", twoClusters, "it takes two clusters: that test takes the same steps"},
	{"examples/provided-database/README.md", "kubectl --context provider patch database bookshop --subresource status --type merge \\", twoClusters, "that test runs the operator, which does this"},
	{"examples/tenant-cluster/provided/README.md", "Workspace team-violet ──► TenantCluster eu-9 ─┬─ Database eu-9-store ──► Database eu-9-store", "", "it is a drawing"},
	{"examples/tenant-cluster/provided/README.md", "kubectl apply -f group.yaml", twoClusters, "it takes two clusters: that test takes the same steps"},
}

// TestEveryBlock has every block of every page run by a test.
func TestEveryBlock(t *testing.T) {
	used := map[string]int{}
	for _, b := range blocks(t) {
		if b.page == tutorial || b.isExpectation() {
			continue // followed from top to bottom; held to a cluster by test/examples
		}
		homes := 0
		for _, e := range elsewhere {
			if e.page == b.page && e.first == b.first() {
				used[e.page+e.first]++
				homes++
			}
		}
		for _, s := range sessions {
			if s.page == b.page && s.first == b.first() {
				used[s.page+s.first]++
				homes++
			}
		}
		switch {
		case homes == 1, homes == 0 && b.language == "yaml": // testYAML takes the others
		case homes == 0:
			t.Errorf("%s\nis run by no test: make it a session in sessions_test.go, or name in elsewhere of blocks_test.go the test that runs it", b)
		default:
			t.Errorf("%s\nstands %d times in sessions and elsewhere", b, homes)
		}
	}
	for _, s := range sessions {
		if used[s.page+s.first] != 1 {
			t.Errorf("%s has %d blocks that begin with %q, which a session is to follow", s.page, used[s.page+s.first], s.first)
		}
	}
	for _, e := range elsewhere {
		if e.why == "" {
			t.Errorf("%s: elsewhere does not say why %q is not run here", e.page, e.first)
		}
		if used[e.page+e.first] == 0 {
			t.Errorf("%s has no block that begins with %q, which elsewhere lists", e.page, e.first)
		}
		if e.where != "" && !exists(t, e.where) {
			t.Errorf("%s: %q is to be run by %s, which does not exist", e.page, e.first, e.where)
		}
	}
}

// exists looks for a test, given as FOLDER NAME.
func exists(t *testing.T, test string) bool {
	t.Helper()
	folder, name, _ := strings.Cut(test, " ")
	files, err := filepath.Glob(world.InTree(filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}

// TestShown holds what a page shows of plait connect to what it prints.
func TestShown(t *testing.T) {
	want, err := os.ReadFile(world.InTree("cmd", "plait", "testdata", "golden", "connected-referenced.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocksOf(t, "docs/connections.md") {
		if b.language == "text" && b.text != string(want) {
			t.Errorf("%s is not what plait connect prints:\n%s", b, want)
		}
	}
}
