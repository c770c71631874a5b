package engine

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	clientdiscovery "k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/plait-run/plait/connection"
	"github.com/plait-run/plait/connection/lease"
	"github.com/plait-run/plait/connection/remote"
	"github.com/plait-run/plait/dynamiccontroller/discovery"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/graph"
)

// addConnections adds the controller of Connections, which hears of every graph, and that of bindings.
func (e *Engine) addConnections(known *discovery.Discovery, hub *graph.Hub) (*connection.Reconciler, error) {
	local, err := localIdentity(e.config)
	if err != nil {
		return nil, err
	}
	registry, metrics := remote.NewRegistry(), connection.NewMetrics()
	if err := e.telemetry.registered.Register(metrics); err != nil {
		return nil, fmt.Errorf("registering metrics of Connections: %w", err)
	}
	log := e.log.WithName("connection")
	connections, err := connection.SetupWithManager(e.manager, connection.Deps{
		Log: log, Registry: registry, Local: local, Events: e.manager.GetEventRecorder("plait-connections"), Metrics: metrics,
		Heartbeats: lease.NewKeeper(lease.Config{Providers: registry, Log: log, Renewed: metrics.Renewed}),
		Config:     connection.Config{SecretsNamespace: e.options.SecretsNamespace, Resync: e.options.ConnectionResync},
	}, hub)
	if err != nil {
		return nil, fmt.Errorf("setting up the controller of Connections: %w", err)
	}
	known.OnChange(connections.KindChanged)
	closing := manager.RunnableFunc(func(ctx context.Context) error {
		<-ctx.Done()
		registry.Close()
		return nil
	})
	if err := e.manager.Add(closing); err != nil {
		return nil, fmt.Errorf("adding the registry of providers: %w", err)
	}
	return connections, e.addBindings(registry)
}

// localIdentity gives a function that tells which cluster this is; it asks until it has been told once.
func localIdentity(config *rest.Config) (func(context.Context) (types.UID, error), error) {
	client, err := clientdiscovery.NewDiscoveryClientForConfig(identity.WithoutRetries(config))
	if err != nil {
		return nil, fmt.Errorf("making the client for the identity of this cluster: %w", err)
	}
	var mu sync.Mutex
	var known types.UID
	return func(ctx context.Context) (types.UID, error) {
		mu.Lock()
		have := known
		mu.Unlock()
		if have != "" {
			return have, nil
		}
		found, err := remote.ReadIdentity(ctx, client.RESTClient(), "")
		if err != nil {
			return "", err
		}
		mu.Lock()
		defer mu.Unlock()
		known = found.UID
		return known, nil
	}, nil
}
