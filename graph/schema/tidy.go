package schema

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/plait-run/plait/graph/expr"
)

// The extensions of Kubernetes that carry meaning here.
const (
	extPreserveUnknown = "x-kubernetes-preserve-unknown-fields"
	extIntOrString     = "x-kubernetes-int-or-string"
	extEmbedded        = "x-kubernetes-embedded-resource"
	extListType        = "x-kubernetes-list-type"
	extListMapKeys     = "x-kubernetes-list-map-keys"
)

// formatQuantity marks a schema that takes an int, a number, or a string such as 64Mi.
const formatQuantity = "quantity"

// newKind gives a kind of a schema of the whole object, which it takes over. A status is never required: the API
// server and controllers write it.
func newKind(gvk schema.GroupVersionKind, gvr schema.GroupVersionResource, s *spec.Schema) *Kind {
	s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return name == "status" })
	return &Kind{GVK: gvk, Resource: gvr, Schema: s, Type: expr.FromSchema(s)}
}

// tidied drops from one node what only people read, and marks what takes anything.
func tidied(s spec.Schema) spec.Schema {
	s.Description, s.Title, s.Example, s.ExternalDocs = "", "", nil, nil
	s.Default = meaningfulDefault(s.Default)
	if declaresNothing(s) {
		return marked(s, extPreserveUnknown)
	}
	return s
}

// declaresNothing tells whether a schema of a Go type says nothing of the value but perhaps that it is an object, as
// RawExtension, FieldsV1 and JSON do.
func declaresNothing(s spec.Schema) bool {
	if len(s.Type) > 0 && !s.Type.Contains("object") {
		return false
	}
	return len(s.Properties) == 0 && s.AdditionalProperties == nil && s.Items == nil &&
		len(s.AllOf)+len(s.AnyOf)+len(s.OneOf)+len(s.Enum) == 0 && s.Format == "" && !isTrue(s, extIntOrString)
}

// meaningfulDefault drops the zero values that OpenAPI generated from Go types gives to every field that is no
// pointer: such a field has no default for those who leave it out.
func meaningfulDefault(d any) any {
	switch v := d.(type) {
	case map[string]any:
		if len(v) == 0 {
			return nil
		}
	case string:
		if v == "" {
			return nil
		}
	case float64:
		if v == 0 {
			return nil
		}
	case int64:
		if v == 0 {
			return nil
		}
	case bool:
		if !v {
			return nil
		}
	}
	return d
}

func anything() spec.Schema { return marked(spec.Schema{}, extPreserveUnknown) }

func intOrString() spec.Schema { return marked(spec.Schema{}, extIntOrString) }

func quantity() spec.Schema {
	s := intOrString()
	s.Format = formatQuantity
	return s
}

// marked sets an extension that is true or false; the schema given stays as it is.
func marked(s spec.Schema, name string) spec.Schema {
	extensions := spec.Extensions{name: true}
	for key, other := range s.Extensions {
		if key != name {
			extensions[key] = other
		}
	}
	s.Extensions = extensions
	return s
}

func isTrue(s spec.Schema, extension string) bool {
	value, _ := s.Extensions[extension].(bool)
	return value
}
