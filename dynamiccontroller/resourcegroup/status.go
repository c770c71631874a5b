package resourcegroup

import (
	"context"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/graph"
)

// countTime is how often status.instances is written at most.
const countTime = 10 * time.Second

// maxListed is up to how many nodes status lists layers and dependencies.
const maxListed = 200

// writeStatus ends a pass: the status is written if it differs from what the server holds.
func (r *Reconciler) writeStatus(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.group == nil {
		return step.Next(), nil
	}
	if p.quiet {
		return step.NextFor(p.again), nil
	}
	m := p.memory
	have := r.statusNow(p)
	want := r.statusOf(p, have)
	if reflect.DeepEqual(have, want) || (reflect.DeepEqual(have, m.stored) && reflect.DeepEqual(want, m.wanted)) {
		return step.NextFor(p.again), nil
	}
	body := groupBody(p.group)
	body["status"] = want
	answer, err := r.deps.writer().Patch(ctx, placeOf(p.group, "status"), apply.Patch{Body: body, Force: true})
	if err != nil {
		m.countedAt = time.Time{}
	}
	if isGone(err) {
		return step.NextFor(conflictTime), nil
	}
	if err != nil {
		return step.Next(), err
	}
	stored, _ := answer["status"].(map[string]any)
	m.wanted, m.stored, m.version = want, stored, versionOf(answer)
	return step.NextFor(p.again), nil
}

// statusNow is the status as far as it is known: the cache may not have seen our last write yet.
func (r *Reconciler) statusNow(p *pass) map[string]any {
	cached, _ := p.group.Object["status"].(map[string]any)
	order, err := resourceversion.CompareResourceVersion(p.group.GetResourceVersion(), p.memory.version)
	if err == nil && order < 0 {
		return p.memory.stored
	}
	return cached
}

func versionOf(object map[string]any) string {
	u := unstructured.Unstructured{Object: object}
	return u.GetResourceVersion()
}

func (r *Reconciler) statusOf(p *pass, have map[string]any) map[string]any {
	m := p.memory
	out := map[string]any{
		"state": string(v1alpha1.ResourceGroupInactive), "observedGeneration": p.group.GetGeneration(),
		"conditions": conditionsOf(p, have),
	}
	if m.latest > 0 {
		out["latestRevision"] = m.latest
	}
	if m.serving != nil && !m.resource.Empty() {
		out["state"] = string(v1alpha1.ResourceGroupActive)
	}
	if m.served > 0 && m.serving != nil {
		out["servedRevision"] = m.served
	}
	shown := m.accepted
	if shown == nil {
		shown = m.serving
	}
	if shown != nil {
		describe(out, shown)
	}
	if counts := r.countsOf(p, have); counts != nil {
		out["instances"] = counts
	}
	return out
}

// describe lists the nodes of a graph in order, in layers, and with what they need.
func describe(out map[string]any, g *graph.Graph) {
	nodes := g.Nodes()
	if len(nodes) == 0 {
		return
	}
	ids := func(indices []int) []any {
		list := make([]any, len(indices))
		for i, n := range indices {
			list[i] = nodes[n].ID
		}
		return list
	}
	out["topologicalOrder"] = ids(g.Order())
	if len(nodes) > maxListed {
		return
	}
	var layers, resources []any
	for _, layer := range g.Layers() {
		layers = append(layers, ids(layer))
	}
	for _, n := range nodes {
		entry := map[string]any{"id": n.ID}
		var needs []any
		for _, need := range n.Needs {
			needs = append(needs, map[string]any{"id": need.ID, "soft": need.Kind == graph.Soft})
		}
		if needs != nil {
			entry["dependencies"] = needs
		}
		resources = append(resources, entry)
	}
	out["layers"], out["resources"] = layers, resources
}

// countsOf counts the instances, at most every ten seconds; in between the last numbers stay.
func (r *Reconciler) countsOf(p *pass, have map[string]any) map[string]any {
	last, _ := have["instances"].(map[string]any)
	m := p.memory
	if m.resource.Empty() {
		return last
	}
	all, ready, known := r.count(m.resource)
	now := map[string]any{"total": int64(len(all)), "ready": ready}
	if !known || reflect.DeepEqual(last, now) {
		return last
	}
	if wait := countTime - p.began.Sub(m.countedAt); wait > 0 {
		if p.again == 0 || wait < p.again {
			p.again = wait
		}
		return last
	}
	m.countedAt = p.began
	return now
}
