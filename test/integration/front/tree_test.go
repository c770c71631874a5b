package front_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/plait-run/plait/test/world"
)

// TestTreeWatches leaves the tree open while an instance changes: only what changes is printed.
func TestTreeWatches(t *testing.T) {
	s := shared.Space(t, "watched")
	s.Apply("{apiVersion: front.example.com/v1, kind: Report, metadata: {name: s1}}")
	s.WaitStatus("Report", "s1", "state", "IN_PROGRESS")
	ctx, cancel := context.WithTimeout(t.Context(), world.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "tree", "report/s1", "-n", s.Namespace, "--watch")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+shared.KubeconfigPath())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lineWith(t, lines, "facts", "Waiting", "waiting for ConfigMap watched/facts")
	lineWith(t, lines, "page", "Waiting")
	s.Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: facts}, data: {fact: water is wet}}")
	lineWith(t, lines, "Report watched/s1", "ACTIVE")
	lineWith(t, lines, "page", "ConfigMap s1-page", "Ready")
	s.Remove("Report", "s1")
	for lines.Scan() { // until the end: what is shown is gone
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("with its object gone it ends with %v", err)
	}
}

// lineWith reads on to a line that has all parts.
func lineWith(t *testing.T, lines *bufio.Scanner, parts ...string) {
	t.Helper()
	var seen []string
	for lines.Scan() {
		seen = append(seen, lines.Text())
		isIt := true
		for _, part := range parts {
			isIt = isIt && strings.Contains(lines.Text(), part)
		}
		if isIt {
			return
		}
	}
	t.Fatalf("no line has %q, only\n%s", parts, strings.Join(seen, "\n"))
}

// TestNamesOfTheCluster completes kinds and names, and finds objects by every name of their kind.
func TestNamesOfTheCluster(t *testing.T) {
	s := shared.Space(t, "named")
	s.Apply("{apiVersion: front.example.com/v1, kind: Report, metadata: {name: s1}}")
	for typed, want := range map[string]string{"rep": "report/\n", "report/": "report/s1\n", "reports/": "reports/s1\n"} {
		if out, status := plait(t, "__complete", "tree", "-n", s.Namespace, typed); status != 0 || !strings.HasPrefix(out, want) {
			t.Errorf("completing %q: status %d, %q", typed, status, out)
		}
	}
	for _, kind := range []string{"report", "reports", "Report", "report.front.example.com", "reports.v1.front.example.com"} {
		if out, status := plait(t, "tree", kind+"/s1", "-n", s.Namespace); status != 0 || !strings.HasPrefix(out, "Report named/s1") {
			t.Errorf("%s: status %d, %q", kind, status, out)
		}
	}
	for _, args := range [][]string{{"tree", "reprot/s1"}, {"explain", "report/none"}, {"tree", "report/none", "-o", "json"}} {
		if out, status := plait(t, append(args, "-n", s.Namespace)...); status != 1 || out != "" {
			t.Errorf("%v: status %d, %q", args, status, out)
		}
	}
}
