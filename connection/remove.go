package connection

import (
	"context"
	"fmt"
	"slices"
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
// object after all, the next pass opens it again; so does one that follows a crash.
func (r *Reconciler) remove(ctx context.Context, api v1alpha1.ExportedAPI, definition *apiextensionsv1.CustomResourceDefinition) error {
	if definition.DeletionTimestamp != nil {
		return nil
	}
	closed := closedFrom(definition)
	if err := r.deps.live.Update(ctx, closed, client.FieldOwner(v1alpha1.FieldManager)); err != nil {
		return fmt.Errorf("closing the CustomResourceDefinition %q, which nothing uses any more: %w", api.Name, err)
	}
	hasObjects := true
	err := wait.PollUntilContextTimeout(ctx, closingRhythm, closingTime, true, func(ctx context.Context) (bool, error) {
		var err error
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

func isClosedVersion(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
	return v.Name == closedVersion
}

// openedFrom gives what closedFrom was made of, as far as the export tells: a version that the provider does not have any
// more was not served before either. It gives the definition itself, and false, where that is not closed, or is going: a
// write would only disturb the API server in clearing up.
func openedFrom(definition *apiextensionsv1.CustomResourceDefinition, exported []string) (*apiextensionsv1.CustomResourceDefinition, bool) {
	if definition == nil || definition.DeletionTimestamp != nil || !slices.ContainsFunc(definition.Spec.Versions, isClosedVersion) {
		return definition, false
	}
	out := definition.DeepCopy()
	out.Spec.Versions = slices.DeleteFunc(out.Spec.Versions, isClosedVersion)
	isExported := func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return slices.Contains(exported, v.Name) }
	hasAny := slices.ContainsFunc(out.Spec.Versions, isExported)
	for i, v := range out.Spec.Versions {
		out.Spec.Versions[i].Served = isExported(v) || !hasAny
	}
	return out, true
}
