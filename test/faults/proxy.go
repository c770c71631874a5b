package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"
)

// proxy stands between the engine and the API server, which it knows by the engine's certificate. It speaks HTTP/1.1
// to the engine, so that a cut connection is that of one request.
type proxy struct {
	server      *http.Server
	address     string
	certificate []byte
	forward     *httputil.ReverseProxy
	watches     watches
	lists       lists
	served      chan error

	mu       sync.Mutex
	log      []request
	traps    map[string]*trap // by the token of a copy
	everyone *fault           // what every request hears; nil: nothing is wrong
}

// trap breaks the n-th write of a copy.
type trap struct {
	n       int // from 1; counts down
	fault   fault
	broke   *request
	reached chan struct{} // closed when the write was broken, and if the fault says so has taken effect
	release chan struct{} // closed by whoever set the trap, for a late write
}

func newProxy(config *rest.Config) (*proxy, error) {
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, fmt.Errorf("making the proxy's transport: %w", err)
	}
	target, err := url.Parse(config.Host)
	if err != nil {
		return nil, fmt.Errorf("reading the address of the API server: %w", err)
	}
	certificate, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		return nil, fmt.Errorf("making the proxy's certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("reading the proxy's certificate: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("opening the proxy's port: %w", err)
	}
	quietLog := log.New(io.Discard, "", 0)
	p := &proxy{
		address: listener.Addr().String(), certificate: certificate, traps: map[string]*trap{}, served: make(chan error, 1),
		watches: watches{open: map[*watch]bool{}},
	}
	p.forward = &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport: transport, FlushInterval: -1, ErrorLog: quietLog,
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ModifyResponse: func(resp *http.Response) error {
			p.watches.tap(resp)
			return p.lists.note(resp)
		},
	}
	p.server = &http.Server{Handler: p, ErrorLog: quietLog}
	tlsListener := tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}})
	go func() { p.served <- p.server.Serve(tlsListener) }()
	return p, nil
}

// stop ends the proxy and every request that it holds.
func (p *proxy) stop() error {
	err := p.server.Close()
	if serveErr := <-p.served; !errors.Is(serveErr, http.ErrServerClosed) {
		err = errors.Join(err, serveErr)
	}
	return err
}

// writeKubeconfig writes how the engine finds the proxy.
func (p *proxy) writeKubeconfig(path string) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["proxy"] = &clientcmdapi.Cluster{Server: "https://" + p.address, CertificateAuthorityData: p.certificate}
	config.AuthInfos["proxy"] = &clientcmdapi.AuthInfo{}
	config.Contexts["proxy"] = &clientcmdapi.Context{Cluster: "proxy", AuthInfo: "proxy"}
	config.CurrentContext = "proxy"
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return fmt.Errorf("writing %q: %w", path, err)
	}
	return os.Chmod(path, 0o600)
}

// ServeHTTP forwards a request, or breaks it.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := describe(r)
	if f := p.storm(); f != nil {
		req.broken = f
		p.keep(req)
		f.end(w, r)
		return
	}
	if p.lists.serve(w, r, req) {
		p.keep(req)
		return
	}
	t := p.spring(req)
	if t == nil {
		p.pass(w, r, req)
		return
	}
	if t.fault.ending == late {
		t.broke = &req
		close(t.reached)
		<-t.release
		p.pass(w, r, req)
		return
	}
	req.broken = &t.fault
	if t.fault.after {
		lost := &sink{header: http.Header{}}
		p.forward.ServeHTTP(lost, r)
		req.code = lost.code
	}
	p.keep(req)
	t.broke = &req
	close(t.reached)
	t.fault.end(w, r)
}

func (p *proxy) pass(w http.ResponseWriter, r *http.Request, req request) {
	told := &witness{ResponseWriter: w}
	if req.verb == "watch" {
		p.keep(req)
		p.forward.ServeHTTP(told, r)
		return
	}
	defer func() {
		req.code = told.code
		p.keep(req)
	}()
	if req.isWrite {
		// What an engine wrote that is dead by now is done all the same, and its effect is to be known.
		r = r.WithContext(context.WithoutCancel(r.Context()))
	}
	p.forward.ServeHTTP(told, r)
}

// spring gives the trap that a request steps on; nil: none.
func (p *proxy) spring(req request) *trap {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.traps[req.token]
	if t == nil || !req.isWrite {
		return nil
	}
	if t.n--; t.n != 0 {
		return nil
	}
	return t
}

// arm sets the trap of a copy, in place of the last one.
func (p *proxy) arm(token string, n int, f fault) *trap {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := &trap{n: n, fault: f, reached: make(chan struct{}), release: make(chan struct{})}
	p.traps[token] = t
	return t
}

// disarm takes the trap of a copy away.
func (p *proxy) disarm(token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.traps, token)
}

// breakAll makes every new request hear a fault; nil ends it.
func (p *proxy) breakAll(f *fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.everyone = f
}

func (p *proxy) storm() *fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.everyone
}

func (p *proxy) keep(req request) {
	req.at = time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, req)
}

// since gives the requests from an index on, and the index for the next call.
func (p *proxy) since(n int) ([]request, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.log[n:]), len(p.log)
}

// witness sees the status of an answer.
type witness struct {
	http.ResponseWriter
	code int
}

func (w *witness) WriteHeader(code int) {
	w.code = code
	w.ResponseWriter.WriteHeader(code)
}

// Unwrap lets http.ResponseController flush.
func (w *witness) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// sink loses an answer.
type sink struct {
	header http.Header
	code   int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(code int)        { s.code = code }

func (t *trap) isReached() bool {
	select {
	case <-t.reached:
		return true
	default:
		return false
	}
}
