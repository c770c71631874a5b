package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/plait-run/plait/cmd/plait/engine"
)

// notInChart are flags that the chart decides itself: where the cluster is, that it ships the definitions, and that
// nobody acts as the engine.
var notInChart = []string{"kubeconfig", "install-crds", "allow-acting-as-self"}

// otherwise are the defaults in which the chart differs from the program: namespaces are those of the release.
var otherwise = map[string]string{"metrics-secure": "true", "namespace": "", "secrets-namespace": ""}

const valuesFile = "deploy/chart/values.yaml"

// settingsMark begins the part of the values that is generated; it is the last part.
const settingsMark = "\nengine:"

const settingsIntro = `
# The flags of plait controller, under their names in camel case. Empty ones are not set. (Written by make generate.)
engine:
`

// addSettings gives the values of the chart a setting for each flag of the engine, and a schema to all.
func addSettings(root string, files map[string][]byte) error {
	flags := pflag.NewFlagSet("controller", pflag.ContinueOnError)
	options := engine.Defaults()
	options.Register(flags)
	old, err := os.ReadFile(filepath.Join(root, valuesFile))
	if err != nil {
		return fmt.Errorf("reading the chart's values: %w", err)
	}
	start := bytes.Index(old, []byte(settingsMark))
	if start < 0 {
		return fmt.Errorf("reading the chart's values: %s has no part %q", valuesFile, "engine:")
	}
	head := old[:start]
	if comment := bytes.LastIndex(head, []byte("\n# The flags of")); comment >= 0 {
		head = head[:comment]
	}
	values := bytes.NewBuffer(append(bytes.TrimRight(head, "\n"), '\n'))
	values.WriteString(settingsIntro)
	properties := map[string]any{}
	flags.VisitAll(func(f *pflag.Flag) {
		if slices.Contains(notInChart, f.Name) {
			return
		}
		fmt.Fprintf(values, "  # %s\n  %s: %s\n", f.Usage, valueName(f.Name), valueText(f))
		properties[valueName(f.Name)] = valueSchema(f)
	})
	files[valuesFile] = values.Bytes()
	schema, err := json.MarshalIndent(map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
		"properties": map[string]any{
			"engine": map[string]any{"type": "object", "additionalProperties": false, "properties": properties},
			"rbac": map[string]any{"type": "object", "properties": map[string]any{
				"mode": map[string]any{"enum": []string{"strict", "open"}},
			}},
			"replicas": map[string]any{"type": "integer", "minimum": 0},
		},
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the schema of the values: %w", err)
	}
	files["deploy/chart/values.schema.json"] = append(schema, '\n')
	return nil
}

// valueName is a flag's name in camel case: concurrent-applies is concurrentApplies.
func valueName(flagName string) string {
	first, rest, _ := strings.Cut(flagName, "-")
	out := first
	for word := range strings.SplitSeq(rest, "-") {
		if word != "" {
			out += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return out
}

// valueText is a flag's default as YAML.
func valueText(f *pflag.Flag) string {
	text := f.DefValue
	if other, ok := otherwise[f.Name]; ok {
		text = other
	}
	switch valueSchema(f)["type"] {
	case "array", "boolean", "integer", "number":
		return text
	default:
		return strconv.Quote(text)
	}
}

func valueSchema(f *pflag.Flag) map[string]any {
	switch f.Value.Type() {
	case "bool":
		return map[string]any{"type": "boolean"}
	case "stringSlice", "stringArray":
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	case "int", "int32", "int64", "uint", "uint32", "uint64":
		return map[string]any{"type": "integer"}
	case "float32", "float64":
		return map[string]any{"type": "number"}
	default:
		return map[string]any{"type": "string"}
	}
}
