package differ

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph/crd"
	"github.com/plait-run/plait/graph/source"
)

// compareAPI compares the definition that a cluster has, nil for none, with the one that takes its place.
func compareAPI(served, wanted *apiextensionsv1.CustomResourceDefinition) API {
	out := API{Name: wanted.Name, Kind: wanted.Spec.Names.Kind, State: APINew, Changes: []Change{}}
	if served == nil {
		return out
	}
	report := crd.Compare(served, carriedOver(served, wanted))
	if out.State = APIChanged; report.Equal {
		out.State = APIUnchanged
		return out
	}
	for _, c := range report.Breaking {
		out.Changes = append(out.Changes, Change{Path: c.Path, What: c.What, Breaking: true})
	}
	rest := additions(served, wanted)
	for _, c := range report.Warnings {
		rest = append(rest, Change{Path: c.Path, What: c.What})
	}
	slices.SortStableFunc(rest, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.What, b.What))
	})
	if len(out.Changes)+len(rest) == 0 {
		rest = append(rest, Change{Path: "schema", What: "descriptions, columns, rules or labels changed; no object is affected"})
	}
	out.Changes = append(out.Changes, rest...)
	return out
}

// carriedOver gives the wanted definition with the labels and annotations that only the engine knows.
func carriedOver(served, wanted *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	out := wanted.DeepCopy()
	out.Labels = carried(served.Labels, out.Labels)
	out.Annotations = carried(served.Annotations, out.Annotations)
	return out
}

func carried(served, wanted map[string]string) map[string]string {
	out := maps.Clone(wanted)
	if out == nil {
		out = map[string]string{}
	}
	for key, value := range served {
		prefix, _, _ := strings.Cut(key, "/")
		if _, ok := out[key]; !ok && isMark(prefix) {
			out[key] = value
		}
	}
	return out
}

// isMark tells the prefixes of labels and annotations that Plait sets.
func isMark(prefix string) bool {
	return prefix == "plait.run" || prefix == "applyset.kubernetes.io" || prefix == "app.kubernetes.io"
}

// additions finds versions and fields that are new.
func additions(served, wanted *apiextensionsv1.CustomResourceDefinition) []Change {
	var out []Change
	for _, v := range wanted.Spec.Versions {
		i := slices.IndexFunc(served.Spec.Versions, func(old apiextensionsv1.CustomResourceDefinitionVersion) bool { return old.Name == v.Name })
		if i < 0 {
			out = append(out, Change{Path: "versions", What: "the version " + v.Name + " is new"})
			continue
		}
		newFields(&out, "", schemaOf(served.Spec.Versions[i]), schemaOf(v))
	}
	return out
}

func schemaOf(v apiextensionsv1.CustomResourceDefinitionVersion) *apiextensionsv1.JSONSchemaProps {
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		return &apiextensionsv1.JSONSchemaProps{}
	}
	return v.Schema.OpenAPIV3Schema
}

func newFields(out *[]Change, path string, old, wanted *apiextensionsv1.JSONSchemaProps) {
	for _, name := range slices.Sorted(maps.Keys(wanted.Properties)) {
		at, after := source.JoinKey(path, name), wanted.Properties[name]
		before, had := old.Properties[name]
		if !had {
			*out = append(*out, Change{Path: at, What: "the field is new"})
			continue
		}
		newFields(out, at, &before, &after)
	}
	if old.Items != nil && wanted.Items != nil && old.Items.Schema != nil && wanted.Items.Schema != nil {
		newFields(out, path+"[*]", old.Items.Schema, wanted.Items.Schema)
	}
	if old.AdditionalProperties != nil && wanted.AdditionalProperties != nil &&
		old.AdditionalProperties.Schema != nil && wanted.AdditionalProperties.Schema != nil {
		newFields(out, path+".*", old.AdditionalProperties.Schema, wanted.AdditionalProperties.Schema)
	}
}
