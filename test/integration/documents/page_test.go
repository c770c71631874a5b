package documents_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/plait-run/plait/test/world"
)

// block is a fenced block of a page.
type block struct {
	page     string // from the root of the tree
	line     int    // of its fence
	language string
	text     string
	before   string // the text of the page between the block before and this one
}

// first is the first line, by which the tables name a block.
func (b block) first() string {
	line, _, _ := strings.Cut(b.text, "\n")
	return strings.TrimPrefix(strings.TrimSpace(line), "$ ")
}

func (b block) String() string { return fmt.Sprintf("%s:%d: %s", b.page, b.line, b.first()) }

var fence = regexp.MustCompile("(?ms)^ *```([a-z]*)\n(.*?)^ *```$")

func blocksOf(t *testing.T, page string) []block {
	t.Helper()
	data, err := os.ReadFile(world.InTree(filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	text, end := string(data), 0
	var out []block
	for _, at := range fence.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, block{
			page: page, line: strings.Count(text[:at[0]], "\n") + 1, language: text[at[2]:at[3]], text: text[at[4]:at[5]], before: text[end:at[0]],
		})
		end = at[1]
	}
	return out
}

// blocks are those of all pages that people write; docs/reference is made of the source, and its examples are tested there.
func blocks(t *testing.T) []block {
	t.Helper()
	out := blocksOf(t, "README.md")
	for _, folder := range []string{"docs", "examples"} {
		err := filepath.WalkDir(world.InTree(folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && entry.Name() == "reference" {
				return filepath.SkipDir
			}
			if filepath.Ext(path) == ".md" {
				page, err := filepath.Rel(world.InTree(), path)
				if err != nil {
					return err
				}
				out = append(out, blocksOf(t, filepath.ToSlash(page))...)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// isExpectation tells of the YAML in the README of an example that says what comes of it: test/examples holds the cluster to it.
func (b block) isExpectation() bool {
	return strings.HasPrefix(b.page, "examples/") && b.language == "yaml" && strings.HasSuffix(strings.TrimSpace(b.before), "## Expected result")
}

// command is one that a page has its reader type, with parts of what it shows, in order.
type command struct {
	line  string
	shows []string
}

// commands of a block: all lines, or those after a $, between which the page shows what they print.
func (b block) commands() []command {
	var out []command
	isSession := strings.HasPrefix(b.text, "$ ")
	for line := range strings.Lines(b.text) {
		line = strings.TrimSpace(line)
		typed, isTyped := strings.CutPrefix(line, "$ ")
		switch {
		case line == "":
		case isTyped, !isSession:
			out = append(out, command{line: typed})
		default:
			out[len(out)-1].shows = append(out[len(out)-1].shows, line)
		}
	}
	return out
}
