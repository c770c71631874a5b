package main

import (
	"github.com/spf13/cobra"
)

func newCRD(std streams) *cobra.Command {
	var in inputs
	cmd := &cobra.Command{
		Use:     "crd -f GROUP",
		Short:   "Print the CustomResourceDefinition that a group generates",
		Example: "  plait crd -f group.yaml | kubectl apply --dry-run=server -f -",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, group, err := in.loadGroup(cmd, args, std)
			if err != nil {
				return err
			}
			return printData(std.out, in.output, group.Graph.CRD())
		},
	}
	in.register(cmd, "yaml", "json")
	return cmd
}
