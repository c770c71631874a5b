package schema

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/graph/crd"
)

// maxDefinition is how large a definition may be as JSON, in bytes: etcd takes no more than this and some.
const maxDefinition = 1 << 20

// Reasons of exports that cannot be installed.
const (
	ReasonConversion    v1alpha1.Reason = "ConversionNeeded"
	ReasonInvalidSchema v1alpha1.Reason = "InvalidSchema"
	ReasonTooLarge      v1alpha1.Reason = "TooLarge"
	ReasonNotServed     v1alpha1.Reason = "NotServed"
)

// Carry makes an export of a provider's definition. Only names, scope, versions, schemas, columns and the subresources
// travel.
func Carry(ctx context.Context, from *apiextensionsv1.CustomResourceDefinition) Export {
	e := Export{
		Group: from.Spec.Group, Resource: from.Spec.Names.Plural, Kind: from.Spec.Names.Kind,
		Namespaced: from.Spec.Scope == apiextensionsv1.NamespaceScoped,
	}
	var versions []apiextensionsv1.CustomResourceDefinitionVersion
	for _, v := range from.Spec.Versions {
		if v.Served {
			e.Versions = append(e.Versions, v.Name)
		}
		if v.Served || v.Storage {
			versions = append(versions, carryVersion(v))
		}
	}
	slices.SortFunc(e.Versions, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
	if len(e.Versions) == 0 {
		e.Fault = Fault{v1alpha1.ExportedAPIUnsupported, ReasonNotServed, "the provider serves no version of it"}
		return e
	}
	if differing := differingSchemas(versions); differing != "" {
		e.Fault = Fault{v1alpha1.ExportedAPIUnsupported, ReasonConversion, fmt.Sprintf(
			"the schemas of its versions differ (%s), so that objects have to be converted, which only the provider can do: "+
				"let the provider export one version, or versions of one schema", differing)}
		return e
	}
	return e.withDefinition(ctx, apiextensionsv1.CustomResourceDefinitionSpec{
		Group: from.Spec.Group, Scope: from.Spec.Scope, Versions: versions, Names: carryNames(from.Spec.Names),
		PreserveUnknownFields: from.Spec.PreserveUnknownFields,
	})
}

// withDefinition gives the export a definition, if the API server here would take it.
func (e Export) withDefinition(ctx context.Context, spec apiextensionsv1.CustomResourceDefinitionSpec) Export {
	spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
	definition := &apiextensionsv1.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: e.Name()},
		Spec:       spec,
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&definition.Spec)
	if fault := check(ctx, definition); fault != (Fault{}) {
		e.Fault = fault
		return e
	}
	e.Definition = definition
	return e
}

func check(ctx context.Context, definition *apiextensionsv1.CustomResourceDefinition) Fault {
	raw, err := json.Marshal(definition)
	if err != nil {
		return Fault{v1alpha1.ExportedAPIInvalid, ReasonInvalidSchema, "its schema cannot be written as JSON: " + err.Error()}
	}
	if len(raw) > maxDefinition {
		return Fault{v1alpha1.ExportedAPIInvalid, ReasonTooLarge,
			fmt.Sprintf("its definition has %d KiB, and %d KiB fit", len(raw)>>10, maxDefinition>>10)}
	}
	if problems := crd.Validate(ctx, definition); len(problems) > 0 {
		return Fault{v1alpha1.ExportedAPIInvalid, ReasonInvalidSchema,
			"the API server here would refuse its definition: " + someOf(problems)}
	}
	return Fault{}
}

// maxProblems is how many problems one message names.
const maxProblems = 5

// someOf joins errors or changes, each printed in its own way.
func someOf[E any](problems []E) string {
	texts := make([]string, 0, maxProblems+1)
	for i, p := range problems {
		if i == maxProblems {
			texts = append(texts, fmt.Sprintf("and %d more", len(problems)-i))
			break
		}
		texts = append(texts, shortened(fmt.Sprint(p)))
	}
	return strings.Join(texts, "; ")
}

// maxText is how long one text of a provider may be in a message, in bytes.
const maxText = 512

func shortened(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

func carryNames(n apiextensionsv1.CustomResourceDefinitionNames) apiextensionsv1.CustomResourceDefinitionNames {
	return apiextensionsv1.CustomResourceDefinitionNames{
		Plural: n.Plural, Singular: n.Singular, Kind: n.Kind, ListKind: n.ListKind,
		ShortNames: slices.Clone(n.ShortNames), Categories: slices.Clone(n.Categories),
	}
}

func carryVersion(v apiextensionsv1.CustomResourceDefinitionVersion) apiextensionsv1.CustomResourceDefinitionVersion {
	v = *v.DeepCopy()
	v.SelectableFields = nil
	return v
}

// differingSchemas names two versions whose schemas differ in more than words; empty when there are none.
func differingSchemas(versions []apiextensionsv1.CustomResourceDefinitionVersion) string {
	for _, v := range versions[1:] {
		if !crd.SameSchema(versions[0], v) {
			return versions[0].Name + ", " + v.Name
		}
	}
	return ""
}
