package schema

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/plait-run/plait/graph/expr"
)

// Kind is what is known of one kind. Shared between all who ask: never to be changed.
type Kind struct {
	GVK        schema.GroupVersionKind
	Resource   schema.GroupVersionResource
	Namespaced bool
	Schema     *spec.Schema // of the whole object; every $ref resolved; recursive parts schema-less; never nil
	Type       *expr.Type   // of the whole object, by expr.FromSchema
	HasScale   bool         // has the scale subresource
	HasStatus  bool         // has the status subresource
}

// Resolver answers for kinds. Implementations are safe for concurrent use.
type Resolver interface {
	// Resolve gives a kind. It gives ok false when the kind is not installed, and an error when that cannot be
	// told now (discovery of its group fails).
	Resolve(gvk schema.GroupVersionKind) (k *Kind, ok bool, err error)
}
