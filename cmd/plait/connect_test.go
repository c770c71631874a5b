package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/connect"
	"github.com/plait-run/plait/test/golden"
)

// TestConnected holds what is printed of a Connection that is ready.
func TestConnected(t *testing.T) {
	provider := connect.Provider{Host: "acme.example.com:6443", Version: "v1.37.2", ClusterUID: "u", Source: v1alpha1.SchemaSourceCRD}
	exports := []v1alpha1.ExportedAPI{
		{Name: "databases.db.example.com", Kind: "Database", Scope: "Namespaced", Versions: []string{"v1", "v1beta1"}, State: v1alpha1.ExportedAPIInstalled},
		{Name: "zones.dns.example.com", Kind: "Zone\x1b[2J", Scope: "Cluster", Versions: []string{"v1"}, State: v1alpha1.ExportedAPIUnsupported,
			Message: "its versions differ,\nand cannot be carried over"},
	}
	for name, r := range map[string]*connect.Result{
		"bound":      {Connection: "acme", Provider: provider, AutoBind: true, PullPolicy: v1alpha1.PullPolicyBound, ExportedAPIs: exports},
		"referenced": {Connection: "acme", Provider: provider, AutoBind: true, PullPolicy: v1alpha1.PullPolicyReferenced, ExportedAPIs: exports[:1]},
		"unbound":    {Connection: "acme", Provider: provider, PullPolicy: v1alpha1.PullPolicyBound, ExportedAPIs: exports[:1]},
		"none":       {Connection: "acme", Provider: provider, PullPolicy: v1alpha1.PullPolicyNone, ExportedAPIs: exports[:1]},
		"empty": {Connection: "acme", AutoBind: true, PullPolicy: v1alpha1.PullPolicyBound,
			Provider: connect.Provider{Host: "acme.example.com", Source: v1alpha1.SchemaSourceOpenAPI}},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := printConnected(&out, r); err != nil {
				t.Fatal(err)
			}
			golden.Check(t, filepath.Join("testdata", "golden", "connected-"+name+".txt"), out.String())
		})
	}
}

// TestFormatsComplete offers the formats of every command that has some, and no files.
func TestFormatsComplete(t *testing.T) {
	for command, want := range map[string]string{
		"validate": "text\njson\nyaml\n", "render": "text\njson\nyaml\n", "crd": "yaml\njson\n", "graph": "text\ndot\nmermaid\nsvg\njson\n",
		"rbac": "yaml\njson\n", "convert": "yaml\njson\n", "version": "text\njson\nyaml\n", "tree": "text\njson\nyaml\n",
		"explain": "text\njson\nyaml\n", "diff": "text\njson\nyaml\n", "connect": "text\njson\nyaml\n",
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"__complete", command, "-o", ""}, streams{out: &out, err: &errs})
		if code != exitOK || out.String() != want+":4\n" {
			t.Errorf("%s: status %d, %q %s", command, code, out.String(), errs.String())
		}
	}
}

// TestConnectCompletes offers policies, and the contexts of the kubeconfig that is named.
func TestConnectCompletes(t *testing.T) {
	for _, row := range []struct {
		words []string
		want  string
	}{
		{[]string{"--pull", ""}, "Bound\nReferenced\nAll\nNone\n"},
		{[]string{"--kubeconfig", "testdata/input/refused-kubeconfig.yaml", "--context", ""}, "acme\n"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"__complete", "connect", "acme"}, row.words...), streams{out: &out, err: &errs})
		if code != exitOK || !strings.HasPrefix(out.String(), row.want) {
			t.Errorf("%v: status %d, %q %s", row.words, code, out.String(), errs.String())
		}
	}
}
