package remote_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/connection/remote"
)

// safe is a kubeconfig that is used; tests change one line of it.
const safe = `
apiVersion: v1
kind: Config
current-context: here
contexts: [{name: here, context: {cluster: there, user: me, namespace: beats}}]
clusters:
- name: there
  cluster:
    server: https://provider.example.com:6443
users:
- name: me
  user:
    token: s3cr3t
`

const brokenToken = "the token of its user has a blank, a line break or another control character in it or at its end: write it without"

func TestParse(t *testing.T) {
	inCluster := func(line string) string {
		return strings.Replace(safe, "  cluster:\n", "  cluster:\n    "+line+"\n", 1)
	}
	inUser := func(line string) string { return strings.Replace(safe, "  user:\n", "  user:\n    "+line+"\n", 1) }
	tests := map[string]struct {
		text     string
		insecure bool
		problems []string // of an UnsafeError
		invalid  string   // of an InvalidError
	}{
		"safe":                 {text: safe},
		"JSON":                 {text: `{"current-context":"a","contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}],"clusters":[{"name":"a","cluster":{"server":"https://h"}}],"users":[{"name":"a","user":{}}]}`},
		"a path":               {text: strings.Replace(safe, ":6443", ":6443/clusters/root:acme", 1)},
		"http":                 {text: strings.Replace(safe, "https:", "http:", 1), problems: []string{"the server's address is not https"}},
		"a user in the server": {text: strings.Replace(safe, "https://", "https://a:b@", 1), problems: []string{"the server's address has a user, a query or a fragment"}},
		"a proxy":              {text: inCluster("proxy-url: http://proxy"), problems: []string{"it has a proxy-url"}},
		"insecure": {text: inCluster("insecure-skip-tls-verify: true"),
			problems: []string{"it has insecure-skip-tls-verify, which spec.insecureSkipTLSVerify does not allow"}},
		"insecure and allowed": {text: inCluster("insecure-skip-tls-verify: true"), insecure: true},
		"CA file":              {text: inCluster("certificate-authority: /ca.crt"), problems: []string{"certificate-authority is a file: use certificate-authority-data"}},
		"exec":                 {text: inUser("exec: {apiVersion: client.authentication.k8s.io/v1, command: sh}"), problems: []string{"it runs a program (exec)"}},
		"auth provider":        {text: inUser("auth-provider: {name: gcp}"), problems: []string{"it has an auth-provider"}},
		"token file":           {text: inUser("tokenFile: /token"), problems: []string{"tokenFile is a file: use token"}},
		"certificate file":     {text: inUser("client-certificate: /a.crt"), problems: []string{"client-certificate is a file: use client-certificate-data"}},
		"key file":             {text: inUser("client-key: /a.key"), problems: []string{"client-key is a file: use client-key-data"}},
		"as":                   {text: inUser("as: root"), problems: []string{"it impersonates somebody (as)"}},
		"as a group":           {text: inUser("as-groups: [system:masters]"), problems: []string{"it impersonates somebody (as)"}},
		"as a UID":             {text: inUser(`as-uid: "1"`), problems: []string{"it impersonates somebody (as)"}},
		"as with extras":       {text: inUser("as-user-extra: {a: [b]}"), problems: []string{"it impersonates somebody (as)"}},
		"several": {text: strings.Replace(inUser("tokenFile: /token"), "https:", "http:", 1),
			problems: []string{"the server's address is not https", "tokenFile is a file: use token"}},
		"no YAML":    {text: "a: [b", invalid: "it is no YAML or JSON of a kubeconfig"},
		"nothing":    {text: "", invalid: "it has no current-context"},
		"no context": {text: strings.Replace(safe, "current-context: here", "current-context: nowhere", 1), invalid: `its current-context "nowhere" does not exist`},
		"no cluster": {text: strings.Replace(safe, "cluster: there", "cluster: lost", 1), invalid: `the cluster "lost" of its current-context does not exist`},
		"no user":    {text: strings.Replace(safe, "user: me", "user: lost", 1), invalid: `the user "lost" of its current-context does not exist`},
		"no server":  {text: strings.Replace(safe, "https://provider.example.com:6443", `""`, 1), invalid: "the server is no URL with a host, such as https://provider.example.com:6443"},
		"broken CA":  {text: inCluster("certificate-authority-data: " + base64.StdEncoding.EncodeToString([]byte("no PEM"))), invalid: "the CA, client certificate or key is no PEM that fits together"},
		"a password": {text: strings.Replace(safe, "token: s3cr3t", "{username: me, password: s3cr3t}", 1),
			invalid: "its user has a username or password, which API servers of Kubernetes do not accept: use a token or a client certificate instead"},
		"a password beside a token": {text: inUser("password: s3cr3t"),
			invalid: "its user has a username or password, which API servers of Kubernetes do not accept: use a token or a client certificate instead"},
		"a certificate without its key": {text: inUser("client-certificate-data: YQ=="),
			invalid: "its user has only one of client-certificate-data and client-key-data: put both there, or use a token"},
		"a line break behind the token": {text: strings.Replace(safe, "token: s3cr3t", `token: "s3cr3t\n"`, 1), invalid: brokenToken},
		"a blank in the token":          {text: strings.Replace(safe, "token: s3cr3t", "token: s3cr3t too", 1), invalid: brokenToken},
		"a NUL in the token":            {text: strings.Replace(safe, "token: s3cr3t", `token: "s3cr3t\0"`, 1), invalid: brokenToken},
		"a token of any letters":        {text: strings.Replace(safe, "token: s3cr3t", "token: Schlüssel", 1)},
		"far too long":                  {text: strings.Repeat("#", 1<<20+1), invalid: "it is longer than 1048576 bytes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			access, err := remote.Parse([]byte(tt.text), tt.insecure)
			var unsafe *remote.UnsafeError
			var invalid *remote.InvalidError
			var problems []string
			reason := ""
			if errors.As(err, &unsafe) {
				for _, p := range unsafe.Problems {
					problems = append(problems, p.What)
				}
			}
			if errors.As(err, &invalid) {
				reason = invalid.Err.Error()
			}
			if diff := cmp.Diff(tt.problems, problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if reason != tt.invalid {
				t.Errorf("invalid because %q, want %q", reason, tt.invalid)
			}
			if isUsed := tt.problems == nil && tt.invalid == ""; (access != nil) != isUsed {
				t.Errorf("access %v with error %v", access, err)
			}
			if err != nil && strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("the error tells the token: %v", err)
			}
		})
	}
}

