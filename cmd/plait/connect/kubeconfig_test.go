package connect

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/plait-run/plait/connection/schema"
)

const twoClusters = `
apiVersion: v1
kind: Config
current-context: home
contexts:
- {name: home, context: {cluster: home, user: me}}
- {name: acme, context: {cluster: acme, user: tenant, namespace: beats}}
- {name: lost, context: {cluster: nowhere, user: me}}
clusters:
- {name: home, cluster: {server: "https://home.example.com"}}
- name: acme
  cluster:
    server: https://acme.example.com:6443
    extensions: [{name: a-program, extension: {secret: of-a-program}}]
users:
- {name: me, user: {token: of-home}}
- {name: tenant, user: {token: of-acme}}
`

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestOnlyTheContextInUseIsKept has nothing of other clusters go into the Secret, and the same text each time.
func TestOnlyTheContextInUseIsKept(t *testing.T) {
	file := written(t, twoClusters)
	var first []byte
	for range 20 {
		config, err := choose(file, "acme")
		if err != nil {
			t.Fatal(err)
		}
		text, err := checked(config)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		}
		if diff := cmp.Diff(string(first), string(text)); diff != "" {
			t.Fatalf("it differs from time to time:\n%s", diff)
		}
	}
	for _, part := range []string{"home", "of-a-program", "location"} {
		if strings.Contains(string(first), part) {
			t.Errorf("%q is in\n%s", part, first)
		}
	}
	back, err := clientcmd.Load(first)
	if err != nil {
		t.Fatal(err)
	}
	context := back.Contexts[back.CurrentContext]
	got := []string{context.Namespace, back.Clusters[context.Cluster].Server, back.AuthInfos[context.AuthInfo].Token}
	if diff := cmp.Diff([]string{"beats", "https://acme.example.com:6443", "of-acme"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestChooseSaysWhatIsMissing(t *testing.T) {
	for _, row := range []struct {
		text, context, want string
	}{
		{twoClusters, "none", `has no context "none"`},
		{twoClusters, "lost", "names a cluster or a user that is not in it"},
		{strings.Replace(twoClusters, "current-context: home", "", 1), "", "has no current-context: name one with --context"},
		{"token: [s3cr3t", "", "it is no YAML or JSON of a kubeconfig"},
	} {
		_, err := choose(written(t, row.text), row.context)
		var problem Problem
		if !errors.As(err, &problem) || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%q: got %v, want a problem with %q", row.context, err, row.want)
		}
	}
	if _, err := choose(filepath.Join(t.TempDir(), "none"), ""); err == nil || errors.As(err, new(Problem)) {
		t.Errorf("a file that is not there is no problem of the document: %v", err)
	}
}

// TestAccountKeepsTheServer has the account's kubeconfig say the same of the server, with a CA that was in a file.
func TestAccountKeepsTheServer(t *testing.T) {
	file := written(t, strings.Replace(twoClusters, "6443\n", "6443\n    certificate-authority: ca.crt\n    tls-server-name: acme\n", 1))
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "ca.crt"), []byte("a certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	config, err := choose(file, "acme")
	if err != nil {
		t.Fatal(err)
	}
	of, err := ofAccount(config, "t0ken")
	if err != nil {
		t.Fatal(err)
	}
	cluster, user := of.Clusters[name], of.AuthInfos[name]
	got := []string{cluster.Server, cluster.TLSServerName, cluster.CertificateAuthority, string(cluster.CertificateAuthorityData), user.Token, of.Contexts[name].Namespace}
	if diff := cmp.Diff([]string{"https://acme.example.com:6443", "acme", "", "a certificate", "t0ken", "plait"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestRulesNameJustTheExports(t *testing.T) {
	exports := []schema.Export{{Group: "db", Resource: "databases"}, {Group: "mq", Resource: "queues"}, {Group: "db", Resource: "users"}}
	verbs := []any{"get", "list", "watch", "create", "patch", "delete"}
	want := []any{
		map[string]any{"apiGroups": []any{"db"}, "resources": []any{"databases", "users"}, "verbs": verbs},
		map[string]any{"apiGroups": []any{"mq"}, "resources": []any{"queues"}, "verbs": verbs},
	}
	if diff := cmp.Diff(want, rulesFor(exports)); diff != "" {
		t.Error(diff)
	}
}
