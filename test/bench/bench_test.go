package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// ceiling is the multiple of the floor that fails the test, which may share its machine with anything. It guards against
// regressions; the budgets are what make bench holds times against. Requests are exact everywhere.
const ceiling = 5

// TestBudgets measures one instance and fifty, wide and as a chain, and an idle engine.
func TestBudgets(t *testing.T) {
	engine := filepath.Join(t.TempDir(), "plait")
	if out, err := exec.Command("go", "build", "-o", engine, "../../cmd/plait").CombinedOutput(); err != nil {
		t.Fatalf("building the engine: %v\n%s", err, out)
	}
	rows, err := run(context.Background(), engine, []string{""}, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 {
		t.Fatal("nothing was measured")
	}
	for _, row := range rows {
		t.Logf("%s: %.4g %s (budget %.4g) %v", row.What, row.Value, row.Unit, row.Budget, row.Detail)
		if row.Unit == "x floor" {
			row.Budget = ceiling
		}
		if row.IsOver() {
			t.Errorf("%s: %.4g %s, the budget is %.4g", row.What, row.Value, row.Unit, row.Budget)
		}
	}
}
