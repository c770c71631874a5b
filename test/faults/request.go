package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
)

// request is what the proxy keeps of one.
type request struct {
	at      time.Time // of the answer
	token   string    // of the copy that it is about; empty: of none
	verb    string
	what    string // resource and name, the copy's token as *: `configmaps/*-n0`
	code    int    // that the API server answered; 0: it was not asked
	broken  *fault // nil: the engine got the API server's answer
	isWrite bool
}

// String is `patch configmaps/*-n0`.
func (r request) String() string { return r.verb + " " + r.what }

// kind is verb and resource.
func (r request) kind() string {
	resource, _, _ := strings.Cut(r.what, "/")
	return r.verb + " " + resource
}

// tookEffect tells whether the API server did it.
func (r request) tookEffect() bool { return r.isWrite && r.code >= 200 && r.code < 300 }

// tokenForm is that of a token, which is in every name of a copy, and in nothing else.
var tokenForm = regexp.MustCompile(`(?i)x[0-9]+q`)

// tokenOf gives the copy that a name belongs to.
func tokenOf(name string) string { return strings.ToLower(tokenForm.FindString(name)) }

// withoutToken makes texts of different copies comparable.
func withoutToken(text string) string { return tokenForm.ReplaceAllString(text, "*") }

var infos = apirequest.RequestInfoFactory{
	APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api"),
}

var writeVerbs = []string{"create", "update", "patch", "delete", "deletecollection"}

// notCounted are written beside the work, in no order.
var notCounted = []string{"events", "leases", "selfsubjectaccessreviews"}

// describe says what a request is about. Its body is still to be read afterwards.
func describe(r *http.Request) request {
	info, err := infos.NewRequestInfo(r)
	if err != nil || !info.IsResourceRequest {
		return request{verb: strings.ToLower(r.Method), what: r.URL.Path}
	}
	name := info.Name
	if info.Verb == "create" && name == "" {
		name = nameInBody(r)
	}
	resource := info.Resource
	if info.Subresource != "" {
		resource += ":" + info.Subresource
	}
	return request{
		verb: info.Verb, what: withoutToken(resource + "/" + name), token: tokenOf(name),
		isWrite: slices.Contains(writeVerbs, info.Verb) && !slices.Contains(notCounted, info.Resource),
	}
}

// nameInBody reads the name of an object that is created; empty when the body is not JSON.
func nameInBody(r *http.Request) string {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return ""
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var object struct {
		Metadata struct{ Name string }
	}
	if json.Unmarshal(body, &object) == nil {
		return object.Metadata.Name
	}
	return tokenForm.FindString(string(body))
}
