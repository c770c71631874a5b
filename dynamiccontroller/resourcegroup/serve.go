package resourcegroup

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/dynamiccontroller/instance"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/graph"
)

// servedTime bounds the wait for an API server that takes up a new kind.
const servedTime = 10 * time.Second

// serve publishes the graph and registers the kind. Without any graph a kind with instances is registered all the same:
// deleting them needs none.
func (r *Reconciler) serve(ctx context.Context, p *pass) (step.Outcome, error) {
	gvk, gvr, ok := r.toServe(p)
	if !ok {
		return step.Next(), nil
	}
	m := p.memory
	if m.resource != gvr {
		waiting, cancel := context.WithTimeout(ctx, servedTime)
		defer cancel()
		if err := r.deps.Engine.WaitServed(waiting, gvr); err != nil && !apierrors.IsForbidden(err) {
			return step.Next(), fmt.Errorf("waiting for %s to be served: %w", gvr.GroupResource(), err)
		}
	}
	changed := r.takeCandidate(ctx, p)
	if m.controller == nil {
		m.controller = r.newController(p, gvr)
	}
	suspended := p.group.GetAnnotations()[v1alpha1.AnnotationReconcile] == v1alpha1.ReconcileSuspended
	changed = changed || suspended != m.suspended
	m.suspended = suspended
	m.controller.Serve(instance.Serving{Graph: m.serving, Revision: m.served, Suspended: suspended})
	if m.resource != gvr {
		r.deps.Engine.Register(gvr, gvk, m.controller.Reconciler())
		m.resource = gvr
	} else if changed {
		r.enqueueAll(gvr)
	}
	r.sayReady(ctx, p, gvr)
	return step.Next(), nil
}

// toServe tells which kind is to be served; ok is false while there is none, or its definition is not in place.
func (r *Reconciler) toServe(p *pass) (gvk schema.GroupVersionKind, gvr schema.GroupVersionResource, ok bool) {
	if p.definition == nil || !isEstablished(p.definition) {
		return gvk, gvr, false
	}
	if p.candidate != nil {
		return p.candidate.Kind(), p.candidate.Resource(), true
	}
	return p.kind()
}

// takeCandidate makes the accepted graph the served one and tells consumers of it.
func (r *Reconciler) takeCandidate(ctx context.Context, p *pass) (changed bool) {
	m := p.memory
	if g := p.candidate; g != nil && g != m.serving {
		m.serving, changed = g, true
		if g == m.accepted {
			m.served = m.latest
		}
	}
	if m.serving != nil && r.deps.Hub.Get(p.name) != m.serving {
		r.deps.Hub.Publish(ctx, m.serving)
	}
	return changed
}

func (r *Reconciler) newController(p *pass, gvr schema.GroupVersionResource) *instance.Controller {
	options := append([]instance.Option{
		instance.WithRevisions(r.revisionFunc(p.name, p.memory)),
		instance.WithFinished(r.instanceChanged(p.name, p.memory)),
	}, r.deps.Config.InstanceOptions...)
	return instance.NewController(r.deps.Log.WithValues("kind", gvr.GroupResource().String()), r.deps.Config.Reconcile, gvr,
		p.memory.serving, r.deps.Clients, nil, nil, options...)
}

// instanceChanged is told of changes of state: a group that is being deleted waits for them, another one counts them now
// and then.
func (r *Reconciler) instanceChanged(name string, m *memory) func(types.NamespacedName) {
	return func(types.NamespacedName) {
		if m.terminating.Load() {
			r.changed(name)
			return
		}
		r.later(name, countTime)
	}
}

// revisionFunc compiles another revision for an instance that is pinned to it. It runs only if what it needs of an
// instance is in the served schema.
func (r *Reconciler) revisionFunc(name string, m *memory) instance.RevisionFunc {
	return func(ctx context.Context, number int64) (*graph.Graph, error) {
		revisions, err := r.deps.Revisions.List(ctx, m.uid)
		if err != nil {
			return nil, fmt.Errorf("listing the revisions of %q: %w", name, err)
		}
		for _, revision := range revisions {
			if revision.Spec.Revision == number {
				return r.compileRevision(ctx, name, revision)
			}
		}
		return nil, fmt.Errorf("it is not kept any more")
	}
}

func (r *Reconciler) compileRevision(ctx context.Context, name string, revision v1alpha1.ResourceGroupRevision) (*graph.Graph, error) {
	spec, err := snapshotOf(revision)
	if err != nil {
		return nil, err
	}
	g, problems, err := r.compileSpec(ctx, name, spec)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, fmt.Errorf("it does not compile: %s", textOf(problems))
	}
	served, ok, err := r.deps.Definitions.Cached(ctx, g.CRD().Name)
	if err != nil || !ok {
		return nil, errors.Join(err, errors.New("the served schema is not known"))
	}
	if breaking := r.deps.Compare(g.CRD(), served).Breaking; len(breaking) > 0 {
		return nil, fmt.Errorf("the served schema has changed since: %s", breaking[0])
	}
	return g, nil
}

// enqueueAll has every instance looked at on the new terms.
func (r *Reconciler) enqueueAll(gvr schema.GroupVersionResource) {
	for _, u := range r.deps.Engine.Instances(gvr) {
		r.deps.Engine.Enqueue(gvr, types.NamespacedName{Namespace: u.GetNamespace(), Name: u.GetName()}, dynamiccontroller.Normal)
	}
}

// Delays between looks at a controller that does not run yet. When it does is told; why it does not is not.
const (
	firstLook  = time.Second
	lastLook   = 30 * time.Second
	quietLooks = 2 // that say nothing: it takes a moment
)

func (r *Reconciler) sayReady(ctx context.Context, p *pass, gvr schema.GroupVersionResource) {
	if r.sayForbidden(ctx, p) {
		return
	}
	running, why := r.deps.Engine.State(gvr)
	if running {
		p.memory.looks = 0
		p.say(v1alpha1.ConditionControllerReady, "True", v1alpha1.ReasonRunning, "the controller of the instances runs")
		return
	}
	p.again = min(firstLook<<min(p.memory.looks, 12), lastLook)
	p.memory.looks++
	p.quiet = p.memory.looks <= quietLooks
	reason, message := v1alpha1.ReasonCacheNotSynced, "the instances have not been listed yet"
	if apierrors.IsForbidden(why) {
		reason = v1alpha1.ReasonEngineForbidden
		message = fmt.Sprintf("the engine may not read %s: apply the first document that `plait rbac` prints for this group: %s", gvr.GroupResource(), why)
	} else if why != nil && !errors.Is(why, dynamiccontroller.ErrNotComplete) {
		message = fmt.Sprintf("listing the instances: %s", why)
	}
	p.say(v1alpha1.ConditionControllerReady, "False", reason, message)
}

// count gives how many instances there are, and how many of them are ready; known is false while they are not listed.
func (r *Reconciler) count(gvr schema.GroupVersionResource) (all []*unstructured.Unstructured, ready int64, known bool) {
	running, _ := r.deps.Engine.State(gvr)
	all = r.deps.Engine.Instances(gvr)
	for _, u := range all {
		if state, _, _ := unstructured.NestedString(u.Object, "status", "state"); state == string(v1alpha1.StateActive) {
			ready++
		}
	}
	return all, ready, running
}
