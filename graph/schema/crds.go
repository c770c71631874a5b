package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// FromCRDs answers for the kinds of CustomResourceDefinitions, in every version that they serve. Where two define
// the same kind, the first one counts. The definitions must not change afterwards.
func FromCRDs(crds ...*apiextensions.CustomResourceDefinition) Resolver {
	d := definitions{}
	for _, crd := range crds {
		for _, version := range crd.Spec.Versions {
			gvk := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
			if _, taken := d[gvk]; taken || !version.Served {
				continue
			}
			d[gvk] = sync.OnceValues(func() (*Kind, error) { return kindOf(gvk, crd, version) })
		}
	}
	return d
}

// definitions makes a kind when it is first asked for.
type definitions map[schema.GroupVersionKind]func() (*Kind, error)

func (d definitions) Resolve(gvk schema.GroupVersionKind) (*Kind, bool, error) {
	kind, ok := d[gvk]
	if !ok {
		return nil, false, nil
	}
	k, err := kind()
	return k, err == nil, err
}

type crdVersion = apiextensions.CustomResourceDefinitionVersion

func kindOf(gvk schema.GroupVersionKind, crd *apiextensions.CustomResourceDefinition, v crdVersion) (*Kind, error) {
	s, err := wholeSchema(v)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of %q: %w", gvk, err)
	}
	if crd.Spec.PreserveUnknownFields {
		s = opened(s)
	}
	meta, err := objectMeta()
	if err != nil {
		return nil, err
	}
	s = completed(s, meta)
	s = asObject(s, meta)
	k := newKind(gvk, gvk.GroupVersion().WithResource(crd.Spec.Names.Plural), &s)
	k.Namespaced = crd.Spec.Scope == apiextensions.NamespaceScoped
	k.HasScale = v.Subresources != nil && v.Subresources.Scale != nil
	k.HasStatus = v.Subresources != nil && v.Subresources.Status != nil
	return k, nil
}

// wholeSchema gives the schema of a version as it was written; one that has none takes anything.
func wholeSchema(v crdVersion) (spec.Schema, error) {
	var s spec.Schema
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		s = anything()
		s.Type = spec.StringOrArray{"object"}
		return s, nil
	}
	raw, err := json.Marshal(v.Schema.OpenAPIV3Schema)
	if err != nil {
		return s, fmt.Errorf("writing it as JSON: %w", err)
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, fmt.Errorf("reading it as an OpenAPI schema: %w", err)
	}
	return s, nil
}

// completed adds to every embedded resource what each object has, and drops what only people read. It takes s over.
func completed(s spec.Schema, meta spec.Schema) spec.Schema {
	s.Description, s.Title, s.Example, s.ExternalDocs = "", "", nil, nil
	s = eachChild(s, func(child spec.Schema) spec.Schema { return completed(child, meta) })
	if isTrue(s, extEmbedded) {
		s = asObject(s, meta)
		s.Required = union(s.Required, "apiVersion", "kind")
	}
	return s
}

// opened lets every object of s take fields that it does not declare.
func opened(s spec.Schema) spec.Schema {
	s = eachChild(s, opened)
	if s.Type.Contains("object") && s.AdditionalProperties == nil {
		s = marked(s, extPreserveUnknown)
	}
	return s
}

// eachChild gives s with its properties, items and values changed. It takes s over.
func eachChild(s spec.Schema, change func(spec.Schema) spec.Schema) spec.Schema {
	for name, property := range s.Properties {
		s.Properties[name] = change(property)
	}
	if s.Items != nil && s.Items.Schema != nil {
		*s.Items.Schema = change(*s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		*s.AdditionalProperties.Schema = change(*s.AdditionalProperties.Schema)
	}
	return s
}

// asObject gives s the apiVersion, kind and metadata that the API server serves for every object. Of its own metadata
// an author can only restrict the name.
func asObject(s spec.Schema, meta spec.Schema) spec.Schema {
	own := s.Properties["metadata"]
	properties := maps.Clone(meta.Properties)
	for _, name := range []string{"name", "generateName"} {
		if restricted, ok := own.Properties[name]; ok {
			properties[name] = restricted
		}
	}
	meta.Properties = properties
	s.Properties = maps.Clone(s.Properties)
	if s.Properties == nil {
		s.Properties = map[string]spec.Schema{}
	}
	s.Properties["metadata"] = meta
	for _, name := range []string{"apiVersion", "kind"} {
		if _, ok := s.Properties[name]; !ok {
			s.Properties[name] = *spec.StringProperty()
		}
	}
	return s
}

// objectMeta is the schema of the metadata of every object, as built-in kinds have it.
func objectMeta() (spec.Schema, error) {
	k, ok, err := Embedded().Resolve(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
	if err != nil {
		return spec.Schema{}, fmt.Errorf("reading the schema of metadata: %w", err)
	}
	if !ok {
		return spec.Schema{}, errors.New("reading the schema of metadata: the embedded kinds lack v1 ConfigMap")
	}
	return k.Schema.Properties["metadata"], nil
}

func union(names []string, more ...string) []string {
	out := slices.Clone(names)
	for _, name := range more {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
