package inspect

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Reader reads a cluster. Errors are those of the API server.
type Reader interface {
	// Kinds gives what the cluster serves.
	Kinds(ctx context.Context) (Kinds, error)
	// Get reads one object.
	Get(ctx context.Context, kind Kind, namespace, name string) (*unstructured.Unstructured, error)
	// List reads the objects of a kind, of one namespace unless that is empty, that selectors match.
	List(ctx context.Context, kind Kind, namespace string, options metav1.ListOptions) ([]unstructured.Unstructured, error)
}

// kindsTime is how long what the cluster serves is believed.
const kindsTime = 10 * time.Second

// Cluster is the Reader of a real cluster. Safe for concurrent use.
type Cluster struct {
	Dynamic   dynamic.Interface
	discovery *discovery.DiscoveryClient

	mu    sync.Mutex // never held over I/O
	kinds Kinds
	at    time.Time
}

var _ Reader = (*Cluster)(nil)

// NewCluster makes a Reader that acts as the user of a configuration.
func NewCluster(config *rest.Config) (*Cluster, error) {
	config = rest.CopyConfig(config)
	config.QPS = -1 // API Priority and Fairness guards the server
	config.WarningHandlerWithContext = rest.NoWarnings{}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return newCluster(config, client)
}

func newCluster(config *rest.Config, client *http.Client) (*Cluster, error) {
	objects, err := dynamic.NewForConfigAndClient(config, client)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	kinds, err := discovery.NewDiscoveryClientForConfigAndClient(config, client)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return &Cluster{Dynamic: objects, discovery: kinds}, nil
}

// Kinds asks the API server, and believes the answer for a moment. Groups that do not answer are left out.
func (c *Cluster) Kinds(ctx context.Context) (Kinds, error) {
	c.mu.Lock()
	kinds, at := c.kinds, c.at
	c.mu.Unlock()
	if time.Since(at) < kindsTime {
		return kinds, nil
	}
	groups, lists, err := c.discovery.ServerGroupsAndResourcesWithContext(ctx)
	var partly *discovery.ErrGroupDiscoveryFailed
	if err != nil && !errors.As(err, &partly) {
		return nil, fmt.Errorf("asking the cluster what it serves: %w", err)
	}
	kinds = NewKinds(preferredFirst(groups, lists))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kinds, c.at = kinds, time.Now()
	return kinds, nil
}

// preferredFirst puts the versions that the server prefers before all others.
func preferredFirst(groups []*metav1.APIGroup, lists []*metav1.APIResourceList) []*metav1.APIResourceList {
	preferred := map[string]bool{}
	for _, group := range groups {
		preferred[group.PreferredVersion.GroupVersion] = true
	}
	var first, rest []*metav1.APIResourceList
	for _, list := range lists {
		if preferred[list.GroupVersion] {
			first = append(first, list)
		} else {
			rest = append(rest, list)
		}
	}
	return append(first, rest...)
}

// Get is part of Reader.
func (c *Cluster) Get(ctx context.Context, kind Kind, namespace, name string) (*unstructured.Unstructured, error) {
	return c.At(kind, namespace).Get(ctx, name, metav1.GetOptions{})
}

// List is part of Reader.
func (c *Cluster) List(ctx context.Context, kind Kind, namespace string, options metav1.ListOptions) ([]unstructured.Unstructured, error) {
	list, err := c.At(kind, namespace).List(ctx, options)
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

// At gives the objects of a kind in a namespace; an empty one stands for all.
func (c *Cluster) At(kind Kind, namespace string) dynamic.ResourceInterface {
	if namespace == "" || !kind.Namespaced {
		return c.Dynamic.Resource(kind.Resource)
	}
	return c.Dynamic.Resource(kind.Resource).Namespace(namespace)
}

// maxNames is how many names completion asks for.
const maxNames = 500

// Names gives the names of objects of a kind in a namespace, sorted as the API server does, for completion and suggestions.
func Names(ctx context.Context, reader Reader, kind Kind, namespace string) ([]string, error) {
	if !kind.Namespaced {
		namespace = ""
	}
	objects, err := reader.List(ctx, kind, namespace, metav1.ListOptions{Limit: maxNames})
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", kind.Resource.Resource, err)
	}
	var out []string
	for i := range objects {
		out = append(out, objects[i].GetName())
	}
	return out, nil
}