func TestParseTellsCredentialsApart(t *testing.T) {
	first, err := remote.Parse([]byte(safe), false)
	if err != nil {
		t.Fatal(err)
	}
	if first.Host != "provider.example.com:6443" || first.Namespace != "beats" {
		t.Errorf("host %q, namespace %q", first.Host, first.Namespace)
	}
	second, err := remote.Parse([]byte(strings.Replace(safe, "s3cr3t", "other", 1)), false)
	if err != nil {
		t.Fatal(err)
	}
	anonymous, err := remote.Parse([]byte(strings.Replace(safe, "    token: s3cr3t", "    {}", 1)), false)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(anonymous.Usable(), "its user has no credentials") || strings.Contains(first.Usable(), "no credentials") {
		t.Errorf("without credentials it says %q, with a token %q", anonymous.Usable(), first.Usable())
	}
	if first.Hash == second.Hash {
		t.Errorf("two tokens have one hash %q", first.Hash)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(safe), false)
	f.Add([]byte("users: [{user: {exec: {command: sh}}}]"), true)
	f.Add([]byte("a: &a [*a]"), false)
	f.Fuzz(func(t *testing.T, data []byte, insecure bool) {
		access, err := remote.Parse(data, insecure)
		if (access == nil) == (err == nil) {
			t.Fatalf("access %v with error %v", access, err)
		}
	})
}
