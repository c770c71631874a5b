package engine

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

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

// addControllers makes the parts, gives each what it needs of the others, and has the manager run them.
func (e *Engine) addControllers() error {
	known, err := discovery.New(discovery.Config{REST: e.config, Log: e.log.WithName("discovery")})
	if err != nil {
		return fmt.Errorf("making discovery: %w", err)
	}
	acting, err := identity.NewClients(e.config, e.telemetry.registered)
	if err != nil {
		return fmt.Errorf("making the tenants' clients: %w", err)
	}
	kinds, err := e.newKinds(known, acting)
	if err != nil {
		return err
	}
	known.OnChange(kinds.KindChanged)
	hub := graph.NewHub()
	var exports resourcegroup.Exports
	if e.options.runs(partConnections) {
		if exports, err = e.addConnections(known, hub); err != nil {
			return err
		}
	}
	if e.options.runs(partInstances) {
		deps, err := e.groupDeps(acting, known, kinds)
		if err != nil {
			return err
		}
		deps.Hub, deps.Exports = hub, exports
		if err := e.addGroups(deps, known); err != nil {
			return err
		}
	}
	if e.options.runs(partMounts) {
		if err := e.addMounts(acting, known, kinds, hub); err != nil {
			return err
		}
	}
	for _, part := range []manager.Runnable{known, kinds} {
		if err := e.manager.Add(part); err != nil {
			return fmt.Errorf("adding a part of the engine: %w", err)
		}
	}
	return nil
}

// addGroups adds the controller of ResourceGroups.
func (e *Engine) addGroups(deps resourcegroup.Deps, known *discovery.Discovery) error {
	groups, err := resourcegroup.SetupWithManager(e.manager, deps, known.OnChange)
	if err != nil {
		return fmt.Errorf("setting up the controller of groups: %w", err)
	}
	if err := e.telemetry.registered.Register(groups); err != nil {
		return fmt.Errorf("registering metrics of groups: %w", err)
	}
	return nil
}

// newKinds makes what serves the kinds of groups. Clients of a namespace whose last instance is gone are released.
func (e *Engine) newKinds(known *discovery.Discovery, acting *identity.Clients) (kinds *dynamiccontroller.Controller, err error) {
	prompt := identity.WithoutRetries(e.config)
	transport, err := rest.HTTPClientFor(prompt)
	if err != nil {
		return nil, fmt.Errorf("making the engine's transport: %w", err)
	}
	isUsed := func(namespace string) bool { return kinds.HasInstances("") || kinds.HasInstances(namespace) }
	kinds, err = dynamiccontroller.New(dynamiccontroller.Config{
		REST: prompt, HTTPClient: transport, Log: e.log.WithName("instances"), Slots: e.options.InstanceWorkers,
		Resync: e.options.Resync, FirstRetry: e.options.RetryDelay, LastRetry: e.options.RetryMaxDelay, WatchNamespaces: e.options.WatchNamespaces, IsNamespaced: known.IsNamespaced,
		Metrics: e.telemetry.registered, Ended: e.forgetKind, Emptied: func() { acting.ReleaseUnused(isUsed) },
	})
	if err != nil {
		return nil, fmt.Errorf("making the dynamic controller: %w", err)
	}
	return kinds, nil
}

// forgetKind drops the series of a kind that is not served any more.
func (e *Engine) forgetKind(resource string) {
	e.telemetry.instances.Forget(resource)
	if err := forgetController(metrics.Registry, resource); err != nil {
		e.log.Error(err, "Series of a kind that is not served any more stay", "kind", resource)
	}
}

// groupDeps is what the controller of groups works with.
func (e *Engine) groupDeps(acting *identity.Clients, known *discovery.Discovery, kinds *dynamiccontroller.Controller) (resourcegroup.Deps, error) {
	clients, err := e.clientSet(acting, known, kinds)
	if err != nil {
		return resourcegroup.Deps{}, err
	}
	rights, err := newOwnRights(identity.WithoutRetries(e.config), e.options.WatchNamespaces)
	if err != nil {
		return resourcegroup.Deps{}, err
	}
	return resourcegroup.Deps{
		Log: e.log.WithName("resourcegroup"), Engine: kinds, Clients: clients, Rights: rights,
		Compile: e.telemetry.compile(func(ctx context.Context, group *source.Group) (*graph.Graph, diag.List, error) {
			ctx, span := e.traces.Start(ctx, "compile", trace.WithAttributes(attribute.String("plait.group", group.Name)))
			defer span.End()
			return compile.Compile(ctx, group, known)
		}),
		Compare: compareDefinitions,
		Config: resourcegroup.Config{
			AllowCRDDeletion: e.options.AllowCRDDeletion, RevisionsKept: e.options.Revisions, GroupWorkers: e.options.GroupWorkers,
			AccountsChecked: e.accountsChecked, AccountsRequired: e.options.requiresAccounts(),
			Reconcile: instance.ReconcileConfig{
				DefaultRequeueDuration: e.options.FailedRetryDelay, DeletionGraceTimeDuration: e.options.DeletionGrace,
			},
			InstanceOptions: e.instanceOptions(),
		},
	}, nil
}

// clientSet is what instance controllers write and read with.
func (e *Engine) clientSet(acting *identity.Clients, known *discovery.Discovery, kinds *dynamiccontroller.Controller) (instance.ClientSet, error) {
	rights, err := identity.NewRights(acting)
	if err != nil {
		return instance.ClientSet{}, fmt.Errorf("making the access reviews: %w", err)
	}
	self, err := acting.For(identity.Identity{Self: true})
	if err != nil {
		return instance.ClientSet{}, err
	}
	return instance.ClientSet{
		Engine: apply.NewAPI(self.Dynamic, self.Plain),
		Acting: func(id identity.Identity) (apply.API, error) {
			client, err := acting.For(id)
			if err != nil {
				return nil, err
			}
			return apply.NewAPI(client.Dynamic, client.Plain), nil
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
			ObjectBytes: e.options.ObjectBytes, Children: e.options.Children,
		}),
		instance.WithParallelApplies(e.options.ApplyWorkers),
		instance.WithMetrics(e.telemetry.instances),
		instance.WithTracer(e.traces),
		instance.WithEvaluate(e.telemetry.instances.Evaluate(runtime.Evaluate)),
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
