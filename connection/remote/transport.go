package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

// Limits of calls to a provider.
const (
	callTime    = 10 * time.Second
	listTime    = 30 * time.Second // lists and documents
	maxDocument = 32 << 20         // bytes of one answer that is no watch
	callRate    = 100              // requests a second for one Connection
	callBurst   = 200
)

var (
	errRedirected = errors.New("the provider answers with a redirect, which is not followed")
	errTooLarge   = fmt.Errorf("the provider's answer is longer than %d MiB", maxDocument>>20)
)

// limited gives a copy of a configuration whose calls end in time, read no more than they may, follow nobody, and come
// at a bounded rate.
func limited(config *rest.Config) *rest.Config {
	out := rest.CopyConfig(config)
	out.ContentType, out.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON // what every provider speaks
	out.UserAgent, out.RateLimiter = "plait", flowcontrol.NewTokenBucketRateLimiter(callRate, callBurst)
	out.Wrap(func(next http.RoundTripper) http.RoundTripper { return bounds{next} })
	return out
}

// bounds is a round tripper that trusts nobody's answers.
type bounds struct{ next http.RoundTripper }

// RoundTrip is part of http.RoundTripper. What is no watch has to be read within the time, too; a watch has to begin in it.
func (b bounds) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	timer := time.AfterFunc(timeOf(req), cancel)
	end := func() { timer.Stop(); cancel() }
	resp, err := refuseRedirect(b.next.RoundTrip(req.WithContext(ctx)))
	if err != nil {
		end()
		return nil, err
	}
	resp.Header.Del("Retry-After") // the queues do the waiting
	left := int64(maxDocument)
	if isWatch(req) {
		timer.Stop()
		left = math.MaxInt64
	}
	resp.Body = &body{ReadCloser: resp.Body, left: left, end: end}
	return resp, nil
}

// WrappedRoundTripper gives the round tripper below, for those who look for its connections.
func (b bounds) WrappedRoundTripper() http.RoundTripper { return b.next }

func refuseRedirect(resp *http.Response, err error) (*http.Response, error) {
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.StatusCode != http.StatusNotModified {
		return nil, errors.Join(errRedirected, resp.Body.Close())
	}
	return resp, nil
}

func isWatch(req *http.Request) bool { return req.URL.Query().Get("watch") != "" }

// timeOf gives lists, and documents of discovery and OpenAPI, longer than single objects.
func timeOf(req *http.Request) time.Duration {
	if req.Method != http.MethodGet {
		return callTime
	}
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	skip := 2 // api/v1
	if parts[0] == "apis" {
		skip = 3
	}
	if len(parts) > skip+2 && parts[skip] == "namespaces" {
		skip += 2
	}
	if isDocument := len(parts) == 1 || parts[0] != "api" && parts[0] != "apis"; isDocument || len(parts) == skip+1 {
		return listTime
	}
	return callTime
}

// body ends the call when it is closed, and fails when it is too long.
type body struct {
	io.ReadCloser
	left int64
	end  func()
}

// Read is part of io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// Close is part of io.Closer.
func (b *body) Close() error {
	b.end()
	return b.ReadCloser.Close()
}
