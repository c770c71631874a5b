package diag

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestString(t *testing.T) {
	for want, d := range map[string]Diagnostic{
		"f.yaml:3:5: error PLT003 spec.x: no such field\n    because\n    Did you mean y?": {
			File: "f.yaml", Position: Position{3, 5}, Code: UnknownField, Path: "spec.x",
			Summary: "no such field", Detail: "because", Suggestion: "Did you mean y?",
		},
		"warning PLT505 spec.resources[0].template.kind: not installed\n    one\n    two": {
			Code: GraphKind, Severity: Warning, Path: "spec.resources[0].template.kind", Summary: "not installed", Detail: "one\ntwo",
		},
		"f.yaml:1:1: error PLT001: broken": {File: "f.yaml", Position: Position{1, 1}, Code: Syntax, Summary: "broken"},
	} {
		if diff := cmp.Diff(want, d.String()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSortedByPositionAndOnce(t *testing.T) {
	at := func(file string, line, column int, path string, code Code, summary string) Diagnostic {
		return Diagnostic{File: file, Position: Position{line, column}, Path: path, Code: code, Summary: summary}
	}
	want := []Diagnostic{
		at("a", 2, 1, "z", "PLT009", "s"), at("a", 10, 1, "a", "PLT001", "s"), at("a", 10, 2, "a", "PLT001", "t"),
		at("a", 10, 2, "b", "PLT001", "s"), at("a", 10, 2, "b", "PLT002", "r"), at("a", 10, 2, "b", "PLT002", "s"), at("b", 1, 1, "a", "PLT001", "s"),
	}
	var l List
	for _, i := range []int{6, 3, 0, 5, 1, 4, 2, 3, 6} {
		l.Add(want[i])
	}
	if diff := cmp.Diff(want, l.Sorted()); diff != "" {
		t.Error(diff)
	}
	l.Add(at("a", 11, 1, "z", "PLT009", "s"))
	if diff := cmp.Diff(want, l.Sorted()); diff != "" {
		t.Error("the same problem further down:", diff)
	}
	if l.Len() != 10 {
		t.Errorf("got %d problems as they were added", l.Len())
	}
}

func TestCapped(t *testing.T) {
	var l, other List
	for i := range Limit {
		l.Add(Diagnostic{Path: fmt.Sprintf("p%03d", i)})
	}
	if shown, more := l.Capped(); len(shown) != Limit || more != 0 {
		t.Errorf("at the limit: %d shown, %d more", len(shown), more)
	}
	other.Add(Diagnostic{Path: "q1"})
	other.Add(Diagnostic{Path: "q2"})
	l.Append(other)
	shown, more := l.Capped()
	if len(shown) != Limit || more != 2 || shown[Limit-1].Path != "p049" {
		t.Errorf("above the limit: %d shown, %d more, last %s", len(shown), more, shown[Limit-1].Path)
	}
}

func TestHasErrors(t *testing.T) {
	var l List
	l.Add(Diagnostic{Severity: Warning})
	if l.HasErrors() {
		t.Error("a warning is no error")
	}
	l.Add(Diagnostic{Severity: Error})
	if !l.HasErrors() {
		t.Error("an error was missed")
	}
}
