package documents_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

const tutorial = "docs/tutorial.md"

var (
	edit     = regexp.MustCompile(`<!-- tutorial: replace (\S+) (\S+) in (\S+) -->`)
	fileName = regexp.MustCompile("`([a-z]+\\.yaml)`")
)

// testTutorial does all that the page says, in order.
func testTutorial(t *testing.T, r *reader) {
	all := blocksOf(t, tutorial)
	if len(all) < 12 {
		t.Fatalf("the page has only %d blocks", len(all))
	}
	for _, b := range all {
		for _, words := range edit.FindAllStringSubmatch(b.before, -1) {
			r.replace(t, words[3], words[1], words[2])
		}
		if !r.save(t, b) {
			for _, c := range b.commands() {
				r.do(t, c)
			}
		}
	}
}

// save writes a block of YAML under the name that the text before it gave last, if there is one.
func (r *reader) save(t *testing.T, b block) bool {
	t.Helper()
	names := fileName.FindAllStringSubmatch(b.before, -1)
	if b.language != "yaml" || len(names) == 0 {
		return false
	}
	r.write(t, r.at(names[len(names)-1][1]), b.text, 0o600)
	return true
}

// replace does what the reader's editor does.
func (r *reader) replace(t *testing.T, file, old, with string) {
	t.Helper()
	text, err := os.ReadFile(r.at(file))
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("%s has no %s: %v", file, old, err)
	}
	r.write(t, r.at(file), strings.ReplaceAll(string(text), old, with), 0o600)
}
