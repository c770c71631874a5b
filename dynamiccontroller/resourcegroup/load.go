package resourcegroup

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

var groupResource = v1alpha1.GroupVersion.WithResource("resourcegroups")

// load reads the group. One that is gone without our finalizer is let go all the same.
func (r *Reconciler) load(ctx context.Context, p *pass) (step.Outcome, error) {
	group, ok, err := r.deps.Groups.Group(ctx, p.name)
	if err != nil {
		return step.Stop(), fmt.Errorf("reading the ResourceGroup: %w", err)
	}
	if !ok {
		r.forget(ctx, p.name)
		return step.Stop(), nil
	}
	p.group, p.memory = group, r.memories.of(group)
	p.deleting = group.GetDeletionTimestamp() != nil
	p.memory.terminating.Store(p.deleting)
	if p.deleting && !slices.Contains(group.GetFinalizers(), v1alpha1.FinalizerResourceGroup) {
		r.forget(ctx, p.name)
		p.group = nil
		return step.Stop(), nil
	}
	return step.Next(), nil
}

// forget ends serving a group.
func (r *Reconciler) forget(ctx context.Context, name string) {
	known := r.memories.drop(name)
	if known != nil && !known.resource.Empty() {
		r.deps.Engine.Deregister(known.resource)
	}
	r.deps.Hub.Remove(ctx, name)
}

// claim puts the finalizer on the group before anything is made for it.
func (r *Reconciler) claim(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.deleting || slices.Contains(p.group.GetFinalizers(), v1alpha1.FinalizerResourceGroup) {
		return step.Next(), nil
	}
	body := groupBody(p.group)
	body["metadata"].(map[string]any)["finalizers"] = []any{v1alpha1.FinalizerResourceGroup}
	answer, err := r.deps.writer().Patch(ctx, placeOf(p.group, ""), apply.Patch{Body: body, Force: true})
	if isGone(err) {
		p.group = nil
		return step.StopFor(conflictTime), nil
	}
	if err != nil {
		return step.Stop(), fmt.Errorf("putting the finalizer on: %w", err)
	}
	p.group = &unstructured.Unstructured{Object: answer}
	return step.Next(), nil
}

// groupBody is what every apply on a group begins with.
func groupBody(group *unstructured.Unstructured) map[string]any {
	return map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(), "kind": v1alpha1.KindResourceGroup,
		"metadata": map[string]any{"name": group.GetName(), "uid": string(group.GetUID())},
	}
}

func placeOf(group *unstructured.Unstructured, subresource string) apply.Place {
	return apply.Place{Resource: groupResource, Name: group.GetName(), Subresource: subresource}
}

// conflictTime is how long the cache has to show that a group is gone.
const conflictTime = time.Second

// isGone tells whether the group of the planned UID may not be there any more. An API server gives a conflict under
// contention too, so the cache decides, a moment later.
func isGone(err error) bool { return apierrors.IsNotFound(err) || apierrors.IsConflict(err) }
