package connection

import (
	"context"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// retire lets go of what Referenced has brought here once neither a group, nor a binding of somebody, nor a single object
// needs it: first out of the managed binding, at a later round the definition. What cannot be told keeps everything.
func (r *Reconciler) retire(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.conn.Spec.Schema.PullPolicy != v1alpha1.PullPolicyReferenced || !p.known || !p.isDue {
		return step.Next(), nil
	}
	for _, api := range p.conn.Status.ExportedAPIs {
		if api.State != v1alpha1.ExportedAPIInstalled {
			delete(p.memory.idle, api.Name)
			continue
		}
		isIdle, err := r.isIdle(ctx, p, api)
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
			if err := r.remove(ctx, p, api.Name); err != nil {
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

// isIdle tells whether certainly nothing needs an installed API.
func (r *Reconciler) isIdle(ctx context.Context, p *pass, api v1alpha1.ExportedAPI) (bool, error) {
	if r.uses.has(groupKindOf(api)) {
		return false, nil
	}
	others := slices.DeleteFunc(slices.Clone(p.bindings), func(b reference) bool { return b.isManagedBy(p.conn) })
	if isBound(others, api.Name) || len(api.Versions) == 0 {
		return false, nil
	}
	objects := &metav1.PartialObjectMetadataList{}
	objects.SetGroupVersionKind(groupKindOf(api).WithVersion(api.Versions[0]))
	if err := r.deps.live.List(ctx, objects, client.Limit(1)); err != nil {
		return false, fmt.Errorf("looking for objects of %q: %w", api.Name, err)
	}
	if len(objects.Items) > 0 {
		return false, nil
	}
	isNamed, err := r.isNamed(ctx, groupKindOf(api))
	return !isNamed, err
}

// isNamed tells whether any ResourceGroup names a kind, compiled or not: right after a start none is.
func (r *Reconciler) isNamed(ctx context.Context, kind schema.GroupKind) (bool, error) {
	groups := &unstructured.UnstructuredList{}
	groups.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(v1alpha1.KindResourceGroup))
	if err := r.deps.live.List(ctx, groups); err != nil {
		return true, fmt.Errorf("listing ResourceGroups: %w", err)
	}
	return slices.ContainsFunc(groups.Items, func(group unstructured.Unstructured) bool { return mentions(group, kind) }), nil
}

func mentions(group unstructured.Unstructured, kind schema.GroupKind) bool {
	nodes, _, _ := unstructured.NestedSlice(group.Object, "spec", "resources")
	return slices.ContainsFunc(nodes, func(node any) bool {
		entry, _ := node.(map[string]any)
		for _, body := range []string{"template", "externalRef"} {
			version, _, _ := unstructured.NestedString(entry, body, "apiVersion")
			name, _, _ := unstructured.NestedString(entry, body, "kind")
			if schema.FromAPIVersionAndKind(version, name).GroupKind() == kind {
				return true
			}
		}
		return false
	})
}

// remove deletes the definition that was looked at, if it is ours and has not changed.
func (r *Reconciler) remove(ctx context.Context, p *pass, name string) error {
	ours, err := r.installed(ctx, p.name)
	if err != nil {
		return err
	}
	definition := ours[name]
	if definition == nil || definition.DeletionTimestamp != nil {
		return nil
	}
	target := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: name}}
	err = r.deps.live.Delete(ctx, target, client.Preconditions{UID: &definition.UID, ResourceVersion: &definition.ResourceVersion})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting the CustomResourceDefinition %q, which nothing uses any more: %w", name, err)
	}
	delete(p.memory.idle, name)
	return nil
}
