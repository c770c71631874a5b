package engine

import (
	"net/http"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/transport"
)

// counted counts requests by what they are for.
type counted struct {
	next     http.RoundTripper
	requests *prometheus.CounterVec
}

// RoundTrip is part of http.RoundTripper.
func (c counted) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(req)
	result := "success"
	if err != nil || resp.StatusCode >= http.StatusBadRequest {
		result = "error"
	}
	c.requests.WithLabelValues(verbOf(req), purposeOf(req), result).Inc()
	return resp, err
}

// WrappedRoundTripper gives the round tripper below, for those who look for its connections.
func (c counted) WrappedRoundTripper() http.RoundTripper { return c.next }

// verbOf is the verb as RBAC has it, as far as method and query tell.
func verbOf(req *http.Request) string {
	switch req.Method {
	case http.MethodPost:
		return "create"
	case http.MethodPut:
		return "update"
	case http.MethodGet:
		if query := req.URL.Query(); query.Get("watch") != "" {
			return "watch"
		}
		return "get"
	default:
		return strings.ToLower(req.Method)
	}
}

// purposes go by the resource that a request is about, whoever makes it.
var purposes = map[string]string{
	"leases": "lease", "events": "event", "serviceaccounts": "account",
	"customresourcedefinitions": "definition", "resourcegroups": "group", "resourcegrouprevisions": "revision",
	"validatingadmissionpolicies": "policy", "validatingadmissionpolicybindings": "policy", "workspaces": "workspace",
	"connections": "connection", "clusterbindings": "binding", "bindings": "binding", "secrets": "secret",
}

// purposeOf tells what a request is for: a child when a service account makes it; else something of the engine's own, by
// its resource; else reading into a cache, or writing claim and status of an instance.
func purposeOf(req *http.Request) string {
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	switch {
	case slices.Contains(parts, "selfsubjectaccessreviews"), slices.Contains(parts, "subjectaccessreviews"):
		return "review"
	case req.Header.Get(transport.ImpersonateUserHeader) != "":
		return "child"
	case parts[0] == "openapi", parts[0] != "api" && len(parts) <= 3, len(parts) <= 2:
		return "discovery"
	}
	if purpose := purposes[resourceOf(parts)]; purpose != "" {
		return purpose
	}
	switch {
	case req.Method == http.MethodGet:
		return "cache"
	case slices.Contains(parts, "status"):
		return "status"
	default:
		return "claim"
	}
}

// resourceOf finds the resource in a path: /api/v1/…, /apis/group/version/…, each with or without namespaces/name/.
func resourceOf(parts []string) string {
	rest := parts[2:]
	if parts[0] == "apis" {
		rest = parts[min(3, len(parts)):]
	}
	if len(rest) > 2 && rest[0] == "namespaces" {
		rest = rest[2:]
	}
	if len(rest) == 0 {
		return ""
	}
	return rest[0]
}
