package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plait-run/plait/cmd/plait/differ"
	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/cmd/plait/online"
	"github.com/plait-run/plait/cmd/plait/term"
)

func newDiff(std streams) *cobra.Command {
	var in inputs
	var at target
	most := 100
	cmd := &cobra.Command{
		Use:   "diff -f GROUP",
		Short: "Show what applying a group would change in the cluster",
		Long: "Compares the API that a group generates with the one that the cluster serves, breaking changes marked, and evaluates every instance with the new group: " +
			"what would be created, changed or deleted. Changes are tried out by server-side dry run, as the service account of the instance where you may impersonate it, " +
			"else as yourself. Nothing is written. Ends with status 1 on breaking changes and on objects that the API server would refuse.",
		Example: "  plait diff -f group.yaml\n  plait diff -f group.yaml --instances 0 -o json",
		RunE: func(cmd *cobra.Command, args []string) error {
			config, _, err := at.connect()
			if err != nil {
				return err
			}
			config.Timeout = answerTime
			config.QPS = -1
			cluster, err := inspect.NewCluster(config)
			if err != nil {
				return err
			}
			group, err := in.loadGroupOnline(cmd, args, std, cluster)
			if err != nil {
				return err
			}
			actors, err := differ.NewAccounts(config)
			if err != nil {
				return err
			}
			d := &differ.Differ{Reader: cluster, Actors: actors, Most: most}
			return printDiff(cmd.Context(), std, in.output, func(ctx context.Context) (differ.Report, error) { return d.Compare(ctx, group.Graph) })
		},
	}
	in.register(cmd, "text", "json", "yaml")
	at.register(cmd)
	cmd.Flags().IntVar(&most, "instances", most, "how many instances to look at; 0: all")
	return cmd
}

// printDiff ends with status 1 when something should not be applied as it is.
func printDiff(ctx context.Context, std streams, format string, compare func(context.Context) (differ.Report, error)) error {
	report, err := compare(ctx)
	if err != nil {
		return clusterProblem(err)
	}
	if format == "text" {
		err = differ.Text(std.out, term.ScreenOf(std.out, lookupEnv), report)
	} else {
		err = printData(std.out, format, report)
	}
	if err == nil && report.HasProblem() {
		return problemError{}
	}
	return err
}

// loadGroupOnline is loadGroup with the kinds that a cluster has installed.
func (in *inputs) loadGroupOnline(cmd *cobra.Command, args []string, std streams, cluster inspect.Reader) (*offline.Group, error) {
	documents, known, problems, err := in.read(cmd, args, std)
	if err != nil {
		return nil, err
	}
	set, err := online.Load(cmd.Context(), cluster, documents, known)
	if err != nil {
		return nil, fmt.Errorf("compiling with the kinds of the cluster: %w", err)
	}
	set.Problems.Append(problems)
	return in.onlyGroup(cmd, args, std, set)
}
