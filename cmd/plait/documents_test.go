package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

var (
	codeBlock  = regexp.MustCompile("(?ms)^ *```(?:console)?\n(.*?)^ *```")
	makeTarget = regexp.MustCompile(`(?m)^([a-z-]+):`)
	remark     = regexp.MustCompile(`\s#.*$`)
)

// TestCommandsInDocumentsExist holds every command that a document shows to what there is: commands and flags of plait, and
// targets of make.
func TestCommandsInDocumentsExist(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, m := range makeTarget.FindAllStringSubmatch(string(makefile), -1) {
		targets = append(targets, m[1])
	}
	checked := 0
	for _, pattern := range []string{
		"../../README.md", "../../CONTRIBUTING.md", "../../docs/*.md", "../../docs/guides/*.md", "../../examples/*.md", "../../examples/*/*.md",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for _, words := range commandsIn(t, file) {
				switch {
				case words[0] == "make" && !slices.Contains(targets, words[1]):
					t.Errorf("%s: the Makefile has no target %s", file, words[1])
				case words[0] != "make" && cannotRun(words[1:]) != nil:
					t.Errorf("%s: plait %s: %v", file, strings.Join(words[1:], " "), cannotRun(words[1:]))
				}
				checked++
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d commands were found", checked)
	}
}

// named is a command of plait as a message names it.
var named = regexp.MustCompile("`plait ([a-z]+)|\"plait ([a-z]+) ")

// TestCommandsInMessagesExist holds the commands that messages and cures send users to to those that there are.
func TestCommandsInMessagesExist(t *testing.T) {
	checked := 0
	for _, dir := range []string{"explain", "console", "tree", "differ", "convert", "../../connection", "../../dynamiccontroller", "../../graph", "../../mounts"} {
		err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" {
				return err
			}
			data, err := os.ReadFile(file)
			for _, m := range named.FindAllStringSubmatch(string(data), -1) {
				if fault := cannotRun([]string{m[1] + m[2]}); fault != nil {
					t.Errorf("%s: plait %s: %v", file, m[1]+m[2], fault)
				}
				checked++
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 15 {
		t.Errorf("only %d commands were found", checked)
	}
}

// commandsIn gives the words of the commands of plait and make that a document's blocks show.
func commandsIn(t *testing.T, file string) [][]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for _, block := range codeBlock.FindAllStringSubmatch(string(data), -1) {
		for line := range strings.Lines(block[1]) {
			for command := range strings.SplitSeq(remark.ReplaceAllString(strings.TrimSpace(line), ""), " | ") {
				words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(command), "$ "))
				if len(words) > 1 && slices.Contains([]string{"plait", "bin/plait", "make"}, words[0]) {
					out = append(out, words)
				}
			}
		}
	}
	return out
}

// cannotRun says why plait would not take the words.
func cannotRun(words []string) error {
	if end := slices.Index(words, ">"); end >= 0 {
		words = words[:end]
	}
	cmd, rest, err := newRoot(streams{}).Find(words)
	if err != nil {
		return err
	}
	if !cmd.Runnable() {
		return errors.New("there is no such command")
	}
	if err := cmd.ParseFlags(rest); !errors.Is(err, pflag.ErrHelp) {
		return err
	}
	return nil
}

// TestPictureIsFresh has the picture of the README be what plait graph draws.
func TestPictureIsFresh(t *testing.T) {
	want, err := os.ReadFile("../../docs/images/webapp.svg")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	std := streams{in: strings.NewReader(""), out: &out, err: &errs}
	if code := run(t.Context(), []string{"graph", "-f", "../../examples/webapp/group.yaml", "-o", "svg"}, std); code != exitOK {
		t.Fatal(errs.String())
	}
	if out.String() != string(want) {
		t.Error("docs/images/webapp.svg: draw it anew with plait graph -f examples/webapp/group.yaml -o svg")
	}
}
