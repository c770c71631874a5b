package schema

import (
	"context"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/graph/crd"
	graphschema "github.com/plait-run/plait/graph/schema"
)

// synthesise makes an export of what discovery and OpenAPI tell of a resource, a schema for each of its versions. The
// preferred version is taken, and with it those of the same schema: nobody here can convert between others. What the API
// server here would not take of defaults and rules is left to the provider, who checks anyway.
func synthesise(ctx context.Context, from candidate, schemas []*graphschema.Schema) Export {
	preferred := from.versions[0]
	e := from.export()
	var bare Export
	for _, strict := range []bool{true, false} {
		versions := make([]apiextensionsv1.CustomResourceDefinitionVersion, 0, len(schemas))
		for i, s := range schemas {
			version, err := versionOf(from.versions[i].version, s, strict)
			if err != nil {
				e.Fault = Fault{v1alpha1.ExportedAPIInvalid, ReasonTooLarge, err.Error()}
				return e
			}
			if i == 0 || crd.SameSchema(versions[0], version) {
				versions = append(versions, version)
			}
		}
		versions[0].Storage = true
		bare = e.withDefinition(ctx, apiextensionsv1.CustomResourceDefinitionSpec{
			Group: from.group, Names: namesOf(preferred, from.plural), Scope: scopeOf(e.Namespaced), Versions: versions,
		})
		if bare.Definition != nil {
			return bare
		}
	}
	return bare
}

func scopeOf(namespaced bool) apiextensionsv1.ResourceScope {
	if namespaced {
		return apiextensionsv1.NamespaceScoped
	}
	return apiextensionsv1.ClusterScoped
}

func namesOf(o offer, plural string) apiextensionsv1.CustomResourceDefinitionNames {
	return apiextensionsv1.CustomResourceDefinitionNames{
		Plural: plural, Singular: o.SingularResource, Kind: o.ResponseKind.Kind,
		ShortNames: slices.Clone(o.ShortNames), Categories: slices.Clone(o.Categories),
	}
}

// versionOf makes one version of a definition.
func versionOf(name string, s *graphschema.Schema, strict bool) (apiextensionsv1.CustomResourceDefinitionVersion, error) {
	c := converter{strict: strict, left: maxNodes}
	root := c.node(s.Root)
	if c.left < 0 {
		return apiextensionsv1.CustomResourceDefinitionVersion{}, errTooManyNodes
	}
	if root.Properties == nil {
		root.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
	}
	for _, field := range []string{"apiVersion", "kind"} {
		root.Properties[field] = apiextensionsv1.JSONSchemaProps{Type: "string"}
	}
	root.Properties["metadata"] = apiextensionsv1.JSONSchemaProps{Type: "object"}
	root.Type, root.AdditionalProperties, root.Default, root.Nullable = "object", nil, nil, false
	root.Required = slices.DeleteFunc(root.Required, func(field string) bool {
		return field == "apiVersion" || field == "kind" || field == "metadata" || field == "status"
	})
	out := apiextensionsv1.CustomResourceDefinitionVersion{
		Name: name, Served: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
	}
	if s.HasStatus || s.HasScale {
		out.Subresources = &apiextensionsv1.CustomResourceSubresources{}
	}
	if s.HasStatus {
		out.Subresources.Status = &apiextensionsv1.CustomResourceSubresourceStatus{}
	}
	if s.HasScale {
		out.Subresources.Scale = scaleOf(root)
	}
	if out.Subresources != nil && out.Subresources.Status == nil && out.Subresources.Scale == nil {
		out.Subresources = nil
	}
	return out, nil
}

// scaleOf gives the usual paths of scale where the schema has them; nil where they cannot be known.
func scaleOf(root apiextensionsv1.JSONSchemaProps) *apiextensionsv1.CustomResourceSubresourceScale {
	_, hasSpec := root.Properties["spec"].Properties["replicas"]
	_, hasStatus := root.Properties["status"].Properties["replicas"]
	if !hasSpec || !hasStatus {
		return nil
	}
	out := &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas"}
	for _, name := range []string{"selector", "labelSelector"} {
		if property, ok := root.Properties["status"].Properties[name]; ok && property.Type == "string" {
			path := strings.Join([]string{"", "status", name}, ".")
			out.LabelSelectorPath = &path
			break
		}
	}
	return out
}
