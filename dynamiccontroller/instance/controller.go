package instance

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// ReconcileConfig says how patient a controller is. Zero values mean the defaults.
type ReconcileConfig struct {
	DefaultRequeueDuration    time.Duration // between attempts of a write that failed for good reason; 10 min
	DeletionGraceTimeDuration time.Duration // until a deletion that does not end is called stalled; 10 min
	DeletionPolicy            string        // Delete, or Orphan: every child is left behind; Delete
}

func (c ReconcileConfig) withDefaults() ReconcileConfig {
	if c.DefaultRequeueDuration == 0 {
		c.DefaultRequeueDuration = 10 * time.Minute
	}
	if c.DeletionGraceTimeDuration == 0 {
		c.DeletionGraceTimeDuration = 10 * time.Minute
	}
	return c
}

// Labeler gives further labels for the children of an instance; it never replaces those of the engine. Nil: none.
type Labeler func(owner apply.Owner) map[string]string

// Serving is what instances run on at a time.
type Serving struct {
	Graph     *graph.Graph
	Revision  int64 // 0: not numbered
	Suspended bool  // nothing is written for any instance
}

// RevisionFunc gives the graph of another revision, or says why it cannot run on the served schema.
type RevisionFunc func(ctx context.Context, revision int64) (*graph.Graph, error)

// EvaluateFunc is runtime.Evaluate.
type EvaluateFunc func(ctx context.Context, in runtime.Input) (plan.Plan, *runtime.Memo)

// Controller reconciles the instances of one kind. Safe for concurrent use; one instance is reconciled by one caller
// at a time.
type Controller struct {
	log      logr.Logger
	config   ReconcileConfig
	gvr      schema.GroupVersionResource
	serving  atomic.Pointer[Serving]
	clients  ClientSet
	accounts map[string]string // nil: the graph's
	labeler  Labeler

	settings  identity.Settings
	revisions RevisionFunc
	evaluate  EvaluateFunc
	limits    runtime.Limits
	parallel  int
	now       func() time.Time
	finished  func(types.NamespacedName)
	applier   *apply.Applier
	metrics   *Metrics // nil: none
	tracer    trace.Tracer
	memories  memories
}

// Option changes a default of a Controller.
type Option func(*Controller)

// WithIdentitySettings says what the engine was started with; by default it acts for nobody that a map does not name.
func WithIdentitySettings(s identity.Settings) Option { return func(c *Controller) { c.settings = s } }

// WithRevisions lets instances stay on other revisions.
func WithRevisions(f RevisionFunc) Option { return func(c *Controller) { c.revisions = f } }

// WithEvaluate replaces runtime.Evaluate.
func WithEvaluate(f EvaluateFunc) Option { return func(c *Controller) { c.evaluate = f } }

// WithLimits bounds evaluations.
func WithLimits(l runtime.Limits) Option { return func(c *Controller) { c.limits = l } }

// WithParallelApplies says how many children of one instance are written at once; 10 by default.
func WithParallelApplies(n int) Option { return func(c *Controller) { c.parallel = n } }

// WithMetrics has the work counted.
func WithMetrics(m *Metrics) Option { return func(c *Controller) { c.metrics = m } }

// WithTracer makes spans of passes and of the writes of nodes.
func WithTracer(t trace.Tracer) Option { return func(c *Controller) { c.tracer = t } }

// WithClock replaces time.Now.
func WithClock(now func() time.Time) Option { return func(c *Controller) { c.now = now } }

// WithFinished has f called when an instance has changed its state or is gone; it must return soon.
func WithFinished(f func(types.NamespacedName)) Option { return func(c *Controller) { c.finished = f } }

// NewController gives the controller of a served kind. The graph is that of the served revision; Serve replaces it.
// Accounts are the group's default service accounts; nil leaves them to the graph.
func NewController(log logr.Logger, config ReconcileConfig, gvr schema.GroupVersionResource, g *graph.Graph,
	clients ClientSet, accounts map[string]string, labeler Labeler, options ...Option,
) *Controller {
	c := &Controller{
		log: log, config: config.withDefaults(), gvr: gvr, clients: clients, accounts: accounts, labeler: labeler,
		evaluate: runtime.Evaluate, parallel: 10, now: time.Now, finished: func(types.NamespacedName) {},
		memories: memories{all: map[types.NamespacedName]*memory{}}, tracer: noop.NewTracerProvider().Tracer(""),
	}
	for _, o := range options {
		o(c)
	}
	c.applier = apply.New(c.now)
	c.Serve(Serving{Graph: g})
	return c
}

// Serve makes later passes run on another revision.
func (c *Controller) Serve(s Serving) { c.serving.Store(&s) }

// State gives the outcome of the last pass of an instance; ok is false before the first.
func (c *Controller) State(key types.NamespacedName) (state InstanceState, ok bool) {
	return c.memories.state(key)
}

// Later is the error of a pass that went well and is to be looked at again by time.
type Later struct{ After time.Duration }

// Error is `again after 15s`.
func (l *Later) Error() string { return fmt.Sprintf("again after %s", l.After) }

// Reconcile brings one instance closer to what is wanted. It gives nil when only an event can bring news, a *Later
// when time can, and any other error for what the caller retries with its own backoff; it does not name the instance.
func (c *Controller) Reconcile(ctx context.Context, request reconcile.Request) error {
	ctx, span := c.startPass(ctx, request)
	defer span.End()
	p := &pass{key: request.NamespacedName, serving: *c.serving.Load()}
	result, err := step.Run(ctx, c.steps(), p)
	if p.memory != nil {
		p.memory.memo = p.memory.memo.WithoutDrafts()
	}
	if err = step.Joined(p.err, err); err != nil {
		span.SetStatus(codes.Error, "it is tried again")
		return err
	}
	if result.After > 0 {
		return &Later{After: result.After}
	}
	return nil
}

func (c *Controller) steps() []step.Step[*pass] {
	return []step.Step[*pass]{
		{Name: "loading", Do: c.load},
		{Name: "deleting", Do: c.delete},
		{Name: "suspending", Do: c.suspend},
		{Name: "resolving revision", Do: c.resolveRevision},
		{Name: "resolving identity", Do: c.resolveIdentity},
		{Name: "claiming", Do: c.claim},
		{Name: "observing", Do: c.observe},
		{Name: "planning", Do: c.plan},
		{Name: "applying", Do: c.apply},
		{Name: "pruning", Do: c.prune},
		{Name: "tidying inventory", Do: c.tidyInventory},
		{Name: "writing status", Do: c.writeStatus, Always: true},
	}
}
