package resourcegroup

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/api/v1alpha1"
)

// callTime bounds one call of the live client; the queue does the waiting.
const callTime = 30 * time.Second

// kube is Groups, Revisions and Definitions over an API server and a cache of groups and labelled definitions.
type kube struct {
	cached client.Reader
	live   client.Client
}

func (k kube) Group(ctx context.Context, name string) (*unstructured.Unstructured, bool, error) {
	group := &unstructured.Unstructured{}
	group.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(v1alpha1.KindResourceGroup))
	err := k.cached.Get(ctx, types.NamespacedName{Name: name}, group, client.UnsafeDisableDeepCopy)
	if apierrors.IsNotFound(err) {
		return nil, false, nil
	}
	return group, err == nil, err
}

// revisions are not cached: snapshots are large and seldom needed.
type revisions struct{ client client.Client }

func (r revisions) List(ctx context.Context, group types.UID) ([]v1alpha1.ResourceGroupRevision, error) {
	list := &v1alpha1.ResourceGroupRevisionList{}
	if err := r.client.List(ctx, list, client.MatchingLabels{v1alpha1.LabelResourceGroupUID: string(group)}); err != nil {
		return nil, err
	}
	slices.SortFunc(list.Items, func(a, b v1alpha1.ResourceGroupRevision) int { return cmp.Compare(b.Spec.Revision, a.Spec.Revision) })
	return list.Items, nil
}

func (r revisions) Create(ctx context.Context, revision *v1alpha1.ResourceGroupRevision) error {
	return r.client.Create(ctx, revision, client.FieldOwner(v1alpha1.FieldManager))
}

func (r revisions) Delete(ctx context.Context, name string) error {
	revision := &v1alpha1.ResourceGroupRevision{}
	revision.Name = name
	return client.IgnoreNotFound(r.client.Delete(ctx, revision))
}

type definitions struct{ kube }

func (d definitions) OfGroup(ctx context.Context, group types.UID) (*apiextensionsv1.CustomResourceDefinition, bool, error) {
	list := &apiextensionsv1.CustomResourceDefinitionList{}
	err := d.cached.List(ctx, list, client.MatchingLabels{v1alpha1.LabelResourceGroupUID: string(group)})
	if err != nil || len(list.Items) == 0 {
		return nil, false, err
	}
	return &list.Items[0], true, nil
}

func (d definitions) Cached(ctx context.Context, name string) (*apiextensionsv1.CustomResourceDefinition, bool, error) {
	return get(ctx, d.cached, name)
}

func (d definitions) Live(ctx context.Context, name string) (*apiextensionsv1.CustomResourceDefinition, bool, error) {
	return get(ctx, d.live, name)
}

func get(ctx context.Context, reader client.Reader, name string) (*apiextensionsv1.CustomResourceDefinition, bool, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	err := reader.Get(ctx, types.NamespacedName{Name: name}, crd)
	if apierrors.IsNotFound(err) {
		return nil, false, nil
	}
	return crd, err == nil, err
}

func (d definitions) Create(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	return d.live.Create(ctx, crd, client.FieldOwner(v1alpha1.FieldManager))
}

func (d definitions) Replace(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	return d.live.Update(ctx, crd, client.FieldOwner(v1alpha1.FieldManager))
}

func (d definitions) Delete(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	if crd.UID == "" {
		return fmt.Errorf("CustomResourceDefinition %q has no UID", crd.Name)
	}
	return d.live.Delete(ctx, crd, client.Preconditions{UID: &crd.UID})
}
