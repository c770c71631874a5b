package connection

import (
	"bytes"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/plait-run/plait/test/world"
)

// gate stands before a provider, whose administrator everybody is who comes through it, and can be shut.
type gate struct {
	server *httptest.Server

	mu   sync.Mutex
	keep func(http.ResponseWriter, *http.Request) bool // answers what does not pass, and tells whether it did; nil: all passes
}

func newGate(t *testing.T, provider *world.World) *gate {
	t.Helper()
	target, err := url.Parse(provider.RESTConfig().Host)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(provider.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, Transport: transport, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	g := &gate{}
	g.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		keep := g.keep
		g.mu.Unlock()
		if keep == nil || !keep(w, r) {
			forward.ServeHTTP(w, r)
		}
	}))
	g.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	g.server.StartTLS()
	t.Cleanup(func() {
		g.set(func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) })
		g.server.Close()
	})
	return g
}

// set says what does not pass from now on; what has passed, watches among it, ends.
func (g *gate) set(keep func(http.ResponseWriter, *http.Request) bool) {
	g.mu.Lock()
	g.keep = keep
	g.mu.Unlock()
	g.server.CloseClientConnections()
}

// down lets nobody in.
func down(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }

// silence takes requests and never answers.
func silence(_ http.ResponseWriter, r *http.Request) bool {
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// where keeps what has these words in its address.
func where(words string, keep func(http.ResponseWriter, *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		return strings.Contains(r.URL.String(), words) && keep(w, r)
	}
}

// answering gives the same answer to everything.
func answering(code int, body string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
		return true
	}
}

// forbidden is what an API server says of a right that is missing.
const forbidden = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"not now"}`

// kubeconfig gives the way through the gate.
func (g *gate) kubeconfig(t *testing.T) string {
	t.Helper()
	var authority bytes.Buffer
	if err := pem.Encode(&authority, &pem.Block{Type: "CERTIFICATE", Bytes: g.server.Certificate().Raw}); err != nil {
		t.Fatal(err)
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["gate"] = &clientcmdapi.Cluster{Server: g.server.URL, CertificateAuthorityData: authority.Bytes()}
	config.AuthInfos["gate"] = &clientcmdapi.AuthInfo{}
	config.Contexts["gate"] = &clientcmdapi.Context{Cluster: "gate", AuthInfo: "gate"}
	config.CurrentContext = "gate"
	content, err := clientcmd.Write(*config)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
