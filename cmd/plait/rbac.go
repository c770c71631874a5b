package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plait-run/plait/cmd/plait/rbac"
)

func newRBAC(std streams) *cobra.Command {
	var in inputs
	cmd := &cobra.Command{
		Use:   "rbac -f GROUP",
		Short: "Print the roles that a group needs",
		Long: "Works out of the graph who must be allowed what, and prints it as roles: for the engine, for the service account that writes the children, " +
			"and for the users of the new kind. The engine grants nothing itself: read them, apply them, and bind those of the account.",
		Example: "  plait rbac -f group.yaml | kubectl apply -f -\n  plait rbac -f group.yaml --crds crds/ -o json",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, group, err := in.loadGroup(cmd, args, std)
			if err != nil {
				return err
			}
			documents := rbac.Documents(group.Graph)
			if in.output == "json" {
				tellNotes(std, documents)
				return printData(std.out, "json", rbac.List(documents))
			}
			text, err := rbac.YAML(documents)
			if err != nil {
				return err
			}
			if _, err := std.out.Write(text); err != nil {
				return fmt.Errorf("writing the roles: %w", err)
			}
			return nil
		},
	}
	in.register(cmd, "yaml", "json")
	return cmd
}

// tellNotes tells on stderr what stands in comments of the YAML form.
func tellNotes(std streams, documents []rbac.Document) {
	for _, d := range documents {
		for _, note := range d.Notes {
			fmt.Fprintf(std.err, "%s: %s\n", d.Name, note)
		}
	}
}
