package instance_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/discovery"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/instance"
	"github.com/plait-run/plait/dynamiccontroller/resourcegroup"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/compile"
	"github.com/plait-run/plait/graph/crd"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// agent is the user agent by which the audit log tells the engine's requests from the test's.
const agent = "plait-under-test"

// startEngine runs the engine until the end of the test, or until stop.
func startEngine(t *testing.T, settings identity.Settings) (stop func()) {
	t.Helper()
	rc := rest.CopyConfig(shared.RESTConfig())
	rc.UserAgent, rc.QPS = agent, -1
	ctx, cancel := context.WithCancel(context.Background())
	run, err := newEngine(rc, settings)
	if err != nil {
		cancel()
		t.Fatalf("making the engine: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("the engine ended with %v", err)
			}
		case <-time.After(patience):
			t.Error("the engine does not stop")
		}
	})
	t.Cleanup(stop)
	return stop
}

// newEngine wires what cmd/plait wires.
func newEngine(rc *rest.Config, settings identity.Settings) (run func(context.Context) error, err error) {
	mgr, err := ctrl.NewManager(rc, ctrl.Options{
		Metrics: server.Options{BindAddress: "0"}, Logger: logr.Discard(),
	})
	if err != nil {
		return nil, err
	}
	engine, err := dynamiccontroller.New(dynamiccontroller.Config{REST: rc, Log: logr.Discard()})
	if err != nil {
		return nil, err
	}
	known, err := discovery.New(discovery.Config{REST: rc, Log: logr.Discard()})
	if err != nil {
		return nil, err
	}
	clients, err := identity.NewClients(rc, nil)
	if err != nil {
		return nil, err
	}
	set, err := clientSet(clients, engine, known)
	if err != nil {
		return nil, err
	}
	known.OnChange(engine.KindChanged)
	_, err = resourcegroup.SetupWithManager(mgr, resourcegroup.Deps{
		Log: logr.Discard(), Hub: graph.NewHub(), Engine: engine, Clients: set, Compare: compare,
		Compile: func(ctx context.Context, group *source.Group) (*graph.Graph, diag.List, error) {
			return compile.Compile(ctx, group, known)
		},
		Config: resourcegroup.Config{
			AllowCRDDeletion: true, InstanceOptions: []instance.Option{instance.WithIdentitySettings(settings)},
		},
	}, known.OnChange)
	if err != nil {
		return nil, err
	}
	for _, part := range []runnable{engine, known} {
		if err := mgr.Add(part); err != nil {
			return nil, err
		}
	}
	return mgr.Start, nil
}

type runnable interface {
	Start(ctx context.Context) error
}

func clientSet(clients *identity.Clients, engine *dynamiccontroller.Controller, known *discovery.Discovery) (instance.ClientSet, error) {
	self, err := clients.For(identity.Identity{Self: true})
	if err != nil {
		return instance.ClientSet{}, err
	}
	rights, err := identity.NewRights(clients)
	if err != nil {
		return instance.ClientSet{}, err
	}
	acting := func(id identity.Identity) (apply.API, error) {
		client, err := clients.For(id)
		if err != nil {
			return nil, err
		}
		return apply.NewAPI(client.Dynamic, client.Plain), nil
	}
	return instance.ClientSet{
		Engine: apply.NewAPI(self.Dynamic, self.Plain), Acting: acting, Rights: rights, Instances: engine,
		Cache: engine.Watcher(), Wishes: engine.Watcher(), Kinds: known,
	}, nil
}

func compare(served, wanted *apiextensions.CustomResourceDefinition) resourcegroup.Comparison {
	report := crd.Compare(served, wanted)
	out := resourcegroup.Comparison{Equal: report.Equal}
	for _, change := range report.Breaking {
		out.Breaking = append(out.Breaking, change.String())
	}
	return out
}
