package progress

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func instance(state string, resources ...any) map[string]any {
	return map[string]any{
		"kind": "WebApp", "metadata": map[string]any{"name": "shop", "namespace": "team"},
		"status": map[string]any{
			"state": state, "resources": resources,
			"conditions": []any{map[string]any{"type": "Ready", "status": "False", "message": "waiting for web"}},
		},
	}
}

func resource(id, state, message string) map[string]any {
	return map[string]any{"id": id, "state": state, "message": message, "kind": "ConfigMap", "name": id}
}

func TestTree(t *testing.T) {
	var got []string
	for _, line := range Tree(instance("IN_PROGRESS", resource("web", "Waiting", "waiting for db"), resource("db", "Ready", ""))) {
		got = append(got, line.Text)
	}
	want := []string{
		"WebApp team/shop  IN_PROGRESS  waiting for web",
		"├─ web          Waiting   ConfigMap web  – waiting for db",
		"└─ db           Ready     ConfigMap db",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if empty := Tree(map[string]any{"kind": "WebApp", "metadata": map[string]any{"name": "x"}}); empty[0].Text != "WebApp x  not looked at yet" {
		t.Error(empty)
	}
}

func TestPrinterTellsChangesOnce(t *testing.T) {
	var out strings.Builder
	p := NewPrinter(&out, 0, func() string { return "+1s" })
	tree := Tree(instance("IN_PROGRESS", resource("web", "Waiting", "")))
	p.Show(tree)
	p.Show(tree)
	p.Show(Tree(instance("IN_PROGRESS", resource("web", "Ready", ""))))
	want := "+1s WebApp team/shop  IN_PROGRESS  waiting for web\n" +
		"+1s └─ web          Waiting   ConfigMap web\n" +
		"+1s └─ web          Ready     ConfigMap web\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestPrinterDrawsInPlace(t *testing.T) {
	var out strings.Builder
	p := NewPrinter(&out, 8, nil)
	p.Show([]Line{{"a", "a short"}, {"b", "longer than that"}})
	p.Show([]Line{{"a", "done"}})
	want := "\x1b[2Ka short\n\x1b[2Klonger …\n\x1b[2A\x1b[2Kdone\n\x1b[2K\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}
