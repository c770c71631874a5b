package resourcegroup

import (
	"context"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/graph"
)

// Reconciler reconciles ResourceGroups. Safe for concurrent use; one group is reconciled by one caller at a time.
type Reconciler struct {
	deps     Deps
	memories *memories
	changed  func(name string)                  // asks for a pass of a group; set before the first pass
	later    func(name string, d time.Duration) // the same, after a while
}

// New gives a reconciler.
func New(deps Deps) *Reconciler {
	return &Reconciler{deps: deps.withDefaults(), memories: newMemories(), changed: func(string) {}, later: func(string, time.Duration) {}}
}

// pass is what one reconcile knows; the steps fill it from top to bottom.
type pass struct {
	name   string
	began  time.Time
	group  *unstructured.Unstructured // shared, never changed; nil: there is none
	memory *memory

	deleting         bool
	accountsChecked  bool
	accountsRequired bool
	quiet            bool                                      // too early to say anything: what is missing comes in a moment
	definition       *apiextensionsv1.CustomResourceDefinition // in place and ours; nil: not
	candidate        *graph.Graph                              // accepted, and the definition fits; to be served
	verdicts         map[v1alpha1.ConditionType]verdict
	again            time.Duration
	err              error // passing; the queue retries
}

// verdict is what a condition says.
type verdict struct {
	status  string // True, False, Unknown
	reason  v1alpha1.Reason
	message string
}

func (p *pass) say(kind v1alpha1.ConditionType, status string, reason v1alpha1.Reason, message string) {
	p.verdicts[kind] = verdict{status, reason, message}
}

// kind and resource of what is served or was; ok is false when nothing ever was.
func (p *pass) kind() (gvk schema.GroupVersionKind, gvr schema.GroupVersionResource, ok bool) {
	if g := p.memory.serving; g != nil {
		return g.Kind(), g.Resource(), true
	}
	if p.definition == nil || len(p.definition.Spec.Versions) == 0 {
		return gvk, gvr, false
	}
	spec := p.definition.Spec
	gv := schema.GroupVersion{Group: spec.Group, Version: spec.Versions[0].Name}
	return gv.WithKind(spec.Names.Kind), gv.WithResource(spec.Names.Plural), true
}

// Reconcile brings one group closer to being served.
func (r *Reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	p := &pass{
		name: request.Name, began: r.deps.Config.Now(), verdicts: map[v1alpha1.ConditionType]verdict{},
		accountsChecked: r.deps.Config.AccountsChecked, accountsRequired: r.deps.Config.AccountsRequired,
	}
	result, err := step.Run(ctx, r.steps(), p)
	if err = step.Joined(p.err, err); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{RequeueAfter: result.After}, nil
}

func (r *Reconciler) steps() []step.Step[*pass] {
	return []step.Step[*pass]{
		{Name: "loading", Do: r.load},
		{Name: "warning", Do: r.warn},
		{Name: "claiming", Do: r.claim},
		{Name: "compiling", Do: r.compile},
		{Name: "revising", Do: r.revise},
		{Name: "defining", Do: r.define},
		{Name: "serving", Do: r.serve},
		{Name: "deleting", Do: r.delete},
		{Name: "writing status", Do: r.writeStatus, Always: true},
	}
}
