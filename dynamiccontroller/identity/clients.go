package identity

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/dynamic"
	authorizationv1 "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/plait-run/plait/dynamiccontroller/wire"
)

// Client acts as one identity.
type Client struct {
	Identity Identity
	Dynamic  dynamic.Interface
	Plain    rest.Interface // for requests by path
	reviews  authorizationv1.SelfSubjectAccessReviewInterface
}

// Clients gives a client for each identity. They share connections and limits. Safe for concurrent use.
type Clients struct {
	config  *rest.Config
	shared  http.RoundTripper // carries the engine's own credentials
	metrics *metrics

	mu      sync.Mutex
	clients map[Identity]*Client
}

// NewClients makes the source of clients out of the engine's own configuration. registerer takes the metrics of
// impersonation; nil means none.
func NewClients(config *rest.Config, registerer prometheus.Registerer) (*Clients, error) {
	config = WithoutRetries(config)
	if config.QPS > 0 && config.RateLimiter == nil {
		config.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(config.QPS, max(config.Burst, 1))
	}
	shared, err := rest.TransportFor(config)
	if err != nil {
		return nil, fmt.Errorf("making the engine's transport: %w", err)
	}
	m := newMetrics()
	if registerer != nil {
		if err := registerer.Register(m); err != nil {
			return nil, fmt.Errorf("registering metrics of impersonation: %w", err)
		}
	}
	return &Clients{config: config, shared: shared, metrics: m, clients: map[Identity]*Client{}}, nil
}

// For gives the client of an identity. Beside the engine's credentials its requests carry Impersonate-User and nothing
// more: the server adds the groups of the service account.
func (c *Clients) For(id Identity) (*Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if client, ok := c.clients[id]; ok {
		return client, nil
	}
	client, err := c.make(id)
	if err != nil {
		return nil, fmt.Errorf("making the client of %q: %w", id, err)
	}
	c.clients[id] = client
	return client, nil
}

func (c *Clients) make(id Identity) (*Client, error) {
	httpClient := &http.Client{Transport: c.transport(id), Timeout: c.config.Timeout}
	dynamicClient, plain, err := wire.NewClients(c.config, httpClient)
	if err != nil {
		return nil, err
	}
	reviews, err := authorizationv1.NewForConfigAndClient(c.config, httpClient)
	if err != nil {
		return nil, err
	}
	return &Client{Identity: id, Dynamic: dynamicClient, Plain: plain, reviews: reviews.SelfSubjectAccessReviews()}, nil
}

func (c *Clients) transport(id Identity) http.RoundTripper {
	if id.Self {
		return c.shared
	}
	impersonating := transport.NewImpersonatingRoundTripper(transport.ImpersonationConfig{UserName: id.Username()}, c.shared)
	return &measured{next: impersonating, id: id, metrics: c.metrics}
}

// self is an HTTP client of the engine itself.
func (c *Clients) self() *http.Client {
	return &http.Client{Transport: c.shared, Timeout: c.config.Timeout}
}

// Release forgets the clients and metrics of a namespace's accounts: its last instance is gone.
func (c *Clients) Release(namespace string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.clients {
		if id.Namespace == namespace && !id.Self {
			delete(c.clients, id)
		}
	}
	c.metrics.release(namespace)
}
