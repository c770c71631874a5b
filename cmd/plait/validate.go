package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph/diag"
)

func newValidate(std streams) *cobra.Command {
	var in inputs
	cmd := &cobra.Command{
		Use:   "validate -f FILE|DIR…",
		Short: "Show every problem of ResourceGroups and of instances of them",
		Long: "Compiles the ResourceGroups in the files, holds instances in them against the APIs that the groups generate " +
			"and other objects against their kinds, and says " +
			"whether a Workspace can be mounted on these. " +
			"Needs no cluster: all built-in kinds are known, and --crds names others.",
		Example: "  plait validate -f group.yaml\n  plait validate -f platform/ --crds crds/ -o json\n  cat group.yaml | plait validate -f -",
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := in.load(cmd, args, std)
			if err != nil {
				return err
			}
			set.CheckInstances(cmd.Context())
			if in.output == "text" {
				tell(std, set.Problems)
				if !set.Problems.HasErrors() {
					fmt.Fprintf(std.out, "%s: no errors\n", contents(set))
				}
				tellMountable(std.out, set)
			} else if err := printData(std.out, in.output, validationData(set)); err != nil {
				return err
			}
			if set.Problems.HasErrors() {
				return problemError{}
			}
			return nil
		},
	}
	in.register(cmd, "text", "json", "yaml")
	return cmd
}

// contents counts what was looked at.
func contents(set *offline.Set) string {
	groups, instances := count(len(set.Groups), "ResourceGroup"), count(len(set.Instances), "instance")
	if len(set.Others) == 0 {
		return groups + " and " + instances
	}
	return groups + ", " + instances + " and " + count(len(set.Others), "other object")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// diagnostic is the JSON form of a diag.Diagnostic.
type diagnostic struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`
	Path       string `json:"path"`
	Code       string `json:"code"`
	Severity   string `json:"severity"`
	Summary    string `json:"summary"`
	Detail     string `json:"detail"`
	Suggestion string `json:"suggestion"`
}

func diagnosticsData(problems diag.List) map[string]any {
	out := []diagnostic{}
	for _, d := range problems.Sorted() {
		out = append(out, diagnostic{
			File: d.File, Line: d.Position.Line, Column: d.Position.Column, Path: d.Path, Code: string(d.Code),
			Severity: d.Severity.String(), Summary: d.Summary, Detail: d.Detail, Suggestion: d.Suggestion,
		})
	}
	return map[string]any{"diagnostics": out}
}

// printData writes a value as JSON or YAML.
func printData(out io.Writer, format string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", format, err)
	}
	if format == "yaml" {
		if data, err = yaml.JSONToYAML(data); err != nil {
			return fmt.Errorf("writing %s: %w", format, err)
		}
		_, err = out.Write(data)
		return err
	}
	_, err = fmt.Fprintln(out, string(data))
	return err
}
