package mounts

import (
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/plait-run/plait/mounts/contract"
)

// URLPolicy says which URLs a Workspace may have. The zero value takes any host by https.
type URLPolicy struct {
	AllowHTTP bool
	Hosts     []string // names, or *.domain for all below a domain; empty: any
	Server    string   // URL of the API server that holds the Workspaces; empty: unknown
}

// maxURL is how long a URL may be, in bytes.
const maxURL = 2048

// Faults names every entry of Hosts that is none.
func (p URLPolicy) Faults() []error {
	var out []error
	for _, host := range p.Hosts {
		name := strings.TrimPrefix(host, "*.")
		if u, err := url.Parse("https://" + name); err != nil || name == "" || u.Host != name || u.Port() != "" || strings.Contains(name, "*") {
			out = append(out, fmt.Errorf("%q is no host: write a name without scheme and port, or *.domain for all below it", host))
		}
	}
	return out
}

// fault says why a Workspace may not have a URL, as a clause; empty: it may.
func (p URLPolicy) fault(text string, w contract.Workspace) string {
	if len(text) > maxURL {
		return fmt.Sprintf("it is longer than %d bytes", maxURL)
	}
	u, err := url.Parse(text)
	if err != nil {
		return "it is no URL" // which is not shown: a secret may be in it
	}
	if fault := p.formFault(u); fault != "" {
		return fmt.Sprintf("%s %s", contract.Quote(withoutSecret(u)), fault)
	}
	if !p.allows(u.Hostname()) {
		return fmt.Sprintf("%s has the host %s, which is not among the allowed ones", contract.Quote(text), contract.Quote(u.Hostname()))
	}
	if p.leadsBack(u, w) {
		return fmt.Sprintf("%s leads back to the Workspace itself", contract.Quote(text))
	}
	return ""
}

func (p URLPolicy) formFault(u *url.URL) string {
	scheme := strings.ToLower(u.Scheme)
	port, err := strconv.Atoi(u.Port())
	switch {
	case scheme == "":
		return "is relative: it needs a scheme and a host, such as https://eu-1.example.com"
	case scheme == "http" && !p.AllowHTTP:
		return "is plain http, and only https is allowed"
	case scheme != "http" && scheme != "https":
		return fmt.Sprintf("has the scheme %s, and only https is allowed", contract.Quote(scheme))
	case u.Hostname() == "":
		return "has no host"
	case u.User != nil:
		return "has a user in it, which does not belong into a URL that others see"
	case u.RawQuery != "" || u.ForceQuery:
		return "has a query"
	case u.Fragment != "" || strings.HasSuffix(u.String(), "#"):
		return "has a fragment"
	case u.Port() != "" && (err != nil || port < 1 || port > 65535):
		return "has no valid port"
	default:
		return ""
	}
}

// withoutSecret is a URL as it may be shown.
func withoutSecret(u *url.URL) string {
	shown := *u
	if shown.User != nil {
		shown.User = url.User("redacted")
	}
	if shown.Opaque != "" {
		shown.Opaque = "redacted"
	}
	shown.RawQuery, shown.Fragment, shown.RawFragment = "", "", ""
	return shown.String()
}

func (p URLPolicy) allows(host string) bool {
	if len(p.Hosts) == 0 {
		return true
	}
	host = strings.ToLower(host)
	for _, allowed := range p.Hosts {
		domain, below := strings.CutPrefix(strings.ToLower(allowed), "*")
		if host == domain && !below || below && strings.HasSuffix(host, domain) && len(host) > len(domain) {
			return true
		}
	}
	return false
}

// leadsBack tells whether a URL is that of the Workspace: its object in an API, or on the same server its place in kcp's
// tree, /clusters/parent:name.
func (p URLPolicy) leadsBack(u *url.URL, w contract.Workspace) bool {
	segments := strings.Split(strings.Trim(path.Clean("/"+u.Path), "/"), "/")
	object := []string{"apis", w.API.Group, "", w.API.Resource().Resource, w.Name}
	for at := range segments {
		if hasSegments(segments[at:], object) {
			return true
		}
	}
	server, err := url.Parse(p.Server)
	if err != nil || !isSameServer(u, server) || len(segments) < 2 || segments[0] != "clusters" {
		return false
	}
	parent, name, ok := cutLast(segments[1], ":")
	own := w.Parent
	if _, place, found := strings.Cut(server.Path, "/clusters/"); own == "" && found {
		own = strings.Trim(place, "/")
	}
	return ok && name == w.Name && (own == "" || parent == own)
}

// hasSegments tells whether a path begins with a pattern, in which an empty segment stands for any.
func hasSegments(segments, pattern []string) bool {
	if len(segments) < len(pattern) {
		return false
	}
	for i, want := range pattern {
		if want != "" && segments[i] != want {
			return false
		}
	}
	return true
}

func isSameServer(a, b *url.URL) bool {
	return b.Host != "" && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case strings.EqualFold(u.Scheme, "http"):
		return "80"
	default:
		return "443"
	}
}

func cutLast(text, sep string) (before, after string, ok bool) {
	at := strings.LastIndex(text, sep)
	if at < 0 {
		return "", text, false
	}
	return text[:at], text[at+len(sep):], true
}
