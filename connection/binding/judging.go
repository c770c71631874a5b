package binding

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/arbitration"
	"github.com/plait-run/plait/connection/sync"
	"github.com/plait-run/plait/connection/sync/mirror"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// judge decides about each API of the spec, and each that the status still has.
func (r *Reconciler) judge(ctx context.Context, p *pass) (step.Outcome, error) {
	names := map[string]bool{}
	for _, listed := range p.binding.spec.APIs {
		names[listed.Name] = !p.binding.isDeleting()
	}
	for _, recorded := range p.binding.status.BoundAPIs {
		if _, listed := names[recorded.Name]; !listed {
			names[recorded.Name] = false
		}
	}
	for name, isWanted := range names {
		f, err := r.factsOf(ctx, p, name, isWanted)
		if err != nil {
			return step.Stop(), err
		}
		j := judge(f)
		if j.done {
			continue
		}
		one := api{name: name, definition: f.definition, judgement: j}
		if j.runs {
			one.task = taskOf(p, f, j.mode)
		}
		p.apis = append(p.apis, one)
	}
	slices.SortFunc(p.apis, func(a, b api) int { return strings.Compare(a.name, b.name) })
	return step.Next(), nil
}

func (r *Reconciler) factsOf(ctx context.Context, p *pass, name string, isWanted bool) (f facts, err error) {
	f = facts{
		name: name, leaves: !isWanted, recorded: p.binding.recorded(name) != nil, namespaced: p.name.Namespace != "",
		policy: p.binding.spec.DeletionPolicy, connection: p.connection, isAllowed: p.isAllowed, hasProvider: p.remote.IsUsable(),
	}
	if f.definition, err = r.definition(ctx, name, f.leaves && f.recorded); err != nil {
		return f, err
	}
	if p.connection != nil {
		for i := range p.connection.Status.ExportedAPIs {
			if p.connection.Status.ExportedAPIs[i].Name == name {
				f.exported = &p.connection.Status.ExportedAPIs[i]
			}
		}
	}
	installed := ""
	if f.definition != nil {
		installed = f.definition.connection
	}
	claim := p.binding.claim()
	if rival, ok := arbitration.Rival(claim, p.others, name, installed); ok {
		f.rival = rival.String()
	}
	f.kept, f.isKept = arbitration.Kept(claim, p.others, name, installed)
	return f, nil
}

func taskOf(p *pass, f facts, mode sync.Mode) sync.Task {
	version, spec := f.version(), p.binding.api(f.name)
	out := sync.Task{
		Key: sync.Key{Binding: p.key, API: f.name}, UID: p.binding.object.GetUID(), Connection: p.binding.spec.ConnectionRef.Name,
		Resource: schema.GroupVersionResource{Group: f.definition.group, Version: version, Resource: f.definition.resource},
		Kind:     f.definition.kind, Mode: mode,
		HasStatus: f.definition.statuses[version], HasConditions: f.definition.conditions[version],
		Adopt: p.binding.spec.ConflictPolicy == v1alpha1.ConflictPolicyAdopt, Kept: f.kept,
	}
	if m := p.binding.spec.NamespaceMapping; m != nil {
		out.Prefix = m.Prefix
	}
	if spec != nil && spec.Metadata != nil {
		out.Carry = mirror.Carry{Labels: spec.Metadata.Labels, Annotations: spec.Metadata.Annotations}
	}
	return out
}
