package connection

import (
	"context"
	"fmt"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/graph/source"
)

// retire lets go of what Referenced has brought here once neither a group, nor a binding of somebody, nor a single object
// needs it: first out of the managed binding, at a later round the definition. What cannot be told keeps everything.
func (r *Reconciler) retire(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.conn.Spec.Schema.PullPolicy != v1alpha1.PullPolicyReferenced || !p.known || !p.isDue {
		return step.Next(), nil
	}
	ours, err := r.installed(ctx, p.name)
	if err != nil {
		return step.Stop(), err
	}
	for _, api := range p.conn.Status.ExportedAPIs {
		version := servedVersion(ours[api.Name])
		isInstalled := api.State == v1alpha1.ExportedAPIInstalled || v1alpha1.Reason(api.Reason) == v1alpha1.ReasonBreakingChange
		if !isInstalled || version == "" {
			delete(p.memory.idle, api.Name)
			continue
		}
		isIdle, err := r.isIdle(ctx, p, api, version)
		if err != nil {
			return step.Stop(), err
		}
		since, wasIdle := p.memory.idle[api.Name]
		switch {
		case !isIdle:
			delete(p.memory.idle, api.Name)
		case !wasIdle:
			p.memory.idle[api.Name] = p.began
		case p.began.Sub(since) >= r.deps.Config.Resync && !isBound(p.bindings, api.Name):
			delete(p.memory.idle, api.Name)
			if err := r.remove(ctx, api, ours[api.Name]); err != nil {
				return step.Stop(), err
			}
		}
	}
	return step.Next(), nil
}

func groupKindOf(api v1alpha1.ExportedAPI) schema.GroupKind {
	return schema.GroupKind{Group: api.Group, Kind: api.Kind}
}

func isBound(bindings []reference, api string) bool {
	return slices.ContainsFunc(bindings, func(b reference) bool { return slices.Contains(b.apis, api) })
}

// servedVersion gives a version in which objects can be read here, whatever the provider serves by now; "" when there is none.
func servedVersion(definition *apiextensionsv1.CustomResourceDefinition) string {
	if definition == nil {
		return ""
	}
	for _, v := range definition.Spec.Versions {
		if v.Served {
			return v.Name
		}
	}
	return ""
}

// isIdle tells whether certainly nothing needs an installed API, which is served in a version.
func (r *Reconciler) isIdle(ctx context.Context, p *pass, api v1alpha1.ExportedAPI, version string) (bool, error) {
	if r.uses.has(groupKindOf(api)) {
		return false, nil
	}
	others := slices.DeleteFunc(slices.Clone(p.bindings), func(b reference) bool { return b.isManagedBy(p.conn) })
	if isBound(others, api.Name) {
		return false, nil
	}
	hasObjects, err := r.hasObjects(ctx, api, version)
	if err != nil || hasObjects {
		return false, err
	}
	isNamed, err := r.isNamed(ctx, groupKindOf(api))
	return !isNamed, err
}

// lookTime bounds one look for objects. An API server that has just changed how it serves a kind can leave a list waiting;
// asking again is quicker, and other Connections need the worker.
const lookTime = 5 * time.Second

func (r *Reconciler) hasObjects(ctx context.Context, api v1alpha1.ExportedAPI, version string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	resource := schema.GroupVersionResource{Group: api.Group, Version: version, Resource: api.Resource}
	objects, err := r.deps.objects.Resource(resource).List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return true, fmt.Errorf("looking for objects of %q: %w", api.Name, err)
	}
	return len(objects.Items) > 0, nil
}

// isNamed tells whether any ResourceGroup names a kind, compiled or not: right after a start none is.
func (r *Reconciler) isNamed(ctx context.Context, kind schema.GroupKind) (bool, error) {
	groups := &unstructured.UnstructuredList{}
	groups.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(v1alpha1.KindResourceGroup))
	if err := r.deps.live.List(ctx, groups); err != nil {
		return true, fmt.Errorf("listing ResourceGroups: %w", err)
	}
	return slices.ContainsFunc(groups.Items, func(group unstructured.Unstructured) bool {
		spec, _ := group.Object["spec"].(map[string]any)
		return source.KindsOf(spec)[kind]
	}), nil
}
