package connection

import (
	"context"
	"fmt"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/api/v1alpha1"
)

const (
	// closedVersion is the only version that a definition serves while it is looked at for the last time. Nobody knows it.
	closedVersion = "v0closed"
	// The API server takes a moment to serve what a definition says.
	closingTime   = 5 * time.Second
	closingRhythm = 50 * time.Millisecond
)

// remove deletes an installed definition that is ours. Before that it is closed: its versions are not served any more, so
// that nobody makes an object between the last look and the deletion, which would take that object along. Where there is an
// object after all, the next pass opens it again, as it does after any edit; so does one that follows a crash.
func (r *Reconciler) remove(ctx context.Context, p *pass, api v1alpha1.ExportedAPI) error {
	ours, err := r.installed(ctx, p.name)
	if err != nil {
		return err
	}
	definition := ours[api.Name]
	if definition == nil || definition.DeletionTimestamp != nil {
		return nil
	}
	delete(p.memory.idle, api.Name)
	closed := closedFrom(definition)
	if err := r.deps.live.Update(ctx, closed, client.FieldOwner(v1alpha1.FieldManager)); err != nil {
		return fmt.Errorf("closing the CustomResourceDefinition %q, which nothing uses any more: %w", api.Name, err)
	}
	hasObjects := true
	err = wait.PollUntilContextTimeout(ctx, closingRhythm, closingTime, true, func(ctx context.Context) (bool, error) {
		hasObjects, err = r.hasObjects(ctx, api, closedVersion)
		if apierrors.IsNotFound(err) {
			return false, nil // it is open still
		}
		return err == nil, err
	})
	if err != nil || hasObjects {
		return err
	}
	target := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: api.Name}}
	err = r.deps.live.Delete(ctx, target, client.Preconditions{UID: &closed.UID})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting the CustomResourceDefinition %q, which nothing uses any more: %w", api.Name, err)
	}
	return nil
}

// closedFrom gives a copy that serves nothing but closedVersion.
func closedFrom(definition *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	out := definition.DeepCopy()
	for i := range out.Spec.Versions {
		out.Spec.Versions[i].Served = false
	}
	anything := true
	out.Spec.Versions = append(out.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
		Name: closedVersion, Served: true, Schema: &apiextensionsv1.CustomResourceValidation{
			OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &anything},
		},
	})
	return out
}
