package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsfilters "sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// Engine is everything that serves ResourceGroups in one process.
type Engine struct {
	options Options
	config  *rest.Config
	manager manager.Manager
	log     logr.Logger

	telemetry       *telemetry
	traces          traces
	accountsChecked bool // the admission policy is installed
}

// New connects to the cluster, installs Plait's own CRDs where asked, and puts the controllers together.
func New(ctx context.Context, options Options) (*Engine, error) {
	e := &Engine{options: options, log: newLogger(options)}
	log.SetLogger(e.log)
	var err error
	if e.config, err = restConfig(options); err != nil {
		return nil, err
	}
	if err := e.prepareCluster(ctx); err != nil {
		return nil, err
	}
	if e.traces, err = newTraces(ctx, options.TracesEndpoint); err != nil {
		return nil, err
	}
	if err := e.assemble(metrics.Registry); err != nil {
		return nil, err
	}
	return e, nil
}

// assemble makes everything that runs; it asks the cluster nothing.
func (e *Engine) assemble(registry prometheus.Registerer) (err error) {
	if e.telemetry, err = newTelemetry(registry); err != nil {
		return fmt.Errorf("registering metrics: %w", err)
	}
	defer func() {
		if err != nil {
			e.telemetry.registered.withdraw()
		}
	}()
	e.config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return counted{traced{next, e.traces}, e.telemetry.requests}
	})
	if e.manager, err = manager.New(e.config, e.managerOptions()); err != nil {
		return fmt.Errorf("making the manager: %w", err)
	}
	if err := e.addProbes(); err != nil {
		return err
	}
	return e.addControllers()
}

// Run runs the engine until ctx ends, and joins everything that it started.
func (e *Engine) Run(ctx context.Context) error {
	defer e.telemetry.registered.withdraw()
	defer e.traces.end(ctx)
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
	return manager.Options{
		Logger: e.log, Metrics: server, HealthProbeBindAddress: o.HealthAddress, PprofBindAddress: o.PprofAddress,
		LeaderElection: o.LeaderElect, LeaderElectionID: leaseName, LeaderElectionNamespace: o.leaseNamespace(),
		LeaderElectionReleaseOnCancel: true, LeaderElectionConfig: e.leaseConfig(),
		LeaseDuration: &o.LeaseDuration, RenewDeadline: &o.RenewDeadline, RetryPeriod: &o.LeaseRetry,
	}
}

// leaseConfig is for the lease alone: a limit of requests must not keep its leader from renewing it.
func (e *Engine) leaseConfig() *rest.Config {
	out := rest.CopyConfig(e.config)
	out.RateLimiter = nil
	return out
}

func (e *Engine) addProbes() error {
	if err := e.manager.AddHealthzCheck("alive", healthz.Ping); err != nil {
		return fmt.Errorf("adding the health check: %w", err)
	}
	synced := func(request *http.Request) error {
		if !e.manager.GetCache().WaitForCacheSync(request.Context()) {
			return errors.New("caches are not synced")
		}
		return nil
	}
	if err := e.manager.AddReadyzCheck("synced", synced); err != nil {
		return fmt.Errorf("adding the readiness check: %w", err)
	}
	return nil
}
