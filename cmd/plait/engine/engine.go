package engine

import (
	"context"
	"fmt"
	"net/http"

	"github.com/go-logr/logr"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsfilters "sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

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
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/graph/source"
	"github.com/plait-run/plait/runtime"
)

// Engine is everything that serves ResourceGroups in one process.
type Engine struct {
	options Options
	config  *rest.Config
	manager manager.Manager
	log     logr.Logger
}

// New connects to the cluster, installs Plait's own CRDs where asked, and puts the controllers together.
func New(ctx context.Context, options Options) (*Engine, error) {
	e := &Engine{options: options, log: newLogger(options)}
	log.SetLogger(e.log)
	var err error
	if e.config, err = restConfig(options); err != nil {
		return nil, err
	}
	if options.InstallCRDs {
		if err := installCRDs(ctx, e.config); err != nil {
			return nil, err
		}
	} else if err := checkCRDs(ctx, e.config); err != nil {
		return nil, err
	}
	if e.manager, err = manager.New(e.config, e.managerOptions()); err != nil {
		return nil, fmt.Errorf("making the manager: %w", err)
	}
	if err := e.addProbes(); err != nil {
		return nil, err
	}
	return e, e.addControllers()
}

// Run runs the engine until ctx ends, and joins everything that it started.
func (e *Engine) Run(ctx context.Context) error {
	if err := e.manager.Start(ctx); err != nil {
		return fmt.Errorf("running the engine: %w", err)
	}
	return nil
}

func (e *Engine) managerOptions() manager.Options {
	o := e.options
	server := metricsserver.Options{BindAddress: o.MetricsAddress}
	if o.SecureMetrics {
		server.SecureServing, server.FilterProvider = true, metricsfilters.WithAuthenticationAndAuthorization
	}
	namespace := o.LeaderNamespace
	if namespace == "" {
		namespace = o.Namespace
	}
	return manager.Options{
		Logger: e.log, Metrics: server, HealthProbeBindAddress: o.HealthAddress,
		LeaderElection: o.LeaderElect, LeaderElectionID: "plait-engine", LeaderElectionNamespace: namespace,
		LeaderElectionReleaseOnCancel: true,
	}
}

func (e *Engine) addProbes() error {
	if err := e.manager.AddHealthzCheck("alive", healthz.Ping); err != nil {
		return fmt.Errorf("adding the health check: %w", err)
	}
	synced := func(request *http.Request) error {
		if !e.manager.GetCache().WaitForCacheSync(request.Context()) {
			return fmt.Errorf("caches are not synced")
		}
		return nil
	}
	if err := e.manager.AddReadyzCheck("synced", synced); err != nil {
		return fmt.Errorf("adding the readiness check: %w", err)
	}
	return nil
}

// addControllers makes the parts and gives each what it needs of the others.
func (e *Engine) addControllers() error {
	known, err := discovery.New(discovery.Config{REST: e.config, Log: e.log.WithName("discovery")})
	if err != nil {
		return fmt.Errorf("making discovery: %w", err)
	}
	prompt := identity.WithoutRetries(e.config)
	transport, err := rest.HTTPClientFor(prompt)
	if err != nil {
		return fmt.Errorf("making the engine's transport: %w", err)
	}
	kinds, err := dynamiccontroller.New(dynamiccontroller.Config{
		REST: prompt, HTTPClient: transport, Log: e.log.WithName("instances"),
		Slots: e.options.InstanceWorkers, Resync: e.options.Resync, IsNamespaced: known.IsNamespaced, Metrics: metrics.Registry,
	})
	if err != nil {
		return fmt.Errorf("making the dynamic controller: %w", err)
	}
	own, err := dynamic.NewForConfigAndClient(prompt, transport)
	if err != nil {
		return fmt.Errorf("making the engine's client: %w", err)
	}
	clients, err := e.clientSet(own, known, kinds)
	if err != nil {
		return err
	}
	known.OnChange(kinds.KindChanged)
	_, err = resourcegroup.SetupWithManager(e.manager, resourcegroup.Deps{
		Log: e.log.WithName("resourcegroup"), Hub: graph.NewHub(), Engine: kinds, Clients: clients,
		Compile: func(ctx context.Context, group *source.Group) (*graph.Graph, diag.List, error) {
			return compile.Compile(ctx, group, known)
		},
		Compare: compareDefinitions,
		Config: resourcegroup.Config{
			AllowCRDDeletion: e.options.AllowCRDDeletion, RevisionsKept: e.options.Revisions, GroupWorkers: e.options.GroupWorkers,
			Reconcile:       instance.ReconcileConfig{DeletionGraceTimeDuration: e.options.DeletionGrace},
			InstanceOptions: e.instanceOptions(),
		},
	}, known.OnChange)
	if err != nil {
		return fmt.Errorf("setting up the controller of groups: %w", err)
	}
	for _, part := range []manager.Runnable{known, kinds} {
		if err := e.manager.Add(part); err != nil {
			return fmt.Errorf("adding a part of the engine: %w", err)
		}
	}
	return nil
}

// clientSet is what instance controllers write and read with.
func (e *Engine) clientSet(own dynamic.Interface, known *discovery.Discovery, kinds *dynamiccontroller.Controller) (instance.ClientSet, error) {
	acting, err := identity.NewClients(e.config, metrics.Registry)
	if err != nil {
		return instance.ClientSet{}, fmt.Errorf("making the tenants' clients: %w", err)
	}
	rights, err := identity.NewRights(acting)
	if err != nil {
		return instance.ClientSet{}, fmt.Errorf("making the access reviews: %w", err)
	}
	return instance.ClientSet{
		Engine: apply.NewAPI(own),
		Acting: func(id identity.Identity) (apply.API, error) {
			client, err := acting.For(id)
			if err != nil {
				return nil, err
			}
			return apply.NewAPI(client.Dynamic), nil
		},
		Rights: rights, Instances: kinds, Cache: kinds.Watcher(), Wishes: kinds.Watcher(), Kinds: known,
		Recorder: e.manager.GetEventRecorder("plait"),
	}, nil
}

func (e *Engine) instanceOptions() []instance.Option {
	return []instance.Option{
		instance.WithIdentitySettings(identity.Settings{
			DefaultServiceAccount: e.options.DefaultServiceAccount, AllowActingAsSelf: e.options.ActAsSelf, EngineNamespace: e.options.Namespace,
		}),
		instance.WithLimits(runtime.Limits{
			Expression: expr.Limits{Cost: e.options.ExpressionCost}, CollectionItems: e.options.CollectionItems,
		}),
		instance.WithParallelApplies(e.options.ApplyWorkers),
	}
}

func compareDefinitions(served, wanted *apiextensionsv1.CustomResourceDefinition) resourcegroup.Comparison {
	report := crd.Compare(served, wanted)
	out := resourcegroup.Comparison{Equal: report.Equal}
	for _, change := range report.Breaking {
		out.Breaking = append(out.Breaking, change.String())
	}
	return out
}
