package remote

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Provider is one verified way to one provider cluster with one set of credentials. It never changes; other credentials
// make another one. Safe for concurrent use.
type Provider struct {
	Connection string    // name
	UID        types.UID // of the provider cluster, as pinned
	LocalUID   types.UID // of this cluster, as pinned
	Source     v1alpha1.IdentitySource
	Hash       string // of the credentials; tells two Providers of one Connection apart
	Host       string // of the API server, with the port if it was given
	Namespace  string // of the kubeconfig's context; empty: none

	Config    *rest.Config // with the limits of this package; not to be changed
	HTTP      *http.Client // that the clients share; it has no limit of its rate
	Dynamic   dynamic.Interface
	Metadata  metadata.Interface
	Discovery *discovery.DiscoveryClient

	close func()
	done  chan struct{}
}

// Done is closed when the Provider may not be used any more: other credentials have replaced it, another cluster
// answers, its cluster cannot be told, or the Connection is gone. What runs on it has to end then.
func (p *Provider) Done() <-chan struct{} { return p.done }

// Pin is the cluster that a Connection is for.
type Pin struct {
	Connection string
	UID        types.UID // of the provider; empty: not pinned yet, any cluster will do
	Source     v1alpha1.IdentitySource
	LocalUID   types.UID // of this cluster
	Accept     types.UID // a cluster that may take the place of UID; empty: none
}

// Connect makes clients for an access and proves that the pinned cluster answers. The error is a *DeniedError, an
// *IdentityError, an *UnreachableError, or a passing error of the API server.
func Connect(ctx context.Context, access *Access, pin Pin) (*Provider, error) {
	p := &Provider{
		Connection: pin.Connection, LocalUID: pin.LocalUID, Hash: access.Hash, Host: access.Host, Namespace: access.Namespace,
		Config: limited(access.config), done: make(chan struct{}),
	}
	client, err := rest.HTTPClientFor(p.Config)
	if err != nil {
		return nil, fmt.Errorf("making the transport to %q: %w", access.Host, err)
	}
	p.HTTP = client
	p.close = sync.OnceFunc(func() {
		close(p.done)
		client.CloseIdleConnections()
	})
	if p.Dynamic, err = dynamic.NewForConfigAndClient(p.Config, client); err != nil {
		return nil, fmt.Errorf("making the client for %q: %w", access.Host, err)
	}
	if p.Metadata, err = metadata.NewForConfigAndClient(p.Config, client); err != nil {
		return nil, fmt.Errorf("making the client for metadata of %q: %w", access.Host, err)
	}
	if p.Discovery, err = discovery.NewDiscoveryClientForConfigAndClient(p.Config, client); err != nil {
		return nil, fmt.Errorf("making the client for discovery of %q: %w", access.Host, err)
	}
	found, err := ReadIdentity(ctx, p.Discovery.RESTClient(), pin.Source)
	if err == nil {
		err = pin.check(found)
	}
	if err != nil {
		client.CloseIdleConnections()
		return nil, err
	}
	p.UID, p.Source = found.UID, found.Source
	return p, nil
}

// Verify proves once more that the pinned cluster answers. Errors are those of Connect.
func (p *Provider) Verify(ctx context.Context, accept types.UID) error {
	found, err := ReadIdentity(ctx, p.Discovery.RESTClient(), p.Source)
	if err != nil {
		return err
	}
	return Pin{Connection: p.Connection, UID: p.UID, Source: p.Source, Accept: accept}.check(found)
}
