package remote_test

import (
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/remote"
)

// provider is an API server that answers with a body, or a status of so many hundred, by path.
func provider(t *testing.T, answers map[string]string) *remote.Access {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		code, body := http.StatusNotFound, answers[r.URL.Path]
		if body != "" {
			code = http.StatusOK
		}
		if _, err := fmt.Sscanf(body, "status %d", &code); err == nil || body == "" {
			reason := map[int]string{403: "Forbidden", 404: "NotFound", 503: "ServiceUnavailable"}[code]
			body = fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q}`, code, reason)
		}
		if code == http.StatusFound {
			w.Header().Set("Location", "https://elsewhere.example.com/")
		}
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	text := strings.Replace(safe, "https://provider.example.com:6443", server.URL+
		"\n    certificate-authority-data: "+base64.StdEncoding.EncodeToString(ca), 1)
	access, err := remote.Parse([]byte(text), false)
	if err != nil {
		t.Fatal(err)
	}
	return access
}

const (
	logicalAPI  = "/apis/core.kcp.io/v1alpha1"
	logical     = logicalAPI + "/logicalclusters/cluster"
	namespace   = "/api/v1/namespaces/kube-system"
	withLogical = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"core.kcp.io/v1alpha1","resources":[{"name":"logicalclusters"}]}`
	uidA        = `{"kind":"Namespace","apiVersion":"v1","metadata":{"uid":"a"}}`
	uidB        = `{"kind":"LogicalCluster","apiVersion":"core.kcp.io/v1alpha1","metadata":{"uid":"b"}}`
)

func TestConnect(t *testing.T) {
	tests := map[string]struct {
		answers map[string]string
		pin     remote.Pin
		uid     types.UID
		source  v1alpha1.IdentitySource
		fault   string // kind of the error
	}{
		"a plain cluster":              {answers: map[string]string{namespace: uidA}, uid: "a", source: "Namespace"},
		"kcp":                          {answers: map[string]string{logicalAPI: withLogical, logical: uidB, namespace: uidA}, uid: "b", source: "LogicalCluster"},
		"kcp without logical clusters": {answers: map[string]string{logicalAPI: `{"kind":"APIResourceList","apiVersion":"v1","resources":[]}`, namespace: uidA}, uid: "a", source: "Namespace"},
		"the pinned one":               {answers: map[string]string{namespace: uidA}, pin: remote.Pin{UID: "a", Source: "Namespace"}, uid: "a", source: "Namespace"},
		"another one":                  {answers: map[string]string{namespace: uidA}, pin: remote.Pin{UID: "z", Source: "Namespace"}, fault: "changed"},
		"another that is accepted":     {answers: map[string]string{namespace: uidA}, pin: remote.Pin{UID: "z", Accept: "a"}, uid: "a", source: "Namespace"},
		"another than the accepted":    {answers: map[string]string{namespace: uidA}, pin: remote.Pin{UID: "z", Accept: "y"}, fault: "changed"},
		"kcp that fails in passing":    {answers: map[string]string{logicalAPI: "status 503", namespace: uidA}, fault: "passing"},
		"pinned to kcp, which fails":   {answers: map[string]string{logicalAPI: withLogical, logical: "status 503", namespace: uidA}, pin: remote.Pin{UID: "b", Source: "LogicalCluster"}, fault: "passing"},
		"pinned to kcp, which is gone": {answers: map[string]string{namespace: uidA}, pin: remote.Pin{UID: "b", Source: "LogicalCluster"}, fault: "unreadable"},
		"denied":                       {answers: map[string]string{namespace: "status 403"}, fault: "denied"},
		"gone":                         {answers: map[string]string{}, fault: "unreadable"},
		"no UID":                       {answers: map[string]string{namespace: `{"kind":"Namespace","apiVersion":"v1","metadata":{}}`}, fault: "unreadable"},
		"a redirect":                   {answers: map[string]string{namespace: "status 302"}, fault: "unreachable"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := remote.Connect(t.Context(), provider(t, tt.answers), tt.pin)
			if got := faultOf(err); got != tt.fault {
				t.Fatalf("fault %q (%v), want %q", got, err, tt.fault)
			}
			if err == nil && (p.UID != tt.uid || p.Source != tt.source) {
				t.Errorf("got %q by %s, want %q by %s", p.UID, p.Source, tt.uid, tt.source)
			}
		})
	}
}

func TestConnectSaysThatACertificateIsNotTrusted(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it notes each handshake that fails
	server.StartTLS()
	t.Cleanup(server.Close)
	access, err := remote.Parse([]byte(strings.Replace(safe, "https://provider.example.com:6443", server.URL, 1)), false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = remote.Connect(t.Context(), access, remote.Pin{})
	if faultOf(err) != "unreachable" || !strings.Contains(err.Error(), "needs the CA that signed it in certificate-authority-data") {
		t.Errorf("got %v", err)
	}
}

func faultOf(err error) string {
	var (
		identity    *remote.IdentityError
		denied      *remote.DeniedError
		unreachable *remote.UnreachableError
	)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &denied):
		return "denied"
	case errors.As(err, &identity) && identity.Unreadable:
		return "unreadable"
	case errors.As(err, &identity):
		return "changed"
	case errors.As(err, &unreachable):
		return "unreachable"
	default:
		return "passing"
	}
}

func TestRegistryClosesWhatIsReplaced(t *testing.T) {
	access := provider(t, map[string]string{namespace: uidA})
	connect := func() *remote.Provider {
		t.Helper()
		p, err := remote.Connect(t.Context(), access, remote.Pin{Connection: "acme"})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	r := remote.NewRegistry()
	told := 0
	r.OnChange(func(string) { told++ })
	first, second := connect(), connect()
	r.Put(first)
	r.Put(first)
	r.Put(second)
	if !isDone(first) || isDone(second) {
		t.Errorf("done: first %t, second %t; want only the first", isDone(first), isDone(second))
	}
	if got, ok := r.Get("acme"); !ok || got != second {
		t.Error("the second is not the Provider")
	}
	r.Close()
	if _, ok := r.Get("acme"); ok || !isDone(second) {
		t.Error("the second is still there")
	}
	if told != 3 {
		t.Errorf("told %d times, want 3: came, was replaced, went", told)
	}
}

func isDone(p *remote.Provider) bool {
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}
