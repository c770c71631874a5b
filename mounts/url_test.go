package mounts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/mounts/contract"
)

func TestURLPolicy(t *testing.T) {
	own := contract.Workspace{API: contract.Plait, Name: "w"}
	ofKCP := contract.Workspace{API: contract.KCP, Name: "w"}
	child := contract.Workspace{API: contract.KCP, Name: "w", Parent: "root:org"}
	server := URLPolicy{Server: "https://kcp.example.com:6443/clusters/root:org"}
	tests := map[string]struct {
		policy    URLPolicy
		workspace contract.Workspace
		url       string
		want      string // the fault; empty: none
	}{
		"plain":                   {URLPolicy{}, own, "https://eu-1.example.com", ""},
		"with port and path":      {URLPolicy{}, own, "https://10.0.0.1:6443/clusters/root:a", ""},
		"IPv6":                    {URLPolicy{}, own, "https://[::1]:6443", ""},
		"capitals":                {URLPolicy{}, own, "HTTPS://EU.example.com/", ""},
		"http":                    {URLPolicy{}, own, "http://x", `"http://x" is plain http, and only https is allowed`},
		"http that is allowed":    {URLPolicy{AllowHTTP: true}, own, "http://x", ""},
		"other scheme":            {URLPolicy{AllowHTTP: true}, own, "ftp://x", `"ftp://x" has the scheme "ftp", and only https is allowed`},
		"script":                  {URLPolicy{}, own, "javascript:alert(1)", `"javascript:redacted" has the scheme "javascript", and only https is allowed`},
		"user":                    {URLPolicy{}, own, "https://me:secret@x/?t=1", `"https://redacted@x/" has a user in it, which does not belong into a URL that others see`},
		"no host":                 {URLPolicy{}, own, "https:///clusters", `"https:///clusters" has no host`},
		"only a port":             {URLPolicy{}, own, "https://:443", `"https://:443" has no host`},
		"relative":                {URLPolicy{}, own, "/clusters/a", `"/clusters/a" is relative: it needs a scheme and a host, such as https://eu-1.example.com`},
		"without a scheme":        {URLPolicy{}, own, "//x/clusters", `"//x/clusters" is relative: it needs a scheme and a host, such as https://eu-1.example.com`},
		"query":                   {URLPolicy{}, own, "https://x/?token=secret", `"https://x/" has a query`},
		"empty query":             {URLPolicy{}, own, "https://x/?", `"https://x/?" has a query`},
		"fragment":                {URLPolicy{}, own, "https://x/#secret", `"https://x/" has a fragment`},
		"port out of range":       {URLPolicy{}, own, "https://x:70000", `"https://x:70000" has no valid port`},
		"no URL":                  {URLPolicy{}, own, "https://a b:secret@x", "it is no URL"},
		"control character":       {URLPolicy{}, own, "https://x/\n", "it is no URL"},
		"too long":                {URLPolicy{}, own, "https://x/" + strings.Repeat("a", maxURL), "it is longer than 2048 bytes"},
		"allowed host":            {URLPolicy{Hosts: []string{"a.example.com"}}, own, "https://A.example.com:6443", ""},
		"below an allowed domain": {URLPolicy{Hosts: []string{"x", "*.example.com"}}, own, "https://a.b.example.com", ""},
		"the domain itself":       {URLPolicy{Hosts: []string{"*.example.com"}}, own, "https://example.com", `"https://example.com" has the host "example.com", which is not among the allowed ones`},
		"a host that ends alike":  {URLPolicy{Hosts: []string{"example.com"}}, own, "https://badexample.com", `"https://badexample.com" has the host "badexample.com", which is not among the allowed ones`},
		"its own object":          {URLPolicy{}, own, "https://x/apis/plait.run/v1alpha1/workspaces/w", `"https://x/apis/plait.run/v1alpha1/workspaces/w" leads back to the Workspace itself`},
		"its own object, hidden":  {URLPolicy{}, ofKCP, "https://x/clusters/a/../b//apis/tenancy.kcp.io/v1/workspaces/w/x", `"https://x/clusters/a/../b//apis/tenancy.kcp.io/v1/workspaces/w/x" leads back to the Workspace itself`},
		"another object":          {URLPolicy{}, own, "https://x/apis/plait.run/v1alpha1/workspaces/v", ""},
		"its own place":           {server, ofKCP, "https://kcp.example.com:6443/clusters/root:org:w", `"https://kcp.example.com:6443/clusters/root:org:w" leads back to the Workspace itself`},
		"its own place, escaped":  {server, ofKCP, "https://KCP.example.com:6443/clusters/root%3Aorg%3Aw/", `"https://KCP.example.com:6443/clusters/root%3Aorg%3Aw/" leads back to the Workspace itself`},
		"by its recorded parent":  {URLPolicy{Server: "https://kcp.example.com"}, child, "https://kcp.example.com:443/clusters/root:org:w", `"https://kcp.example.com:443/clusters/root:org:w" leads back to the Workspace itself`},
		"with an unknown parent":  {URLPolicy{Server: "https://kcp.example.com"}, ofKCP, "https://kcp.example.com/clusters/root:w", `"https://kcp.example.com/clusters/root:w" leads back to the Workspace itself`},
		"a namesake elsewhere":    {server, ofKCP, "https://kcp.example.com:6443/clusters/root:other:w", ""},
		"a mirror":                {server, ofKCP, "https://mirror.example.com:6443/clusters/root:org:w", ""},
		"a sibling":               {server, ofKCP, "https://kcp.example.com:6443/clusters/root:org:v", ""},
		"the server":              {server, ofKCP, "https://kcp.example.com:6443/clusters/root:org", ""},
	}
	for name, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.policy.fault(tt.url, tt.workspace)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestFaultsOfHosts(t *testing.T) {
	var got []string
	for _, err := range (URLPolicy{Hosts: []string{"a", "*.b.c", "https://d", "e:1", "", "*.", "f/g", "*.*.h"}}).Faults() {
		host, _, _ := strings.Cut(err.Error(), " is no host")
		got = append(got, host)
	}
	if diff := cmp.Diff([]string{`"https://d"`, `"e:1"`, `""`, `"*."`, `"f/g"`, `"*.*.h"`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
