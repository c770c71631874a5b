package install_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// testPages gives the chart the values that README and guide have their reader set.
func testPages(t *testing.T, program string) {
	const guide, image = "docs/guides/install.md", "registry.example.com/plait:1"
	for _, row := range []struct{ values, want string }{
		{setIn(t, "README.md"), image}, {setIn(t, guide), image},
		{valuesIn(t, guide), "--concurrent-instances=40"}, {valuesIn(t, guide), "--watch-namespaces=team-a,team-b"},
	} {
		objects, complaint := render(t, program, row.values)
		if complaint != "" {
			t.Fatal(complaint)
		}
		found := false
		for _, o := range objects {
			found = found || o.GetKind() == "Deployment" && strings.Contains(container(t, o), row.want)
			checkStrictly(t, o)
		}
		if !found {
			t.Errorf("%s: no Deployment has %q", row.values, row.want)
		}
	}
}

// container is the first one of a Deployment as text.
func container(t *testing.T, deployment *unstructured.Unstructured) string {
	t.Helper()
	containers, _, err := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "containers")
	if err != nil || len(containers) == 0 {
		t.Fatalf("there is no container: %v", err)
	}
	text, err := json.Marshal(containers[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	helmInstall = regexp.MustCompile(`(?m)^helm install plait deploy/chart (?:.*\\\n)*.*$`)
	helmSet     = regexp.MustCompile(`--set ([a-z]+)\.([a-z]+)=(\S+)`)
	engineBlock = regexp.MustCompile("(?m)^```yaml\n(engine:\n(?:  .*\n)+)```$")
)

// setIn are the values that a page has its reader set at the installation with Helm.
func setIn(t *testing.T, page string) string {
	t.Helper()
	command := helmInstall.Find(readPage(t, page))
	values := map[string]map[string]any{}
	for _, m := range helmSet.FindAllStringSubmatch(string(command), -1) {
		if values[m[1]] == nil {
			values[m[1]] = map[string]any{}
		}
		values[m[1]][m[2]] = m[3]
	}
	if len(values) == 0 {
		t.Fatalf("%s sets nothing: %s", page, command)
	}
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// valuesIn are the values of the chart that a page shows.
func valuesIn(t *testing.T, page string) string {
	t.Helper()
	shown := engineBlock.FindSubmatch(readPage(t, page))
	if shown == nil {
		t.Fatalf("%s shows no values", page)
	}
	return string(shown[1])
}

func readPage(t *testing.T, page string) []byte {
	t.Helper()
	text, err := os.ReadFile(world.InTree(filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
