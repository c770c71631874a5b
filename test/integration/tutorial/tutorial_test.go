package tutorial_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

// reader is who follows the page.
type reader struct {
	*world.Space
	t       *testing.T
	dir     string
	program string
}

var shared *world.World

func TestMain(m *testing.M) {
	os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{ControllerManager: true, Pods: true}}))
}

func TestTutorial(t *testing.T) {
	page, err := os.ReadFile(world.InTree("docs", "tutorial.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, err := world.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	shared.RunEngine(t)
	r := &reader{shared.Space(t, "default"), t, dir, program}
	steps := stepsOf(string(page))
	if len(steps) < 20 {
		t.Fatalf("the page has only %d steps", len(steps))
	}
	for _, s := range steps {
		r.do(s)
	}
}

func (r *reader) do(s step) {
	r.t.Helper()
	switch {
	case s.save != "":
		r.write(s.save, s.content)
	case s.where != "":
		old, err := os.ReadFile(filepath.Join(r.dir, s.where))
		if err != nil || !strings.Contains(string(old), s.replace) {
			r.t.Fatalf("%s has no %s: %v", s.where, s.replace, err)
		}
		r.write(s.where, strings.ReplaceAll(string(old), s.replace, s.with))
	default:
		shown := r.run(s.command)
		rest := normal(shown)
		for _, line := range s.shows {
			_, after, ok := strings.Cut(rest, normal(line))
			if !ok {
				r.t.Fatalf("$ %s\ndoes not show, in its place, %q:\n%s", s.command, line, shown)
			}
			rest = after
		}
	}
}

// normal has one space where there are several.
func normal(text string) string { return strings.Join(strings.Fields(text), " ") }

func (r *reader) write(file, content string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, file), []byte(content), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// run runs a command and gives what the reader sees of it.
func (r *reader) run(command string) string {
	r.t.Helper()
	words := wordsOf(command)
	switch {
	case words[0] == "make" || words[0] == "export":
		return "" // done already
	case words[0] == "bin/plait" && words[1] == "dev":
		return r.apply(words[2:]) // the cluster is there
	case words[0] == "bin/plait":
		cmd := exec.Command(r.program, words[1:]...)
		cmd.Dir, cmd.Env = r.dir, append(os.Environ(), "KUBECONFIG="+r.KubeconfigPath(), "NO_COLOR=1")
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			r.t.Fatal(err)
		}
		return string(out)
	case words[0] == "kubectl":
		return r.kubectl(words[1:])
	}
	r.t.Fatalf("the test does not know the command %s", command)
	return ""
}

// wordsOf splits a command as a shell does, with single quotes.
func wordsOf(command string) []string {
	var out []string
	for i, quoted := range strings.Split(command, "'") {
		if i%2 == 1 {
			out = append(out, quoted)
			continue
		}
		out = append(out, strings.Fields(quoted)...)
	}
	return out
}

func (r *reader) apply(words []string) string {
	r.t.Helper()
	for i, word := range words {
		if word != "-f" {
			continue
		}
		documents, err := os.ReadFile(filepath.Join(r.dir, words[i+1]))
		if err != nil {
			r.t.Fatal(err)
		}
		r.Apply(string(documents))
	}
	return fmt.Sprint("applied ", words)
}
