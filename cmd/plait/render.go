package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph/source"
)

func newRender(std streams) *cobra.Command {
	var in inputs
	var observedFiles []string
	cmd := &cobra.Command{
		Use:   "render -f GROUP -f INSTANCE [--observed FILE]",
		Short: "Show what one evaluation of an instance gives",
		Long: "Defaults and validates the instance as the API server would, evaluates it once, and prints the objects in the order of applying, " +
			"what waits, and the status. --observed names objects as a cluster reports them: children with a status, and externals.",
		Example: "  plait render -f group.yaml -f instance.yaml\n  plait render -f group.yaml -f instance.yaml --observed cluster.yaml -o json",
		RunE: func(cmd *cobra.Command, args []string) error {
			set, group, err := in.loadGroup(cmd, args, std)
			if err != nil {
				return err
			}
			instance, err := onlyInstance(set, group)
			if err != nil {
				return err
			}
			var observed []*source.Document
			if len(observedFiles) > 0 {
				docs, problems, err := offline.Read(observedFiles, std.in)
				if err != nil {
					return err
				}
				tell(std, problems)
				observed = docs
			}
			rendering := offline.Render(cmd.Context(), group.Graph, instance, observed)
			tell(std, rendering.Problems)
			return printRendering(std.out, in.output, rendering)
		},
	}
	in.register(cmd, "text", "json", "yaml")
	cmd.Flags().StringSliceVar(&observedFiles, "observed", nil, "file with objects as a cluster reports them")
	return cmd
}

func onlyInstance(set *offline.Set, group *offline.Group) (*source.Document, error) {
	var found []*source.Document
	for _, doc := range set.Instances {
		if set.GraphOf(doc) == group.Graph {
			found = append(found, doc)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	kind := group.Graph.Kind()
	return nil, fmt.Errorf("render takes one instance of %s (%s), and the files hold %d", kind.Kind, kind.GroupVersion(), len(found))
}

// printRendering writes a rendering; a state that needs somebody's hand ends the command with status 1.
func printRendering(out io.Writer, format string, r offline.Rendering) error {
	var err error
	if format == "text" {
		err = printText(out, r)
	} else {
		err = printData(out, format, r)
	}
	if err == nil && r.State == "FAILED" {
		return problemError{}
	}
	return err
}

func printText(out io.Writer, r offline.Rendering) error {
	for _, object := range r.Objects {
		data, err := yaml.Marshal(object)
		if err != nil {
			return fmt.Errorf("writing an object: %w", err)
		}
		fmt.Fprintf(out, "---\n%s", data)
	}
	fmt.Fprintf(out, "---\n# state: %s\n", r.State)
	if r.Message != "" {
		fmt.Fprintf(out, "# %s\n", r.Message)
	}
	for _, n := range r.Nodes {
		line := fmt.Sprintf("# %-20s %-9s %s", n.ID, n.State, n.Message)
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
	if len(r.Status) == 0 {
		return nil
	}
	data, err := yaml.Marshal(map[string]any{"status": r.Status})
	if err != nil {
		return fmt.Errorf("writing the status: %w", err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		fmt.Fprintln(out, "# "+line)
	}
	return nil
}
