package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/sets"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
)

// request is what the proxy keeps of one.
type request struct {
	at      time.Time // of the answer
	token   string    // of the copy that it is about; empty: of none
	verb    string
	what    string // resource and name, the copy's token as *: `configmaps/*-n0`
	content string // hash of what is written, without times
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

// status is what a write of the object's status is about: `webapps:status/*`.
func (r request) status() string {
	resource, name, _ := strings.Cut(r.what, "/")
	return resource + ":status/" + name
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
	out := request{verb: info.Verb, isWrite: slices.Contains(writeVerbs, info.Verb) && !slices.Contains(notCounted, info.Resource)}
	name := info.Name
	if out.isWrite {
		var inBody string
		if inBody, out.content = read(r); name == "" {
			name = inBody
		}
	}
	resource := info.Resource
	if info.Subresource != "" {
		resource += ":" + info.Subresource
	}
	out.what, out.token = withoutToken(resource+"/"+name), tokenOf(name)
	return out
}

// read gives the name of the object in the body and a hash of the content. What is not JSON is taken as it is.
func read(r *http.Request) (name, content string) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return "", ""
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var object map[string]any
	if json.Unmarshal(body, &object) != nil {
		return tokenForm.FindString(string(body)), hash(body)
	}
	u := unstructured.Unstructured{Object: object}
	name = u.GetName()
	stripped, err := json.Marshal(strip(object))
	if err != nil {
		return name, ""
	}
	return name, hash(stripped)
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
