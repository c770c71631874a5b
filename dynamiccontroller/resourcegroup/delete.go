package resourcegroup

import (
	"context"
	"fmt"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// delete lets a group go once its instances are gone, which are served until then.
func (r *Reconciler) delete(ctx context.Context, p *pass) (step.Outcome, error) {
	if !p.deleting {
		return step.Next(), nil
	}
	_, gvr, ok := p.kind()
	if p.definition == nil || !ok {
		return step.Next(), r.letGo(ctx, p)
	}
	if !isEstablished(p.definition) && p.definition.DeletionTimestamp == nil {
		return step.Next(), r.endDefinition(ctx, p)
	}
	instances, _, known := r.count(gvr)
	switch {
	case !known:
		p.say(v1alpha1.ConditionReady, "False", v1alpha1.ReasonTerminating, "finding out whether there are instances")
		return step.Next(), nil
	case len(instances) > 0:
		p.say(v1alpha1.ConditionReady, "False", v1alpha1.ReasonTerminating, waitingFor(len(instances)))
		if err := r.close(ctx, p); err != nil {
			return step.Next(), err
		}
		return step.Next(), r.cascade(ctx, p, gvr, instances)
	}
	return step.Next(), r.endDefinition(ctx, p)
}

func waitingFor(n int) string {
	if n == 1 {
		return "waiting for 1 instance to be deleted"
	}
	return fmt.Sprintf("waiting for %d instances to be deleted", n)
}

// cascade deletes the instances where the group says so.
func (r *Reconciler) cascade(ctx context.Context, p *pass, gvr schema.GroupVersionResource, instances []*unstructured.Unstructured) error {
	policy, _, _ := unstructured.NestedString(p.group.Object, "spec", "deletionPolicy")
	if policy != string(v1alpha1.DeletionPolicyCascade) {
		return nil
	}
	for _, u := range instances {
		if u.GetDeletionTimestamp() != nil {
			continue
		}
		at := apply.Place{Resource: gvr, Namespace: u.GetNamespace(), Name: u.GetName()}
		_, err := r.deps.writer().Delete(ctx, at, u.GetUID())
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return fmt.Errorf("deleting instance %q: %w", at.Namespace+"/"+at.Name, err)
		}
	}
	return nil
}

// endDefinition deletes the definition where group and engine say so, while its kind is still served, so that an
// instance made meanwhile is taken down too; else it takes the marks off.
func (r *Reconciler) endDefinition(ctx context.Context, p *pass) error {
	policy, _, _ := unstructured.NestedString(p.group.Object, "spec", "crdDeletion")
	switch {
	case p.definition.DeletionTimestamp != nil:
		p.say(v1alpha1.ConditionReady, "False", v1alpha1.ReasonTerminating, "waiting for the CustomResourceDefinition to go")
		return nil
	case policy == string(v1alpha1.CRDDeletionDelete) && r.deps.Config.AllowCRDDeletion:
		p.say(v1alpha1.ConditionReady, "False", v1alpha1.ReasonTerminating, "waiting for the CustomResourceDefinition to go")
		if err := r.deps.Definitions.Delete(ctx, p.definition); err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("deleting CustomResourceDefinition %q: %w", p.definition.Name, err)
		}
		return nil
	}
	if err := r.deps.Definitions.Replace(ctx, released(p.definition)); err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("releasing CustomResourceDefinition %q: %w", p.definition.Name, err)
	}
	return r.letGo(ctx, p)
}

// released is the definition without the label by which it is ours, open for new objects. The group's name stays, so that a group of the
// same name takes it up again.
func released(crd *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	out := crd.DeepCopy()
	out.Labels = maps.Clone(crd.Labels)
	delete(out.Labels, v1alpha1.LabelResourceGroupUID)
	Reopen(out)
	return out
}

// letGo ends serving, drops the revisions, so that a group of the same name can begin anew at once, and takes the
// finalizer off.
func (r *Reconciler) letGo(ctx context.Context, p *pass) error {
	if err := r.dropRevisions(ctx, p); err != nil {
		return err
	}
	r.forget(ctx, p.name)
	rest := slices.DeleteFunc(p.group.GetFinalizers(), func(f string) bool { return f == v1alpha1.FinalizerResourceGroup })
	finalizers := make([]any, len(rest))
	for i, f := range rest {
		finalizers[i] = f
	}
	body := map[string]any{"metadata": map[string]any{
		"uid": string(p.group.GetUID()), "resourceVersion": p.group.GetResourceVersion(), "finalizers": finalizers,
	}}
	_, err := r.deps.writer().Patch(ctx, placeOf(p.group, ""), apply.Patch{Type: types.MergePatchType, Body: body})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("removing the finalizer: %w", err)
	}
	p.group = nil
	return nil
}

func (r *Reconciler) dropRevisions(ctx context.Context, p *pass) error {
	revisions, err := r.deps.Revisions.List(ctx, p.memory.uid)
	if err != nil {
		return fmt.Errorf("listing the revisions: %w", err)
	}
	for _, revision := range revisions {
		if err := r.deps.Revisions.Delete(ctx, revision.Name); err != nil {
			return fmt.Errorf("dropping revision %d: %w", revision.Spec.Revision, err)
		}
	}
	return nil
}
