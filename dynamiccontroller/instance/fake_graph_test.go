package instance

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

var (
	testNow      = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	testResource = schema.GroupVersionResource{Group: "apps.example.com", Version: "v1", Resource: "webapps"}
	testKind     = schema.GroupVersionKind{Group: "apps.example.com", Version: "v1", Kind: "WebApp"}
	testKey      = types.NamespacedName{Namespace: "team-a", Name: "shop"}
	configMaps   = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
)

// fakeNode is a node that renders one ConfigMap of its own name.
type fakeNode struct {
	id        string
	needs     []string
	namespace string // empty: the instance's
	value     string // of data.v
	unwanted  bool
}

func wide(n int) []fakeNode {
	out := make([]fakeNode, n)
	for i := range out {
		out[i] = fakeNode{id: string(rune('a' + i))}
	}
	return out
}

func chain(n int) []fakeNode {
	out := wide(n)
	for i := 1; i < n; i++ {
		out[i].needs = []string{out[i-1].id}
	}
	return out
}

// evaluator evaluates fake nodes in the order given: what they need comes before them.
type evaluator struct {
	nodes  []fakeNode
	status map[string]any
	wants  []plan.Want
}

func (e *evaluator) evaluate(_ context.Context, in runtime.Input) (plan.Plan, *runtime.Memo) {
	out := plan.Plan{Status: e.status, Wants: e.wants}
	ready := map[string]bool{}
	unwanted := map[plan.Key]map[string]any{}
	for i, f := range e.nodes {
		n := e.node(f, in, ready)
		if f.unwanted {
			key := n.Objects[0].Key
			n.Objects, n.State = nil, plan.Excluded
			if live, there := in.Observed.Children[key]; there {
				unwanted[key], n.State = live, plan.Deleting
			}
		}
		ready[f.id] = n.State == plan.Ready
		out.Nodes, out.Order = append(out.Nodes, n), append(out.Order, i)
	}
	out.Prune = plan.Waves(unwanted)
	return out, nil
}

func (e *evaluator) node(f fakeNode, in runtime.Input, ready map[string]bool) plan.Node {
	o := f.object()
	n := plan.Node{ID: f.id, State: plan.Ready, Objects: []plan.Object{o}}
	if i := slices.IndexFunc(f.needs, func(id string) bool { return !ready[id] }); i >= 0 {
		return plan.Node{ID: f.id, State: plan.Waiting, WaitingFor: f.needs[i : i+1], Message: "waiting for " + f.needs[i], Objects: nil}
	}
	live, there := in.Observed.Children[o.Key]
	switch fault, failed := in.Observed.Faults[o.Key]; {
	case failed:
		n.State, n.Reason, n.Message, n.Passing = plan.Failed, fault.Reason, fault.Message, fault.Passing
	case !there:
		n.State, n.Objects[0].Action = plan.Applied, plan.Create
	case !in.IsCurrent(o, live):
		n.State, n.Objects[0].Action = plan.Applied, plan.Apply
	default:
		n.Objects[0].Action = plan.Keep
	}
	return n
}

func (f fakeNode) object() plan.Object {
	namespace := f.namespace
	if namespace == "" {
		namespace = "team-a"
	}
	return plan.Object{
		Node: f.id, Needs: f.needs, Resource: configMaps,
		Key: plan.Key{Kind: "ConfigMap", Namespace: namespace, Name: f.id},
		GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"},
		Rendered: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"name": f.id, "namespace": namespace}, "data": map[string]any{"v": f.value},
		},
	}
}

func graphOf(nodes []fakeNode) *graph.Graph {
	spec := graph.Spec{Name: "webapps", Kind: testKind, Resource: testResource, Namespaced: true}
	for i, f := range nodes {
		n := &graph.Node{
			ID: f.id, Index: i, Kind: graph.Template, GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"},
			Resource: configMaps, Namespaced: true, Installed: true,
		}
		spec.Nodes, spec.Order = append(spec.Nodes, n), append(spec.Order, i)
	}
	return graph.New(spec)
}

// bench is one instance in a cluster with its controller.
type bench struct {
	*cluster
	controller *Controller
	evaluator  *evaluator
	now        time.Time
}

func newBench(t *testing.T, nodes []fakeNode, options ...Option) *bench {
	t.Helper()
	b := &bench{cluster: newCluster(t), evaluator: &evaluator{nodes: nodes}, now: testNow}
	options = append([]Option{
		WithEvaluate(func(ctx context.Context, in runtime.Input) (plan.Plan, *runtime.Memo) {
			return b.evaluator.evaluate(ctx, in)
		}),
		WithClock(func() time.Time { return b.now }),
		WithIdentitySettings(identity.Settings{AllowActingAsSelf: true}),
	}, options...)
	b.controller = NewController(logr.Discard(), ReconcileConfig{}, testResource, graphOf(nodes), b.clients(), nil, nil, options...)
	b.put(map[string]any{
		"apiVersion": "apps.example.com/v1", "kind": "WebApp",
		"metadata": map[string]any{"name": "shop", "namespace": "team-a", "uid": "uid-shop", "resourceVersion": "0", "generation": int64(1)},
		"status":   map[string]any{"observedGeneration": int64(-1)},
	})
	return b
}

func (b *bench) put(object map[string]any) {
	b.objects[apply.Place{Resource: testResource, Namespace: "team-a", Name: "shop"}] = object
}

func (b *bench) instance() *unstructured.Unstructured {
	u, _ := b.Instance(testResource, testKey)
	return u
}

// edit changes the instance as a user would.
func (b *bench) edit(change func(*unstructured.Unstructured)) {
	u := b.instance().DeepCopy()
	change(u)
	u.SetGeneration(u.GetGeneration() + 1)
	b.put(u.Object)
}

// run reconciles once; it gives the requests and what Reconcile gave, nil for *Later.
func (b *bench) run() ([]string, error) {
	err := b.controller.Reconcile(context.Background(), reconcile.Request{NamespacedName: testKey})
	var later *Later
	if errors.As(err, &later) {
		err = nil
	}
	return b.take(), err
}

func (b *bench) mustRun(t *testing.T) []string {
	t.Helper()
	requests, err := b.run()
	if err != nil {
		t.Fatalf("reconciling: %v", err)
	}
	return requests
}

func (b *bench) wantState(t *testing.T, want string) {
	t.Helper()
	if got := string(stateOf(b.instance())); got != want {
		t.Errorf("state %s, want %s; status %v", got, want, b.instance().Object["status"])
	}
}
