package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/plait-run/plait/cmd/plait/console"
)

func newConsole(std streams) *cobra.Command {
	var at target
	var port int
	cmd := &cobra.Command{
		Use:   "console",
		Short: "Show everything in a web page on this machine",
		Long: "Serves a page on loopback with all ResourceGroups, instances, Connections and Workspaces: each with its graph, what is waited for, what is wrong and what to do. " +
			"Changes come in by themselves. It reads with your own kubeconfig, writes nothing and hides the values of Secrets. " +
			"Only the URL that it prints opens it. Ctrl-C ends it.",
		Example: "  plait console\n  plait console --context production --port 8088",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, _, err := at.connect()
			if err != nil {
				return err
			}
			return console.Run(cmd.Context(), console.Options{Config: config, Port: port, Ready: func(url string) {
				fmt.Fprintf(std.out, "The console is at\n\n  %s\n\nCtrl-C ends it.\n", url)
			}})
		},
	}
	at.register(cmd)
	cmd.Flags().IntVar(&port, "port", 0, "port on loopback; 0: any free one")
	return cmd
}
