package connection

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/lease"
	"github.com/plait-run/plait/connection/remote"
	"github.com/plait-run/plait/connection/schema"
	"github.com/plait-run/plait/dynamiccontroller/remind"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// Deps is what the reconciler needs. All members are required but those with a stated default.
type Deps struct {
	Log        logr.Logger
	Registry   *remote.Registry
	Heartbeats *lease.Keeper
	Local      func(ctx context.Context) (types.UID, error) // of this cluster
	Events     events.EventRecorder                         // nil: none
	Metrics    *Metrics                                     // nil: none
	Config     Config

	cached  client.Reader // Connections, bindings, metadata of Secrets and namespaces, definitions with our label
	live    client.Client
	objects metadata.Interface // of imported kinds
}

// Config are settings of the engine that concern Connections.
type Config struct {
	SecretsNamespace string        // the only one that kubeconfigs are read from
	Resync           time.Duration // how often a provider is asked; 30 s by default
	Workers          int           // Connections worked on at once; 10 by default
	Now              func() time.Time
}

// Defaults of Config.
const (
	defaultResync  = 30 * time.Second
	defaultWorkers = 10
)

func (c Config) withDefaults() Config {
	if c.Resync == 0 {
		c.Resync = defaultResync
	}
	if c.Workers == 0 {
		c.Workers = defaultWorkers
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Reconciler reconciles Connections. Safe for concurrent use; one Connection is reconciled by one caller at a time.
type Reconciler struct {
	deps     Deps
	memories *memories
	uses     *uses
	hints    *hints
	reminder *remind.Queue
}

// pass is what one reconcile knows; the steps fill it from top to bottom.
type pass struct {
	name     string
	began    time.Time
	conn     *v1alpha1.Connection // the steps change its status; nil: there is none any more
	was      v1alpha1.ConnectionStatus
	memory   *memory
	deleting bool

	access   *remote.Access   // nil: the kubeconfig cannot be used
	provider *remote.Provider // nil: not verified
	isDue    bool             // the provider is to be asked in this pass
	bindings []reference      // that refer to this Connection
	exports  []schema.Export  // as last found; only with known
	known    bool             // the exports have been found once since the start
	verdicts map[v1alpha1.ConditionType]verdict
}

// Reconcile brings one Connection closer to what its spec says.
func (r *Reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	p := &pass{name: request.Name, began: r.deps.Config.Now(), verdicts: map[v1alpha1.ConditionType]verdict{}}
	result, err := step.Run(ctx, r.steps(), p)
	return step.Reconciled(result, err, fmt.Sprintf("Connection %q", request.Name))
}

func (r *Reconciler) steps() []step.Step[*pass] {
	return []step.Step[*pass]{
		{Name: "loading", Do: r.load},
		{Name: "claiming", Do: r.claim},
		{Name: "reading credentials", Do: r.readCredentials},
		{Name: "verifying", Do: r.verify},
		{Name: "pinning", Do: r.pin},
		{Name: "draining", Do: r.drain},
		{Name: "releasing", Do: r.release},
		{Name: "discovering", Do: r.discover},
		{Name: "installing", Do: r.install},
		{Name: "retiring", Do: r.retire},
		{Name: "binding", Do: r.bind},
		{Name: "keeping the heartbeat", Do: r.keepHeartbeat},
		{Name: "writing status", Do: r.writeStatus, Always: true},
	}
}
