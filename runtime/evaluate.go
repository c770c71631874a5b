package runtime

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime/plan"
)

// Evaluate tells what should be. It never fails as a whole: faults are states of nodes. ctx bounds its time.
// The memo is for the next evaluation of the same instance.
func Evaluate(ctx context.Context, in Input) (plan.Plan, *Memo) {
	e := newEvaluator(ctx, in)
	return e.run(), e.next
}

// evaluator holds one evaluation.
type evaluator struct {
	ctx       context.Context
	in        Input
	limits    Limits
	schema    map[string]any // the instance, as the variable `schema` shows it
	namespace string         // of the instance; empty for a cluster-scoped one
	outcomes  map[string]*outcome
	claims    map[plan.Key]string // which node an object belongs to
	wants     map[plan.Want]bool
	reads     map[plan.Key]bool
	memo      *Memo
	next      *Memo
	byNode    map[string][]plan.Key // children by the node that they say they are of; nil until it is needed
	buffer    []byte                // for what is hashed

	// assume gives the live form of an object that is not among the observed children; nil when there is none.
	assume func(plan.Object) map[string]any
	// read gives external objects instead of Observed.Externals; nil for none.
	read func(plan.Want) Reading
}

func newEvaluator(ctx context.Context, in Input) *evaluator {
	e := &evaluator{
		ctx: ctx, in: in, limits: in.Limits.withDefaults(), schema: schemaOf(in.Instance),
		outcomes: make(map[string]*outcome, len(in.Graph.Nodes())),
		claims:   make(map[plan.Key]string, len(in.Observed.Children)),
		wants:    map[plan.Want]bool{},
		reads:    map[plan.Key]bool{},
		memo:     in.Memo.of(in.Graph), next: newMemo(in),
	}
	if in.Graph.IsNamespaced() {
		e.namespace = text(in.Instance, "metadata", "namespace")
	}
	return e
}

// schemaOf is what expressions see of the instance. Its status is left out, and so is what changes with every
// write of it: an expression that read that would never come to rest.
func schemaOf(instance map[string]any) map[string]any {
	out := map[string]any{"spec": map[string]any{}}
	for _, field := range []string{"apiVersion", "kind", "metadata", "spec"} {
		if value, ok := instance[field]; ok {
			out[field] = value
		}
	}
	if metadata, ok := out["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		delete(metadata, "managedFields")
		delete(metadata, "resourceVersion")
		out["metadata"] = metadata
	}
	return out
}

// run evaluates node by node in topological order, then what depends on all of them.
func (e *evaluator) run() plan.Plan {
	g := e.in.Graph
	for _, i := range g.Order() {
		n := g.Nodes()[i]
		e.outcomes[n.ID] = e.node(n)
	}
	p := plan.Plan{Order: slices.Clone(g.Order()), Nodes: make([]plan.Node, 0, len(g.Nodes()))}
	p.Prune = e.prune()
	for _, n := range g.Nodes() {
		p.Nodes = append(p.Nodes, e.outcomes[n.ID].plan)
	}
	e.project(&p)
	p.Wants = slices.SortedFunc(maps.Keys(e.wants), plan.Want.Compare)
	p.Reads = slices.SortedFunc(maps.Keys(e.reads), plan.Key.Compare)
	return p
}

// node evaluates one node. A panic in it is its own failure.
func (e *evaluator) node(n *graph.Node) (out *outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			out = failed(n, plan.ReasonEvaluationFailed, fmt.Sprintf("%s: evaluating it broke off: %v; this is a fault of Plait", n.Path, fault))
		}
	}()
	out = e.remembered(n)
	if out == nil {
		out = e.decide(n)
		e.remember(n, out)
	}
	e.lastKnown(out)
	return out
}

func (e *evaluator) decide(n *graph.Node) *outcome {
	if out := e.include(n); out != nil {
		return out
	}
	if !n.Installed && n.Kind != graph.Def {
		return waiting(n, "kind "+n.GVK.GroupKind().String())
	}
	if out := e.holdUps(n); out != nil {
		return out
	}
	switch n.Kind {
	case graph.Def:
		return e.def(n)
	case graph.External:
		return e.external(n)
	case graph.ExternalList:
		return e.externalList(n)
	default:
		return e.template(n)
	}
}

// evaluatorOf gives the function that evaluates programs over these values.
func (e *evaluator) evaluatorOf(vars expr.Vars) func(*expr.Program) expr.Result {
	return func(p *expr.Program) expr.Result { return p.Eval(e.ctx, vars, e.limits.Expression) }
}
