package identity

import (
	"net/http"

	"k8s.io/client-go/rest"
)

// WithoutRetries gives a copy of a configuration whose clients have no rate limit of their own and never wait and
// repeat a request by themselves: the queues of the engine do the waiting.
func WithoutRetries(config *rest.Config) *rest.Config {
	out := rest.CopyConfig(config)
	if out.QPS == 0 {
		out.QPS = -1
	}
	out.Wrap(func(next http.RoundTripper) http.RoundTripper { return prompt{next} })
	return out
}

// prompt takes away the header that makes client-go wait inside a call.
type prompt struct{ next http.RoundTripper }

// RoundTrip is part of http.RoundTripper.
func (p prompt) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := p.next.RoundTrip(req)
	if resp != nil {
		resp.Header.Del("Retry-After")
	}
	return resp, err
}

// WrappedRoundTripper gives the round tripper below, for those who look for its connections.
func (p prompt) WrappedRoundTripper() http.RoundTripper { return p.next }
