package crd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// ValidateInstance does what the API server does with a new object of the definition's storage version: it
// drops unknown fields and the status, fills in defaults, and validates against schema and rules. It gives
// the object as it would be stored, the paths of the fields that were dropped, sorted, and the faults, sorted
// by field. The object that is given stays as it is; it must hold JSON values only.
func ValidateInstance(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, object map[string]any) (map[string]any, []string, field.ErrorList) {
	version, root, err := storage(crd)
	if err != nil {
		return nil, nil, field.ErrorList{field.InternalError(nil, err)}
	}
	structural, err := structuralschema.NewStructural(root)
	if err != nil {
		return nil, nil, field.ErrorList{field.InternalError(nil, fmt.Errorf("reading the schema of %q: %w", crd.Name, err))}
	}
	validator, _, err := schemavalidation.NewSchemaValidator(root)
	if err != nil {
		return nil, nil, field.ErrorList{field.InternalError(nil, fmt.Errorf("reading the schema of %q: %w", crd.Name, err))}
	}
	out := runtime.DeepCopyJSON(object)
	if errs := checkType(crd, version, out); len(errs) > 0 {
		return out, nil, errs
	}
	delete(out, "status")
	pruned := prune(out, structural)
	defaulting.Default(out, structural)
	errs := checkMetadata(out, crd.Spec.Scope == apiextensionsv1.NamespaceScoped)
	errs = append(errs, schemavalidation.ValidateCustomResource(nil, out, validator)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, out)...)
	if rules := cel.NewValidator(structural, true, celconfig.PerCallLimit); rules != nil && !slices.ContainsFunc(errs, hidesRules) {
		ruleErrs, _ := rules.Validate(ctx, nil, structural, out, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, ruleErrs...)
	}
	return out, pruned, tidy(errs)
}

// storage gives the version that objects are stored in, and its schema.
func storage(crd *apiextensionsv1.CustomResourceDefinition) (string, *apiextensions.JSONSchemaProps, error) {
	for _, v := range crd.Spec.Versions {
		if !v.Storage || v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			continue
		}
		var internal apiextensions.JSONSchemaProps
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema.DeepCopy(), &internal, nil); err != nil {
			return "", nil, fmt.Errorf("reading the schema of %q: %w", crd.Name, err)
		}
		return v.Name, &internal, nil
	}
	return "", nil, fmt.Errorf("reading the schema of %q: no version is stored", crd.Name)
}

func checkType(crd *apiextensionsv1.CustomResourceDefinition, version string, object map[string]any) field.ErrorList {
	var errs field.ErrorList
	want := crd.Spec.Group + "/" + version
	for _, v := range crd.Spec.Versions {
		if v.Served && object["apiVersion"] == crd.Spec.Group+"/"+v.Name {
			want = crd.Spec.Group + "/" + v.Name
		}
	}
	if object["kind"] != crd.Spec.Names.Kind {
		errs = append(errs, field.Invalid(field.NewPath("kind"), object["kind"], "must be "+crd.Spec.Names.Kind))
	}
	if object["apiVersion"] != want {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), object["apiVersion"], "must be "+want))
	}
	return errs
}

func prune(object map[string]any, s *structuralschema.Structural) []string {
	paths := pruning.PruneWithOptions(object, s, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s)
	slices.Sort(paths)
	return slices.Compact(paths)
}

func checkMetadata(object map[string]any, namespaced bool) field.ErrorList {
	meta, _, err := objectmeta.GetObjectMeta(object, false)
	if err != nil {
		return field.ErrorList{field.Invalid(field.NewPath("metadata"), object["metadata"], err.Error())}
	}
	if meta == nil {
		return field.ErrorList{field.Required(field.NewPath("metadata"), "the object needs a name")}
	}
	return metavalidation.ValidateObjectMeta(meta, namespaced, metavalidation.NameIsDNSSubdomain, field.NewPath("metadata"))
}

// nowhere is how an empty path prints itself.
var nowhere = (*field.Path)(nil).String()

// hidesRules tells whether the API server leaves rules unchecked because of an error.
func hidesRules(err *field.Error) bool {
	switch err.Type {
	case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
		return true
	default:
		return false
	}
}

// tidy sorts errors and takes out what is said twice: the same again, a second wrong type of one field, and
// those without a field, which say that none of several schemas fits.
func tidy(errs field.ErrorList) field.ErrorList {
	placed := slices.DeleteFunc(slices.Clone(errs), func(e *field.Error) bool { return e.Field == "" || e.Field == nowhere })
	if len(placed) > 0 {
		errs = placed
	}
	slices.SortStableFunc(errs, func(a, b *field.Error) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.ErrorBody(), b.ErrorBody()))
	})
	return slices.CompactFunc(errs, func(a, b *field.Error) bool {
		isSame := a.ErrorBody() == b.ErrorBody() || a.Type == field.ErrorTypeTypeInvalid && b.Type == field.ErrorTypeTypeInvalid
		return a.Field == b.Field && isSame
	})
}
