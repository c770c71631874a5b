package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// OpenAPI is a Resolver for the kinds of one group and version, made of an OpenAPI v3 document. Kinds are made when
// they are asked for, so that a document of hundreds of schemas costs little until then. Safe for concurrent use.
type OpenAPI struct {
	resources  map[string]servedAs        // by kind
	components map[string]json.RawMessage // by schema name

	mu    sync.Mutex
	kinds map[string]*Kind       // those asked for
	whole map[string]spec.Schema // expanded components in which nothing was cut
}

// FromOpenAPI reads the OpenAPI v3 document of one group and version, as an API server serves it under
// /openapi/v3/apis/GROUP/VERSION. Its paths tell resource names, scope and subresources; kinds that no path reads by
// name (lists, options, reviews) are left out. The document must not change afterwards.
func FromOpenAPI(gv schema.GroupVersion, document []byte) (*OpenAPI, error) {
	var parsed struct {
		Paths      map[string]pathItem `json:"paths"`
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(document, &parsed); err != nil {
		return nil, fmt.Errorf("reading the OpenAPI document of %q: %w", gv, err)
	}
	o := &OpenAPI{
		resources:  resourcesOf(gv, parsed.Paths),
		components: parsed.Components.Schemas,
		kinds:      map[string]*Kind{},
		whole:      map[string]spec.Schema{},
	}
	if err := o.nameComponents(gv); err != nil {
		return nil, fmt.Errorf("reading the OpenAPI document of %q: %w", gv, err)
	}
	return o, nil
}

// nameComponents finds the schema of every resource by the kind that the schema says it is of.
func (o *OpenAPI) nameComponents(gv schema.GroupVersion) error {
	for name, raw := range o.components {
		var tagged struct {
			Kinds []schema.GroupVersionKind `json:"x-kubernetes-group-version-kind"`
		}
		if err := json.Unmarshal(raw, &tagged); err != nil {
			return fmt.Errorf("reading schema %q: %w", name, err)
		}
		for _, gvk := range tagged.Kinds {
			r, ok := o.resources[gvk.Kind]
			if !ok || gvk.GroupVersion() != gv {
				continue
			}
			r.component = name
			o.resources[gvk.Kind] = r
		}
	}
	for kind, r := range o.resources {
		if r.component == "" {
			delete(o.resources, kind)
		}
	}
	return nil
}

// Kinds are the kinds of the document, sorted by name.
func (o *OpenAPI) Kinds() []schema.GroupVersionKind {
	out := make([]schema.GroupVersionKind, 0, len(o.resources))
	for kind, r := range o.resources {
		out = append(out, r.gvr.GroupVersion().WithKind(kind))
	}
	slices.SortFunc(out, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}

// Resolve gives a kind of the document. An error means that its schema cannot be read.
func (o *OpenAPI) Resolve(gvk schema.GroupVersionKind) (*Kind, bool, error) {
	r, ok := o.resources[gvk.Kind]
	if !ok || r.gvr.GroupVersion() != gvk.GroupVersion() {
		return nil, false, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if k, done := o.kinds[gvk.Kind]; done {
		return k, true, nil
	}
	s, err := o.expand(r.component)
	if err != nil {
		return nil, false, fmt.Errorf("reading the schema of %q: %w", gvk, err)
	}
	k := newKind(gvk, r.gvr, s)
	k.Namespaced, k.HasScale, k.HasStatus = r.namespaced, r.scale, r.status
	o.kinds[gvk.Kind] = k
	return k, true, nil
}

// Schema is a kind of an OpenAPI document without the type of its values, which for a document that nobody trusts might be
// far larger than the document. Shared: never to be changed.
type Schema struct {
	Root      *spec.Schema // of the whole object; every $ref resolved; recursive parts schema-less; parts may be shared
	HasScale  bool
	HasStatus bool
}

// Expand gives the schema of a kind of the document; one that the document does not know is an error.
func (o *OpenAPI) Expand(kind string) (*Schema, error) {
	r, ok := o.resources[kind]
	if !ok {
		return nil, fmt.Errorf("the document has no kind %q", kind)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	root, err := o.expand(r.component)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of %q: %w", kind, err)
	}
	return &Schema{Root: root, HasScale: r.scale, HasStatus: r.status}, nil
}
