package drain

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"

	"github.com/plait-run/plait/dynamiccontroller/resourcegroup"
)

// reopen has definitions take new objects again that were closed for those of a group which was being deleted: the group goes
// now that it is released, and no engine is there to open them.
func (d *drainer) reopen(ctx context.Context, definitions []apiextensionsv1.CustomResourceDefinition) (faults []error) {
	for i := range definitions {
		if err := d.reopenOne(ctx, &definitions[i]); err != nil {
			faults = append(faults, fmt.Errorf("opening CustomResourceDefinition %q for new objects: %w", definitions[i].Name, err))
		}
	}
	return faults
}

func (d *drainer) reopenOne(ctx context.Context, seen *apiextensionsv1.CustomResourceDefinition) error {
	crd := seen
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		if !resourcegroup.Reopen(crd) {
			return nil
		}
		_, err := d.definitions.Update(ctx, crd, metav1.UpdateOptions{})
		if !apierrors.IsConflict(err) {
			return err
		}
		fresh, readErr := d.definitions.Get(ctx, seen.Name, metav1.GetOptions{})
		if readErr != nil {
			return readErr
		}
		crd = fresh
		return err
	})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
