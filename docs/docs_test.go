// Package docs tests that what the documents show is true.
package docs

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/cmd/plait/connect"
	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph/source"
)

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// documents are all pages but the tutorial, which has mistakes on purpose and a test of its own, and those that are generated.
func documents(t *testing.T) []string {
	t.Helper()
	all := []string{"../README.md"}
	for _, pattern := range []string{"*.md", "guides/*.md", "../examples/*.md", "../examples/*/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files...)
	}
	return slices.DeleteFunc(all, func(file string) bool { return file == "tutorial.md" })
}

// TestYAMLIsYAML reads every block of YAML, parts of documents too.
func TestYAMLIsYAML(t *testing.T) {
	for _, file := range documents(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range yamlBlock.FindAllStringSubmatch(string(data), -1) {
			for document := range strings.SplitSeq(block[1], "---\n") {
				var value any
				if err := yaml.UnmarshalStrict([]byte(document), &value); err != nil {
					t.Errorf("%s: %v in\n%s", file, err, document)
				}
			}
		}
	}
}

// TestProviderRoleIsTheOneThatIsMade has the page show the role that plait connect makes at a provider.
func TestProviderRoleIsTheOneThatIsMade(t *testing.T) {
	page, err := os.ReadFile("connections.md")
	if err != nil {
		t.Fatal(err)
	}
	for title, role := range map[string][]byte{"provider role": connect.ProviderRole, "provider role in kcp": connect.ProviderRoleInKCP} {
		if !strings.Contains(string(page), "<!-- "+title+": applied by a test -->\n```yaml\n"+string(role)+"```") {
			t.Errorf("connections.md does not show the %s as it is made:\n%s", title, role)
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)

// TestLinksLead has every link to a file of ours lead somewhere.
func TestLinksLead(t *testing.T) {
	for _, file := range append(documents(t), "tutorial.md", "../ARCHITECTURE.md", "../CONTRIBUTING.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range link.FindAllStringSubmatch(string(data), -1) {
			if strings.Contains(l[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), l[1])); err != nil {
				t.Errorf("%s: the link %s leads nowhere", file, l[1])
			}
		}
	}
}

// TestDocumentsCompile compiles every whole ResourceGroup that a document shows.
func TestDocumentsCompile(t *testing.T) {
	checked := 0
	for _, file := range documents(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range yamlBlock.FindAllStringSubmatch(string(data), -1) {
			if !strings.HasPrefix(block[1], "apiVersion: plait.run/") {
				continue
			}
			checked++
			docs, problems := source.Parse(file, []byte(block[1]))
			set, err := offline.Load(context.Background(), docs, nil)
			if err != nil {
				t.Fatal(err)
			}
			set.Problems.Append(problems)
			for _, d := range set.Problems.Sorted() {
				t.Errorf("%s", d)
			}
		}
	}
	if checked == 0 {
		t.Fatal("no document shows a ResourceGroup")
	}
}
