package crd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Change is one difference, as users see it.
type Change struct {
	Path string // of the field in an object: spec.ports[*].name, spec.labels.*; names and scope of the definition: names.kind
	What string // for people: `the type changed from string to integer`
}

// String is `path: what`.
func (c Change) String() string { return c.Path + ": " + c.What }

// Report is the comparison of a definition that is served with one that is to take its place.
type Report struct {
	Equal    bool     // nothing needs to be written
	Breaking []Change // changes of the spec that existing objects or their authors may not survive; sorted
	Warnings []Change // changes of the status, and of defaults; sorted
}

// Compare compares two definitions. Equal is about everything that is ours to say: the whole spec, all labels,
// and the annotations that are wanted. Every version that is served is searched for breaking changes; versions
// that are added are none.
func Compare(served, wanted *apiextensionsv1.CustomResourceDefinition) Report {
	served, wanted = withDefaults(served), withDefaults(wanted)
	d := &differ{}
	d.names(&served.Spec, &wanted.Spec)
	for _, old := range served.Spec.Versions {
		if old.Served {
			d.version(old, &wanted.Spec)
		}
	}
	return Report{Equal: isEqual(served, wanted), Breaking: sorted(d.breaking), Warnings: sorted(d.warnings)}
}

func withDefaults(crd *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	out := crd.DeepCopy()
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&out.Spec)
	return out
}

func isEqual(a, b *apiextensionsv1.CustomResourceDefinition) bool {
	for name, value := range b.Annotations {
		if found, ok := a.Annotations[name]; !ok || found != value {
			return false
		}
	}
	return maps.Equal(a.Labels, b.Labels) && sameJSON(a.Spec, b.Spec)
}

// sameJSON compares what two values look like to a client, whatever the spelling of embedded JSON.
func sameJSON(a, b any) bool { return reflect.DeepEqual(plain(a), plain(b)) }

func plain(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding %T: %w", v, err) // two of these are never equal
	}
	var out any
	if err := utiljson.Unmarshal(raw, &out); err != nil {
		return fmt.Errorf("decoding %T: %w", v, err)
	}
	return out
}

func sorted(changes []Change) []Change {
	slices.SortFunc(changes, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.What, b.What))
	})
	return slices.Compact(changes)
}

// differ gathers changes.
type differ struct {
	breaking, warnings []Change
	inStatus           bool // all changes are warnings
}

func (d *differ) add(path, format string, args ...any) {
	change := Change{Path: path, What: fmt.Sprintf(format, args...)}
	if d.inStatus {
		d.warnings = append(d.warnings, change)
		return
	}
	d.breaking = append(d.breaking, change)
}

func (d *differ) names(old, wanted *apiextensionsv1.CustomResourceDefinitionSpec) {
	for _, n := range []struct{ path, old, wanted string }{
		{"group", old.Group, wanted.Group},
		{"scope", string(old.Scope), string(wanted.Scope)},
		{"names.kind", old.Names.Kind, wanted.Names.Kind},
		{"names.listKind", old.Names.ListKind, wanted.Names.ListKind},
		{"names.plural", old.Names.Plural, wanted.Names.Plural},
		{"names.singular", old.Names.Singular, wanted.Names.Singular},
	} {
		if n.old != n.wanted {
			d.add(n.path, "changed from %q to %q", n.old, n.wanted)
		}
	}
}

func (d *differ) version(old apiextensionsv1.CustomResourceDefinitionVersion, wanted *apiextensionsv1.CustomResourceDefinitionSpec) {
	i := slices.IndexFunc(wanted.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
		return v.Name == old.Name && v.Served
	})
	if i < 0 {
		d.add("versions", "the version %s is not served any more", old.Name)
		return
	}
	before, after := schemaOf(old), schemaOf(wanted.Versions[i])
	if hasStatus(old) && !hasStatus(wanted.Versions[i]) {
		d.warnings = append(d.warnings, Change{Path: "status", What: "the status subresource of " + old.Name + " is gone"})
	}
	status := &differ{inStatus: true}
	status.property("status", before, after, "status")
	delete(before.Properties, "status")
	delete(after.Properties, "status")
	d.schema("", before, after)
	d.warnings = append(d.warnings, status.warnings...)
}

// schemaOf gives a copy of a version's schema; an empty one when it has none.
func schemaOf(v apiextensionsv1.CustomResourceDefinitionVersion) *apiextensionsv1.JSONSchemaProps {
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		return &apiextensionsv1.JSONSchemaProps{XPreserveUnknownFields: new(true)}
	}
	return v.Schema.OpenAPIV3Schema.DeepCopy()
}

func hasStatus(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
	return v.Subresources != nil && v.Subresources.Status != nil
}
