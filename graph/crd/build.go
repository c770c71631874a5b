package crd

import (
	"maps"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/simpleschema"
	"github.com/plait-run/plait/graph/source"
)

// What is written on every generated CustomResourceDefinition. Whoever serves it adds the UID of the
// ResourceGroup.
const (
	ParentTypeLabel = "applyset.kubernetes.io/is-parent-type" // "true"
	ManagedByLabel  = "app.kubernetes.io/managed-by"          // ManagedBy
	ManagedBy       = "plait.run"
	GroupUIDLabel   = "plait.run/resource-group-uid"
	GroupAnnotation = "plait.run/resource-group" // name of the ResourceGroup; names may be too long for labels
	trueValue       = "true"
)

// Input is what a definition is made of.
type Input struct {
	Source     *source.Group
	Kind       schema.GroupVersionKind
	Resource   schema.GroupVersionResource
	Namespaced bool
	Inputs     simpleschema.Result                        // schema of the instances' spec
	Status     map[string]apiextensionsv1.JSONSchemaProps // the author's projections; nil when there are none
}

// Build makes the definition, and reports what the API server would refuse of it, each problem at the field
// of the document that it comes from. Group, version, kind and a plural that is given are the caller's to
// check. The definition is given also when there are problems; nil only without a kind.
func Build(in Input) (*apiextensionsv1.CustomResourceDefinition, diag.List) {
	if in.Kind.Kind == "" {
		return nil, diag.List{}
	}
	c := &checker{in: in}
	scope := apiextensionsv1.ClusterScoped
	if in.Namespaced {
		scope = apiextensionsv1.NamespaceScoped
	}
	columns := c.columns()
	out := &apiextensionsv1.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "CustomResourceDefinition"},
		ObjectMeta: c.objectMeta(),
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: in.Kind.Group,
			Scope: scope,
			Names: names(in),
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: in.Kind.Version, Served: true, Storage: true,
				Schema:                   &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: rootSchema(in)},
				Subresources:             &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
				AdditionalPrinterColumns: columns,
			}},
		},
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&out.Spec)
	c.check(out)
	return out, c.problems
}

func names(in Input) apiextensionsv1.CustomResourceDefinitionNames {
	return apiextensionsv1.CustomResourceDefinitionNames{
		Kind:       in.Kind.Kind,
		ListKind:   in.Kind.Kind + "List",
		Plural:     in.Resource.Resource,
		Singular:   strings.ToLower(in.Kind.Kind),
		ShortNames: texts(in.Source.Schema.ShortNames),
		Categories: texts(in.Source.Schema.Categories),
	}
}

func texts(list *source.Value) []string {
	if list == nil {
		return nil
	}
	var out []string
	for _, item := range list.Items {
		out = append(out, item.Text())
	}
	return out
}

// objectMeta is the author's labels and annotations and ours, which the author cannot set.
func (c *checker) objectMeta() metav1.ObjectMeta {
	labels := c.marks(c.in.Source.Schema.Labels, ParentTypeLabel, ManagedByLabel, GroupUIDLabel)
	annotations := c.marks(c.in.Source.Schema.Annotations, GroupAnnotation)
	maps.Copy(labels, map[string]string{ParentTypeLabel: trueValue, ManagedByLabel: ManagedBy})
	annotations[GroupAnnotation] = c.in.Source.Name
	return metav1.ObjectMeta{
		Name:   c.in.Resource.Resource + "." + c.in.Kind.Group,
		Labels: labels, Annotations: annotations,
	}
}

// marks reads a map of texts and reports the keys that are Plait's.
func (c *checker) marks(v *source.Value, reserved ...string) map[string]string {
	out := map[string]string{}
	if v == nil {
		return out
	}
	for _, f := range v.Fields {
		for _, name := range reserved {
			if f.Key == name {
				c.report(f.Value, diag.InvalidValue, "\""+name+"\" is set by Plait itself", "Remove this line.")
			}
		}
		out[f.Key] = f.Value.Text()
	}
	return out
}
