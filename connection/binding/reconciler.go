package binding

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/arbitration"
	"github.com/plait-run/plait/connection/sync"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// Providers knows the verified ways to providers.
type Providers interface {
	// Remote gives the way of a Connection; ok is false while there is none.
	Remote(connection string) (remote sync.Remote, ok bool)
	// OnChange has f called with the name of a Connection whose way came, went or was replaced.
	OnChange(f func(connection string))
}

// Syncers does the work on objects.
type Syncers interface {
	// Set makes these the tasks of a binding, over one way, and ends all others that it had.
	Set(binding sync.Binding, tasks []sync.Task, remote sync.Remote)
	// Report tells how a task stands; ok is false while it does not run.
	Report(key sync.Key) (report sync.Report, ok bool)
}

// Deps is what the reconciler needs.
type Deps struct {
	Log       logr.Logger
	Providers Providers
	Syncers   Syncers
	Recorder  events.EventRecorder // nil: no events
	Now       func() time.Time     // nil: time.Now
	Workers   int                  // bindings worked on at once; zero: 4

	cached client.Reader // bindings, Connections, namespaces, installed definitions
	live   client.Client
}

func (d Deps) withDefaults() Deps {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Workers == 0 {
		d.Workers = 4
	}
	return d
}

// Reconciler reconciles bindings. Safe for concurrent use; one binding is reconciled by one caller at a time.
type Reconciler struct {
	deps    Deps
	known   *known
	started atomic.Bool // a pass has begun, so that the cache is there
}

// pass is what one reconcile knows; the steps fill it from top to bottom.
type pass struct {
	name       types.NamespacedName
	key        sync.Binding
	binding    *subject             // shared, never changed; nil: there is none
	connection *v1alpha1.Connection // nil: there is none
	remote     sync.Remote
	others     []arbitration.Claim // of all bindings that may have what they want, this one too
	isAllowed  bool
	apis       []api    // sorted by name
	related    []api    // what travels with their objects
	parted     []string // of what travelled: nothing is left of it
}

// api is one API of the binding, or one that it lets go, or what travels with them.
type api struct {
	name       string
	definition *definition
	judgement  judgement
	task       sync.Task // when it runs
	report     sync.Report
	reported   bool
}

// Reconcile brings one binding closer to what its spec says.
func (r *Reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	r.started.Store(true)
	p := &pass{name: request.NamespacedName, key: sync.Binding{Namespace: request.Namespace, Name: request.Name}}
	result, err := step.Run(ctx, r.steps(), p)
	return step.Reconciled(result, err, fmt.Sprintf("the binding %q", request.String()))
}

func (r *Reconciler) steps() []step.Step[*pass] {
	return []step.Step[*pass]{
		{Name: "loading", Do: r.load},
		{Name: "claiming", Do: r.claim},
		{Name: "looking around", Do: r.look},
		{Name: "judging", Do: r.judge},
		{Name: "syncing", Do: r.sync},
		{Name: "writing status", Do: r.writeStatus},
		{Name: "releasing", Do: r.release},
	}
}
