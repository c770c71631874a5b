package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
)

// TestEveryCodeIsProvoked holds every example to provoking its code, and nothing that is graver.
func TestEveryCodeIsProvoked(t *testing.T) {
	for _, e := range diag.Reference() {
		found, err := provoked(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		isProvoked := false
		for _, d := range found {
			isProvoked = isProvoked || d.Code == e.Code
			if d.Code != e.Code {
				t.Errorf("%s: the example provokes something else too: %s", e.Code, d)
			}
		}
		if !isProvoked {
			t.Errorf("%s is not provoked by its example:\n%s", e.Code, framed(e.Example()))
		}
	}
}

func TestFunctionsHaveTheirValues(t *testing.T) {
	for _, s := range sections() {
		for _, f := range s.functions {
			got, err := evaluate(context.Background(), f.example)
			if err != nil {
				t.Errorf("%s: %v", f.name, err)
				continue
			}
			if diff := cmp.Diff(f.value, got); diff != "" {
				t.Errorf("%s: %s", f.example, diff)
			}
			if name := f.name[strings.LastIndexByte(f.name, '.')+1:]; !strings.Contains(f.example, name) {
				t.Errorf("the example of %s does not use it: %s", f.name, f.example)
			}
		}
	}
}

func TestEveryFunctionIsThere(t *testing.T) {
	want, err := expr.Functions()
	if err != nil {
		t.Fatal(err)
	}
	want = slices.DeleteFunc(want, func(name string) bool { return slices.Contains(aliases, name) })
	var got []string
	for _, s := range sections() {
		for _, f := range s.functions {
			got = append(got, f.name)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPagesAreFresh(t *testing.T) {
	if err := run(context.Background(), "../../reference", true); err != nil {
		t.Error(err)
	}
}

func TestCheckFindsWhatIsNotFresh(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	if err := run(ctx, dir, true); err == nil {
		t.Error("missing pages were taken for fresh")
	}
	if err := run(ctx, dir, false); err != nil {
		t.Fatal(err)
	}
	if err := run(ctx, dir, true); err != nil {
		t.Error(err)
	}
}
