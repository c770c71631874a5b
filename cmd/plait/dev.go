package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/plait-run/plait/cmd/plait/dev"
)

func newDev(std streams) *cobra.Command {
	options := dev.Options{Out: std.out}
	cmd := &cobra.Command{
		Use:   "dev [-f FILE|DIR…]",
		Short: "Run a whole cluster and the engine on this machine, and watch an example come up",
		Long: "Starts a real API server, etcd and controller-manager on free loopback ports, and the engine beside them; then applies an example - " +
			"or the files that you name - and shows how it comes up. Pods are simulated: nothing is pulled and no container runs. " +
			"Data stays in --dir, so that a second start continues. Ctrl-C stops everything. " +
			"With --provider a second cluster runs beside it, whose API the example uses through a Connection.",
		Example: "  plait dev\n  plait dev --provider\n  plait dev --exit-when-ready\n  plait dev -f group.yaml -f instance.yaml --reset",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options.Width = terminalWidth(std)
			err := dev.Run(cmd.Context(), options)
			if errors.As(err, new(dev.NotReadyError)) {
				return problemError{err.Error()}
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringSliceVarP(&options.Files, "filename", "f", nil, "ResourceGroups and instances to apply instead of the example")
	f.StringVar(&options.Dir, "dir", ".plait", "folder of the cluster's data, kubeconfig and logs")
	f.StringVar(&options.Assets, "assets", "", "folder of the control plane's binaries; default: KUBEBUILDER_ASSETS, or bin/k8s of the project")
	f.BoolVar(&options.Reset, "reset", false, "start anew, without the data of former runs")
	f.BoolVar(&options.Provider, "provider", false, "run a provider's cluster too, and the example that uses its API")
	f.BoolVar(&options.ExitWhenReady, "exit-when-ready", false, "end as soon as all instances are ACTIVE, with status 1 when that takes over 3 minutes")
	return cmd
}

// terminalWidth is 0 when the output is no terminal.
func terminalWidth(std streams) int {
	file, ok := std.out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}
