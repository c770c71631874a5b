// Package docs tests that what the documents show is true.
package docs

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph/source"
)

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestDocumentsCompile compiles every whole ResourceGroup that a document shows.
func TestDocumentsCompile(t *testing.T) {
	files, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range append(files, "../README.md") {
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
