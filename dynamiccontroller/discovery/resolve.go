package discovery

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/plait-run/plait/graph/expr"
	graphschema "github.com/plait-run/plait/graph/schema"
)

var _ graphschema.Resolver = (*Discovery)(nil)

// Resolve gives a kind with its schema. ok is false when the kind is not installed; an error means that it cannot be
// told now.
func (d *Discovery) Resolve(gvk schema.GroupVersionKind) (k *graphschema.Kind, ok bool, err error) {
	if err := d.canTell(); err != nil {
		return nil, false, fmt.Errorf("looking for kind %q: %w", gvk.GroupKind(), err)
	}
	found, ok, err := d.find(gvk)
	if err != nil {
		return nil, false, err
	}
	if !ok {
		return d.fromGroup(gvk)
	}
	k, ok, err = d.fromDefinition(found.Resource.GroupResource().String(), func(f *definition) *graphschema.Kind { return f.kinds[gvk] })
	if ok || err != nil {
		return k, ok, err
	}
	k, ok, err = d.fromOpenAPI(gvk)
	if ok || err != nil {
		return k, ok, err
	}
	return withoutSchema(gvk, found), true, nil
}

// canTell gives why nothing can be told while the definitions are not known.
func (d *Discovery) canTell() error {
	complete, fault := d.crds.State()
	if !complete && fault == nil {
		return errNoDefinitions
	}
	return fault
}

// withoutSchema is a kind that is served and of which no schema is published.
func withoutSchema(gvk schema.GroupVersionKind, found served) *graphschema.Kind {
	anything := &spec.Schema{
		SchemaProps:        spec.SchemaProps{Type: spec.StringOrArray{"object"}},
		VendorExtensible:   spec.VendorExtensible{Extensions: spec.Extensions{"x-kubernetes-preserve-unknown-fields": true}},
		SwaggerSchemaProps: spec.SwaggerSchemaProps{},
	}
	return &graphschema.Kind{
		GVK: gvk, Resource: found.Resource, Namespaced: found.Namespaced,
		Schema: anything, Type: expr.FromSchema(anything),
		HasScale: found.scale, HasStatus: found.status,
	}
}

// groupVersionOf reads a path of the list of documents: api/v1, apis/apps/v1.
func groupVersionOf(path string) (schema.GroupVersion, bool) {
	parts := strings.Split(path, "/")
	switch {
	case len(parts) == 2 && parts[0] == "api":
		return schema.GroupVersion{Version: parts[1]}, true
	case len(parts) == 3 && parts[0] == "apis":
		return schema.GroupVersion{Group: parts[1], Version: parts[2]}, true
	default:
		return schema.GroupVersion{}, false
	}
}
