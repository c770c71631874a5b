package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plait-run/plait/test/golden"
)

// TestCommands runs command lines as a shell would, and holds what people and programs see to golden files.
func TestCommands(t *testing.T) {
	for name, args := range map[string]string{
		"validate":              "validate -f group.yaml -f instance.yaml --crds database-crd.yaml",
		"validate-json":         "validate -f group.yaml -f instance.yaml -o json",
		"validate-faults":       "validate -f faults.yaml",
		"validate-faults-json":  "validate -f faults.yaml -o json",
		"validate-faults-yaml":  "validate faults.yaml -o yaml",
		"validate-bad-instance": "validate -f group.yaml -f bad-instance.yaml --crds database-crd.yaml",
		"validate-stdin":        "validate -f -",
		"validate-mounted":      "validate -f group.yaml -f workspace.yaml --crds database-crd.yaml",
		"validate-missing-file": "validate -f none.yaml",
		"validate-no-file":      "validate",
		"validate-wrong-format": "validate -f group.yaml -o svg",
		"render":                "render -f group.yaml -f instance.yaml --observed observed.yaml --crds database-crd.yaml",
		"render-waiting":        "render -f group.yaml -f instance.yaml --crds database-crd.yaml",
		"render-json":           "render -f group.yaml -f instance.yaml --observed observed.yaml --crds database-crd.yaml -o json",
		"render-bad-instance":   "render -f group.yaml -f bad-instance.yaml --crds database-crd.yaml",
		"render-without-one":    "render -f group.yaml --crds database-crd.yaml",
		"crd":                   "crd -f group.yaml --crds database-crd.yaml",
		"crd-json":              "crd -f group.yaml --crds database-crd.yaml -o json",
		"crd-faults":            "crd -f faults.yaml",
		"graph":                 "graph -f group.yaml --crds database-crd.yaml",
		"graph-json":            "graph -f group.yaml --crds database-crd.yaml -o json",
		"rbac":                  "rbac -f group.yaml --crds database-crd.yaml",
		"rbac-json":             "rbac -f group.yaml --crds database-crd.yaml -o json",
		"rbac-without-group":    "rbac -f instance.yaml",
		"convert":               "convert -f kro.yaml -f plain.yaml",
		"convert-json":          "convert -f kro.yaml -f plain.yaml -o json",
		"convert-nothing-to-do": "convert -f plain.yaml",
		"convert-no-schema":     "convert -f kro-no-schema.yaml -f plain.yaml -f kro.yaml",
		"convert-wrong-format":  "convert -f kro.yaml -o text",
		"connect-refused":       "connect acme --kubeconfig refused-kubeconfig.yaml",
		"connect-proxied":       "connect acme --kubeconfig proxied-kubeconfig.yaml --create-account",
		"connect-no-context":    "connect acme --kubeconfig refused-kubeconfig.yaml --context elsewhere",
		"connect-no-kubeconfig": "connect acme",
		"connect-missing-file":  "connect acme --kubeconfig none.yaml",
		"connect-bad-name":      "connect Acme --kubeconfig none.yaml",
		"connect-bad-pull":      "connect acme --kubeconfig none.yaml --pull Some",
		"explain-nothing":       "explain",
		"tree-too-much":         "tree webapp shop bookshop",
		"unknown-command":       "valdate",
	} {
		t.Run(name, func(t *testing.T) {
			golden.Check(t, filepath.Join("testdata", "golden", name+".txt"), commandLine(t, args))
		})
	}
}

// commandLine gives what a command line makes, with the files of testdata/input in the working folder.
func commandLine(t *testing.T, args string) string {
	t.Helper()
	var words []string
	for _, word := range strings.Fields(args) {
		if strings.HasSuffix(word, ".yaml") {
			word = filepath.Join("testdata", "input", word)
		}
		words = append(words, word)
	}
	stdin, err := os.ReadFile("testdata/input/faults.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out, errors bytes.Buffer
	code := run(context.Background(), words, streams{in: bytes.NewReader(stdin), out: &out, err: &errors})
	return fmt.Sprintf("$ plait %s\n--- status\n%d\n--- stdout\n%s--- stderr\n%s", args, code, out.String(), errors.String())
}

// TestConvertedCompiles takes the way that the help of convert shows.
func TestConvertedCompiles(t *testing.T) {
	var out, errors bytes.Buffer
	if code := run(context.Background(), []string{"convert", "-f", "testdata/input/kro.yaml"}, streams{out: &out, err: &errors}); code != exitOK {
		t.Fatalf("status %d: %s", code, errors.String())
	}
	var answer bytes.Buffer
	if code := run(context.Background(), []string{"validate", "-f", "-"}, streams{in: &out, out: &answer, err: &errors}); code != exitOK {
		t.Fatalf("status %d: %s", code, errors.String())
	}
	if got, want := answer.String(), "1 ResourceGroup and 0 instances: no errors\n"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want it to begin with %q", got, want)
	}
}
