package binding

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/api/v1alpha1"
)

// definition is what matters of an installed CustomResourceDefinition.
type definition struct {
	connection string // that it came through; empty: somebody else made it
	hash       string // of its schema
	group      string
	resource   string
	kind       string
	storage    string
	served     []string
	statuses   map[string]bool // by version: it has the subresource status
	conditions map[string]bool // by version: its status can hold conditions
}

func definitionOf(crd *apiextensionsv1.CustomResourceDefinition) *definition {
	out := &definition{
		hash: crd.Annotations[v1alpha1.AnnotationSchemaHash], group: crd.Spec.Group, resource: crd.Spec.Names.Plural,
		kind: crd.Spec.Names.Kind, statuses: map[string]bool{}, conditions: map[string]bool{},
	}
	if crd.Labels[v1alpha1.LabelManaged] == v1alpha1.True {
		out.connection = crd.Labels[v1alpha1.LabelConnection]
	}
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			out.storage = v.Name
		}
		if v.Served {
			out.served = append(out.served, v.Name)
		}
		out.statuses[v.Name] = v.Subresources != nil && v.Subresources.Status != nil
		out.conditions[v.Name] = v.Schema != nil && holdsConditions(v.Schema.OpenAPIV3Schema)
	}
	return out
}

// holdsConditions tells whether a schema lets status have conditions as Kubernetes has them, or anything.
func holdsConditions(schema *apiextensionsv1.JSONSchemaProps) bool {
	if schema == nil {
		return false
	}
	status, ok := schema.Properties["status"]
	if !ok {
		return isOpen(schema)
	}
	conditions, ok := status.Properties["conditions"]
	if !ok {
		return isOpen(&status)
	}
	return conditions.Type == "array" && conditions.Items != nil && conditions.Items.Schema != nil &&
		(isOpen(conditions.Items.Schema) || len(conditions.Items.Schema.Properties["message"].Type) > 0)
}

func isOpen(schema *apiextensionsv1.JSONSchemaProps) bool {
	return schema.XPreserveUnknownFields != nil && *schema.XPreserveUnknownFields
}
