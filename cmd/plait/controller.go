package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plait-run/plait/cmd/plait/engine"
)

func newController(std streams) *cobra.Command {
	options := engine.Defaults()
	drain := false
	cmd := &cobra.Command{
		Use:   "controller",
		Short: "Run the engine: everything that serves ResourceGroups in a cluster",
		Long: "Serves every ResourceGroup of the cluster until it is stopped. Each flag can be set by an environment variable " +
			"as well: PLAIT_ and its name in capitals, with _ for -.",
		Example: "  plait controller --install-crds --leader-elect=false\n  PLAIT_KUBECONFIG=~/.kube/config plait controller\n  plait controller --drain",
		Args:    cobra.NoArgs,
		PreRunE: func(cmd *cobra.Command, _ []string) error { return flagsFromEnvironment(cmd.Flags(), os.LookupEnv) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := options.Validate(); err != nil {
				return err
			}
			if drain {
				return drainCluster(cmd.Context(), options, std)
			}
			return runEngine(cmd.Context(), options)
		},
	}
	options.Register(cmd.Flags())
	cmd.Flags().BoolVar(&drain, "drain", false, "instead of running take Plait's finalizers off everything, and end: before Plait is uninstalled")
	cmd.SetErr(std.err)
	return cmd
}

func runEngine(ctx context.Context, options engine.Options) error {
	paceCollections()
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { freeAtRest(ctx) })
	defer beside.Wait()
	defer stop()
	e, err := engine.New(ctx, options)
	if err != nil {
		return problemError{err.Error()}
	}
	if err := e.Run(ctx); err != nil {
		return problemError{err.Error()}
	}
	return nil
}

func drainCluster(ctx context.Context, options engine.Options, std streams) error {
	if err := engine.Drain(ctx, options, std.out); err != nil {
		return problemError{err.Error()}
	}
	return nil
}

// flagsFromEnvironment sets the flags that the command line left out and the environment names.
func flagsFromEnvironment(flags *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var faults []string
	flags.VisitAll(func(f *pflag.Flag) {
		name := "PLAIT_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, ok := lookup(name)
		if f.Changed || !ok {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			faults = append(faults, fmt.Sprintf("%s: %q is no value of type %s", name, value, f.Value.Type()))
		}
	})
	if len(faults) > 0 {
		return fmt.Errorf("the environment sets flags wrongly: %s", strings.Join(faults, "; "))
	}
	return nil
}
