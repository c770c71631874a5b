package discovery

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/sync/singleflight"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/dynamiccontroller/watch"
)

// Config is what a Discovery needs.
type Config struct {
	REST *rest.Config
	Log  logr.Logger
}

// askTime bounds one question to the API server.
const askTime = 15 * time.Second

// Discovery knows what a cluster serves. Safe for concurrent use.
type Discovery struct {
	cfg       Config
	discovery *discovery.DiscoveryClient
	client    dynamic.Interface
	crds      *watch.Cache // metadata of the definitions
	asking    singleflight.Group
	changed   *names // of definitions, for the loop of Start

	mu          sync.Mutex // never held over I/O
	snapshot    *snapshot
	ctx         context.Context // of Start
	stale       int             // grows with every change of a definition
	settled     time.Time       // when discovery is sure to show the last change of a definition
	gone        map[string]bool // names of definitions that went, until discovery is sure to show it
	definitions map[string]*definition
	documents   map[schema.GroupVersion]*document
	paths       *paths
	listeners   []func(schema.GroupKind)
}

// New makes a Discovery that answers as soon as Start runs.
func New(cfg Config) (*Discovery, error) {
	if cfg.REST == nil {
		return nil, errors.New("discovery needs the address of an API server")
	}
	config := identity.WithoutRetries(cfg.REST)
	d := &Discovery{
		cfg:         cfg,
		changed:     newNames(),
		ctx:         context.Background(),
		gone:        map[string]bool{},
		definitions: map[string]*definition{},
		documents:   map[schema.GroupVersion]*document{},
	}
	var err error
	if d.discovery, err = discovery.NewDiscoveryClientForConfig(config); err != nil {
		return nil, fmt.Errorf("making the discovery client: %w", err)
	}
	if d.client, err = dynamic.NewForConfig(config); err != nil {
		return nil, fmt.Errorf("making the client for definitions: %w", err)
	}
	metadata := rest.CopyConfig(config)
	metadata.Wrap(func(next http.RoundTripper) http.RoundTripper { return metadataOnly{next} })
	client, err := dynamic.NewForConfig(metadata)
	if err != nil {
		return nil, fmt.Errorf("making the client for metadata of definitions: %w", err)
	}
	d.crds = watch.NewCache(watch.CacheConfig{
		Client:  client,
		Log:     cfg.Log,
		Scope:   track.Scope{Resource: definitionsResource},
		Changed: d.definitionChanged,
	})
	return d, nil
}

// OnChange has f called with every kind that appeared, changed or went since. A Kind that is empty stands for any of
// its group. Calls come one at a time; f must return soon.
func (d *Discovery) OnChange(f func(schema.GroupKind)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.listeners = append(d.listeners, f)
}

// Start watches definitions and tells of changes until ctx ends, and joins what it started.
func (d *Discovery) Start(ctx context.Context) error {
	d.mu.Lock()
	d.ctx = ctx
	d.mu.Unlock()
	var watching sync.WaitGroup
	defer watching.Wait()
	watching.Go(func() { d.crds.Run(ctx) })
	sweep := time.NewTicker(documentTime)
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-sweep.C:
			d.dropDocuments(time.Now())
		case <-d.changed.ready:
			d.tellChanges(ctx)
		}
	}
}

// limited gives the context of one question.
func (d *Discovery) limited() (context.Context, context.CancelFunc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return context.WithTimeout(d.ctx, askTime)
}

// metadataOnly asks for the metadata of objects instead of the objects.
type metadataOnly struct{ next http.RoundTripper }

const acceptMetadata = "application/json;as=%s;g=meta.k8s.io;v=v1"

// RoundTrip is part of http.RoundTripper.
func (m metadataOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	as := "PartialObjectMetadataList"
	if req.URL.Query().Get("watch") == "true" {
		as = "PartialObjectMetadata"
	}
	req = req.Clone(req.Context())
	req.Header.Set("Accept", fmt.Sprintf(acceptMetadata, as))
	return m.next.RoundTrip(req)
}

// WrappedRoundTripper gives the round tripper below.
func (m metadataOnly) WrappedRoundTripper() http.RoundTripper { return m.next }
