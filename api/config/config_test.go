package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"

	"github.com/plait-run/plait/api/config"
)

// kinds is what users see of every kind: how kubectl calls it, and what it prints.
var kinds = []struct {
	plural, kind string
	scope        apiextensionsv1.ResourceScope
	shortNames   []string
	columns      string
	status       bool
}{
	{"resourcegroups", "ResourceGroup", "Cluster", []string{"rg"}, "State,Ready,Age", true},
	{"resourcegrouprevisions", "ResourceGroupRevision", "Cluster", []string{"rgr"}, "Group,Revision,Age", false},
	{"connections", "Connection", "Cluster", nil, "Ready,Provider,APIs,Source,Last discovery,Age", true},
	{"clusterbindings", "ClusterBinding", "Cluster", nil, "Ready,Connection,Synced,Conflicts,Age", true},
	{"bindings", "Binding", "Namespaced", []string{"pbinding"}, "Ready,Connection,Synced,Conflicts,Age", true},
	{"workspaces", "Workspace", "Cluster", nil, "Phase,URL,Mount,Age", true},
}

func TestCRDsAreAllKinds(t *testing.T) {
	var got []string
	for _, file := range config.CRDs() {
		got = append(got, file.Name)
	}
	want := []string{
		"plait.run_bindings.yaml", "plait.run_clusterbindings.yaml", "plait.run_connections.yaml",
		"plait.run_resourcegrouprevisions.yaml", "plait.run_resourcegroups.yaml", "plait.run_workspaces.yaml",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("generated CRDs (-want +got):\n%s", diff)
	}
}

func TestCRDsBelongToTheCaller(t *testing.T) {
	first := config.CRDs()
	clear(first[0].YAML)
	if again := config.CRDs(); again[0].YAML[0] == 0 {
		t.Error("a change of what CRDs returned is seen by the next caller")
	}
}

func TestAPIServerAcceptsCRDs(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.kind, func(t *testing.T) {
			errs := validation.ValidateCustomResourceDefinition(t.Context(), internalCRD(t, kind.plural))
			for _, err := range errs {
				t.Error(err)
			}
		})
	}
}

func TestNamesAndColumns(t *testing.T) {
	for _, want := range kinds {
		t.Run(want.kind, func(t *testing.T) {
			crd := decodeCRD(t, want.plural)
			names := crd.Spec.Names
			if names.Kind != want.kind || names.ListKind != want.kind+"List" || crd.Spec.Scope != want.scope {
				t.Errorf("kind %s, list kind %s, scope %s", names.Kind, names.ListKind, crd.Spec.Scope)
			}
			if diff := cmp.Diff(want.shortNames, names.ShortNames); diff != "" {
				t.Errorf("short names (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{"plait"}, names.Categories); diff != "" {
				t.Errorf("categories (-want +got):\n%s", diff)
			}
			version := crd.Spec.Versions[0]
			var columns []string
			for _, column := range version.AdditionalPrinterColumns {
				columns = append(columns, column.Name)
			}
			if got := strings.Join(columns, ","); got != want.columns {
				t.Errorf("printer columns %q, want %q", got, want.columns)
			}
			if got := version.Subresources != nil && version.Subresources.Status != nil; got != want.status {
				t.Errorf("status subresource: %t, want %t", got, want.status)
			}
		})
	}
}

// Everything that users meet in `kubectl explain` is described, down to the last field.
func TestEveryFieldIsDescribed(t *testing.T) {
	for _, kind := range kinds {
		schema := decodeCRD(t, kind.plural).Spec.Versions[0].Schema.OpenAPIV3Schema
		for _, path := range undescribed(schema, kind.kind) {
			t.Errorf("%s has no description", path)
		}
	}
}

// undescribed lists the paths of fields without a description. The metadata of the object
// itself is the API server's to describe.
func undescribed(schema *apiextensionsv1.JSONSchemaProps, path string) []string {
	var out []string
	if schema.Items != nil && schema.Items.Schema != nil {
		out = append(out, undescribed(schema.Items.Schema, path+"[]")...)
	}
	for name, field := range schema.Properties {
		at := path + "." + name
		isObjectMeta := name == "metadata" && !strings.Contains(path, ".")
		if field.Description == "" && !isObjectMeta {
			out = append(out, at)
		}
		out = append(out, undescribed(&field, at)...)
	}
	return out
}
