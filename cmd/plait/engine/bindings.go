package engine

import (
	"fmt"

	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/connection/binding"
	"github.com/plait-run/plait/connection/remote"
	"github.com/plait-run/plait/connection/sync"
)

// addBindings has bindings reconciled and their objects synced, over the verified ways to providers.
func (e *Engine) addBindings(ways *remote.Registry) error {
	client, err := dynamic.NewForConfig(e.config)
	if err != nil {
		return fmt.Errorf("making the client of bound objects: %w", err)
	}
	metrics, waker := sync.NewMetrics(), &binding.Waker{}
	if err := e.telemetry.registered.Register(metrics); err != nil {
		return fmt.Errorf("registering metrics of the sync: %w", err)
	}
	recorder := e.manager.GetEventRecorder("plait")
	supervisor := sync.NewSupervisor(sync.Config{
		Consumer: client, Log: e.log.WithName("sync"), Recorder: recorder, Metrics: metrics, Changed: waker.Wake,
	})
	if err := e.manager.Add(supervisor); err != nil {
		return fmt.Errorf("adding the sync: %w", err)
	}
	deps := binding.Deps{Log: e.log.WithName("binding"), Providers: providers{ways}, Syncers: supervisor, Recorder: recorder}
	reconciler, err := binding.SetupWithManager(e.manager, deps, waker)
	if err != nil {
		return fmt.Errorf("setting up the controller of bindings: %w", err)
	}
	if err := e.telemetry.registered.Register(reconciler); err != nil {
		return fmt.Errorf("registering metrics of bindings: %w", err)
	}
	return nil
}

// providers shows the registry to bindings.
type providers struct{ *remote.Registry }

// Remote gives the way of a Connection.
func (p providers) Remote(connection string) (sync.Remote, bool) {
	way, ok := p.Get(connection)
	if !ok {
		return sync.Remote{}, false
	}
	return sync.Remote{
		UID: way.UID, LocalUID: way.LocalUID, Hash: way.Hash, Dynamic: way.Dynamic, Discovery: way.Discovery, Done: way.Done(),
	}, true
}
