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
	side        string // is put before what requests are about; empty: they are to the engine's own API server
	*journal
}

func newProxy(config *rest.Config, side string, journal *journal) (*proxy, error) {
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
		address: listener.Addr().String(), certificate: certificate, served: make(chan error, 1), side: side, journal: journal,
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

// kubeconfig says how the engine finds the proxy.
func (p *proxy) kubeconfig() *clientcmdapi.Config {
	config := clientcmdapi.NewConfig()
	config.Clusters["proxy"] = &clientcmdapi.Cluster{Server: "https://" + p.address, CertificateAuthorityData: p.certificate}
	config.AuthInfos["proxy"] = &clientcmdapi.AuthInfo{}
	config.Contexts["proxy"] = &clientcmdapi.Context{Cluster: "proxy", AuthInfo: "proxy"}
	config.CurrentContext = "proxy"
	return config
}

// writeKubeconfig writes the kubeconfig into a file.
func (p *proxy) writeKubeconfig(path string) error {
	if err := clientcmd.WriteToFile(*p.kubeconfig(), path); err != nil {
		return fmt.Errorf("writing %q: %w", path, err)
	}
	return os.Chmod(path, 0o600)
}

// ServeHTTP forwards a request, or breaks it.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := describe(r)
	req.what = p.side + req.what
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
