package resourcegroup

import (
	"context"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// closingRule is true of every object that was there before, and of no new one.
const closingRule = "oldSelf.hasValue()"

// close has the API server refuse new instances of a group that waits for its instances to go: each would keep it waiting.
// An API server that does not know such rules takes instances as before.
func (r *Reconciler) close(ctx context.Context, p *pass) error {
	next := closed(p.definition, p.name)
	if isClosed(p.definition) || !isClosed(next) {
		return nil
	}
	err := r.deps.Definitions.Replace(ctx, next)
	switch {
	case apierrors.IsInvalid(err):
		r.deps.Log.V(1).Info("new instances cannot be refused", "name", p.name, "cause", err.Error())
		return nil
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return fmt.Errorf("closing CustomResourceDefinition %q for new objects: %w", p.definition.Name, err)
	}
	p.definition, p.memory.definition = next, next
	return nil
}

// closed is the definition with the rule in all of its versions.
func closed(crd *apiextensionsv1.CustomResourceDefinition, group string) *apiextensionsv1.CustomResourceDefinition {
	out := crd.DeepCopy()
	for _, root := range rootsOf(out) {
		root.XValidations = append(root.XValidations, apiextensionsv1.ValidationRule{
			Rule: closingRule, OptionalOldSelf: new(true),
			Message: fmt.Sprintf("ResourceGroup %q is being deleted: there can be no new objects of this kind", group),
		})
	}
	return out
}

// Reopen takes the rule out of a definition, which is changed. It gives false where there is none.
func Reopen(crd *apiextensionsv1.CustomResourceDefinition) bool {
	wasClosed := isClosed(crd)
	for _, root := range rootsOf(crd) {
		root.XValidations = slices.DeleteFunc(root.XValidations, isClosing)
	}
	return wasClosed
}

func isClosed(crd *apiextensionsv1.CustomResourceDefinition) bool {
	return slices.ContainsFunc(rootsOf(crd), func(root *apiextensionsv1.JSONSchemaProps) bool {
		return slices.ContainsFunc(root.XValidations, isClosing)
	})
}

func isClosing(rule apiextensionsv1.ValidationRule) bool { return rule.Rule == closingRule }

func rootsOf(crd *apiextensionsv1.CustomResourceDefinition) []*apiextensionsv1.JSONSchemaProps {
	var out []*apiextensionsv1.JSONSchemaProps
	for _, v := range crd.Spec.Versions {
		if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			out = append(out, v.Schema.OpenAPIV3Schema)
		}
	}
	return out
}
