package schema

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/remote"
)

var definitionsResource = schema.GroupVersionResource{
	Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
}

// pageSize is how many definitions one answer of a list holds.
const pageSize = 500

// Catalog asks one provider for its exports, and remembers the answers. One for each Provider; not safe for concurrent
// use.
type Catalog struct {
	provider    *remote.Provider
	definitions map[string]carried
	documents   documents
	version     string // of the provider; empty: not known
}

// NewCatalog gives a catalog that knows nothing yet.
func NewCatalog(provider *remote.Provider) *Catalog {
	return &Catalog{provider: provider, definitions: map[string]carried{}}
}

// IsOf tells whether the catalog asks by this Provider.
func (c *Catalog) IsOf(provider *remote.Provider) bool { return c != nil && c.provider == provider }

// Version gives the provider's Kubernetes version; empty while it cannot be told. It is asked for until it is known.
func (c *Catalog) Version(ctx context.Context) string {
	if c.version == "" {
		raw, err := c.provider.Discovery.RESTClient().Get().AbsPath("/version").Do(ctx).Raw()
		var info version.Info
		if err == nil && json.Unmarshal(raw, &info) == nil {
			c.version = shortened(info.GitVersion)
		}
	}
	return c.version
}

// carried is what was made of one definition in one version of it.
type carried struct {
	version string // UID and resource version
	export  Export
}

// FromDefinitions gives the exports among the provider's CustomResourceDefinitions, by their label, sorted. Whole
// definitions are read only where the filter takes them and they have changed. It is all or nothing; errors are those of remote.Classify.
func (c *Catalog) FromDefinitions(ctx context.Context, filter Filter) ([]Export, error) {
	found := map[string]metav1.PartialObjectMetadata{}
	for _, label := range []string{v1alpha1.LabelExported, v1alpha1.LabelExportedKbind} {
		if err := c.list(ctx, label+"="+v1alpha1.True, found); err != nil {
			return nil, err
		}
	}
	next := map[string]carried{}
	exports := []Export{}
	for name, metadata := range found {
		resource, group, _ := strings.Cut(name, ".") // as every definition is named
		if !IsExportable(group) || !filter.Takes(group, resource) || len(name) > maxName {
			continue
		}
		known, ok, err := c.carry(ctx, name, string(metadata.UID)+"/"+metadata.ResourceVersion)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		next[name] = known
		exports = append(exports, known.export)
	}
	c.definitions = next
	return bounded(exports)
}

// list adds the metadata of all definitions with a label that are there to stay.
func (c *Catalog) list(ctx context.Context, selector string, found map[string]metav1.PartialObjectMetadata) error {
	options := metav1.ListOptions{LabelSelector: selector, Limit: pageSize}
	for {
		page, err := c.provider.Metadata.Resource(definitionsResource).List(ctx, options)
		if err != nil {
			return remote.Classify(err, "list", "customresourcedefinitions")
		}
		for _, item := range page.Items {
			if item.DeletionTimestamp == nil { // what is going is not offered any more
				found[item.Name] = item
			}
		}
		if options.Continue = page.Continue; options.Continue == "" {
			return nil
		}
	}
}

// carry gives the export of a definition in a version; ok is false when it is gone by now.
func (c *Catalog) carry(ctx context.Context, name, version string) (known carried, ok bool, err error) {
	if known, ok = c.definitions[name]; ok && known.version == version {
		return known, true, nil
	}
	u, err := c.provider.Dynamic.Resource(definitionsResource).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return carried{}, false, nil
	}
	if err != nil {
		return carried{}, false, remote.Classify(err, "get", "customresourcedefinitions/"+name)
	}
	definition := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, definition); err != nil {
		return carried{version: version, export: unreadable(name, "it cannot be decoded: "+shortened(err.Error()))}, true, nil
	}
	if !isConsistent(name, definition.Spec) {
		return carried{version: version, export: unreadable(name, "its spec is of other names than its own, or of names that no API server takes")}, true, nil
	}
	return carried{version: version, export: Carry(ctx, definition)}, true, nil
}

// maxName is how long the name of a definition may be, in bytes; maxLabel, that of a kind or version.
const (
	maxName  = 253
	maxLabel = 63
)

// isConsistent tells whether a definition is about what its name says, as an API server sees to: what is believed of one name
// must not be told by another.
func isConsistent(name string, spec apiextensionsv1.CustomResourceDefinitionSpec) bool {
	isTooLong := func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return len(v.Name) > maxLabel }
	return spec.Names.Plural+"."+spec.Group == name && len(spec.Names.Kind) <= maxLabel && !slices.ContainsFunc(spec.Versions, isTooLong)
}

// unreadable is the export of a definition of which no more than the name can be believed.
func unreadable(name, why string) Export {
	resource, group, _ := strings.Cut(name, ".")
	return Export{Group: group, Resource: resource, Fault: Fault{v1alpha1.ExportedAPIInvalid, ReasonInvalidSchema, "the provider's definition makes no sense: " + why}}
}
