package tree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plait-run/plait/cmd/plait/explain"
	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/inspect/stage"
	"github.com/plait-run/plait/cmd/plait/term"
	"github.com/plait-run/plait/test/golden"
)

// now is when everything is looked at.
var now = time.Date(2026, 3, 1, 12, 5, 0, 0, time.UTC)

// looks are the screens on which everything is shown.
var looks = []struct {
	name   string
	screen term.Screen
}{
	{"no terminal", term.Screen{}},
	{"80 columns", term.Screen{Width: 80, Height: 24}},
	{"140 columns with colours", term.Screen{Width: 140, Height: 40, Colours: true}},
}

// TestGolden shows clusters that are written down in files: trees and explanations, on each screen and as JSON.
func TestGolden(t *testing.T) {
	for _, row := range []struct{ file, kind, namespace, name string }{
		{"active", "shop", "team", "s1"},
		{"new", "shop", "team", "s1"},
		{"suspended", "shop", "team", "s1"},
		{"no-account", "shop", "team", "s1"},
		{"forbidden", "shop", "team", "s1"},
		{"waiting", "shop", "team", "s1"},
		{"pods", "shop", "team", "s1"},
		{"kinds", "shop", "team", "s1"},
		{"nested", "shop", "team", "s1"},
		{"unreadable", "shop", "team", "s1"},
		{"deleting", "shop", "team", "s1"},
		{"hostile", "shop", "team", "s1"},
		{"group", "resourcegroup", "", "shops"},
		{"invalid", "resourcegroup", "", "shops"},
		{"provider", "shop", "team", "s1"},
		{"refused", "shop", "team", "s1"},
		{"connection", "connection", "", "acme"},
		{"binding", "clusterbinding", "", "acme"},
		{"workspace", "workspace", "", "eu-1"},
		{"workspace-missing", "workspace", "", "eu-1"},
		{"child", "deployment", "team", "s1-web"},
	} {
		t.Run(row.file, func(t *testing.T) {
			golden.Check(t, filepath.Join("testdata", "golden", row.file+".txt"), show(t, filepath.Join("testdata", "clusters", row.file+".yaml"), row.kind, row.namespace, row.name))
		})
	}
}

func show(t *testing.T, file, kind, namespace, name string) string {
	t.Helper()
	cluster, err := stage.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := cluster.Kinds(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	found, err := kinds.Find(kind)
	if err != nil {
		t.Fatal(err)
	}
	it, err := inspect.Gather(context.Background(), cluster, inspect.Reference{Kind: found, Namespace: namespace, Name: name}, inspect.Options{Findings: true})
	if err != nil {
		t.Fatal(err)
	}
	explanation := explain.Explain(it)
	var out bytes.Buffer
	for _, look := range looks {
		drawer := Drawer{Screen: look.screen, Now: now}
		fmt.Fprintf(&out, "=== tree, %s\n", look.name)
		for _, line := range drawer.Tree(it) {
			if width := look.screen.Width; width > 0 && term.Cut(line.Text, width) != line.Text {
				t.Errorf("a line has no room in %d columns: %q", width, line.Text)
			}
			fmt.Fprintln(&out, line.Text)
		}
		fmt.Fprintf(&out, "=== explain, %s\n", look.name)
		if err := drawer.Explanation(&out, explanation); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintf(&out, "=== tree, JSON\n%s\n=== explain, JSON\n%s\n=== needs a hand: %v\n", indented(t, it), indented(t, explanation), explanation.NeedsHand())
	return strings.ReplaceAll(out.String(), "\x1b", "ESC")
}

func indented(t *testing.T, value any) []byte {
	t.Helper()
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// failing is a writer that takes nothing.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestExplanationTellsThatItCouldNotBeWritten(t *testing.T) {
	if err := (Drawer{}).Explanation(failing{}, explain.Explanation{}); err == nil {
		t.Error("an output that takes nothing is no error")
	}
}
