package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/api/config"
)

const apiIntro = `# API

Every field of the kinds of ` + "`plait.run/v1alpha1`" + `, as ` + "`kubectl explain`" + ` tells them. Fields of ` + "`metadata`" + ` and of conditions are
those of all Kubernetes objects. A field of a list's items has ` + "`[]`" + ` in its path, one of a map's values ` + "`{}`" + `.

What ` + "`spec.schema`" + ` and ` + "`spec.resources`" + ` of a ResourceGroup may hold is told by [the language](../language.md).
`

// apiPage is the reference of all fields, out of the generated definitions.
func apiPage() (string, error) {
	var b strings.Builder
	b.WriteString(generated + apiIntro)
	for _, file := range config.CRDs() {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(file.YAML, crd); err != nil {
			return "", fmt.Errorf("reading %q: %w", file.Name, err)
		}
		names, version := crd.Spec.Names, crd.Spec.Versions[0]
		schema := version.Schema.OpenAPIV3Schema
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", names.Kind, oneLine(schema.Description))
		fmt.Fprintf(&b, "%s; `kubectl get %s`%s.\n\n", scopeText(crd.Spec.Scope), names.Plural, shortText(names.ShortNames))
		b.WriteString("| field | type | means |\n|---|---|---|\n")
		for _, part := range []string{"spec", "status"} {
			if field, ok := schema.Properties[part]; ok {
				writeFields(&b, part, &field)
			}
		}
	}
	return b.String(), nil
}

func scopeText(scope apiextensionsv1.ResourceScope) string {
	if scope == apiextensionsv1.ClusterScoped {
		return "Cluster-scoped"
	}
	return "In a namespace"
}

func shortText(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", short `" + strings.Join(names, "`, `") + "`"
}

// writeFields writes the rows of the fields below one, those of conditions left out.
func writeFields(b *strings.Builder, path string, schema *apiextensionsv1.JSONSchemaProps) {
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		field := schema.Properties[name]
		fieldPath := path + "." + name
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", fieldPath, typeText(&field), meaning(&field, slices.Contains(schema.Required, name)))
		if name == "conditions" {
			continue
		}
		switch {
		case field.Items != nil && field.Items.Schema != nil:
			writeFields(b, fieldPath+"[]", field.Items.Schema)
		case field.AdditionalProperties != nil && field.AdditionalProperties.Schema != nil:
			writeFields(b, fieldPath+"{}", field.AdditionalProperties.Schema)
		default:
			writeFields(b, fieldPath, &field)
		}
	}
}

func typeText(schema *apiextensionsv1.JSONSchemaProps) string {
	switch {
	case schema.Items != nil && schema.Items.Schema != nil:
		return "list of " + typeText(schema.Items.Schema)
	case schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil:
		return "map of " + typeText(schema.AdditionalProperties.Schema)
	case schema.XIntOrString:
		return "integer or string"
	case schema.Type == "":
		return "anything"
	case schema.Format != "":
		return schema.Type + " (" + schema.Format + ")"
	default:
		return schema.Type
	}
}

// meaning is the description, and what is checked beside the type.
func meaning(schema *apiextensionsv1.JSONSchemaProps, required bool) string {
	parts := []string{oneLine(schema.Description)}
	if required {
		parts = append(parts, "Required.")
	}
	if schema.Default != nil {
		parts = append(parts, "Default `"+string(schema.Default.Raw)+"`.")
	}
	if len(schema.Enum) > 0 {
		var values []string
		for _, value := range schema.Enum {
			var text string
			if json.Unmarshal(value.Raw, &text) != nil {
				text = string(value.Raw)
			}
			values = append(values, "`"+text+"`")
		}
		parts = append(parts, "One of "+strings.Join(values, ", ")+".")
	}
	for _, rule := range schema.XValidations {
		if rule.Message != "" {
			parts = append(parts, "Checked: "+rule.Message+".")
		}
	}
	return strings.ReplaceAll(strings.TrimSpace(strings.Join(parts, " ")), "|", `\|`)
}
