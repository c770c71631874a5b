package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/plait-run/plait/cmd/plait/explain"
	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/term"
	"github.com/plait-run/plait/cmd/plait/tree"
)

func newExplain(std streams) *cobra.Command {
	var at target
	var output string
	cmd := &cobra.Command{
		Use:   "explain KIND/NAME",
		Short: "Say why an object is not ready, and what to do",
		Long: "Finds the first causes of an instance, ResourceGroup, Connection, binding or Workspace not being ready: what stands at the beginning of a chain " +
			"comes first, and what only waits for it is left out. Each cause comes with the next thing to do and a command that shows more. " +
			"Ends with status 1 when somebody has to do something.",
		Example:           "  plait explain webapp/shop -n team-a\n  plait explain rg/webapps.apps.plait.run\n  plait explain workspace/eu-1 -o json",
		Args:              oneObject,
		ValidArgsFunction: at.completeObject,
		RunE: func(cmd *cobra.Command, args []string) error {
			cluster, namespace, err := at.open(false)
			if err != nil {
				return err
			}
			ref, err := object(cmd.Context(), cluster, namespace, args)
			if err != nil {
				return err
			}
			return explainObject(cmd.Context(), std.out, output, explanation{reader: cluster, ref: ref})
		},
	}
	at.register(cmd)
	registerOutput(cmd, &output, "text", "json", "yaml")
	return cmd
}

// explanation is what to explain.
type explanation struct {
	reader inspect.Reader
	ref    inspect.Reference
}

// explainObject ends with status 1 when a cause needs somebody's hand.
func explainObject(ctx context.Context, out io.Writer, format string, what explanation) error {
	it, err := inspect.Gather(ctx, what.reader, what.ref, inspect.Options{Findings: true})
	if err != nil {
		return missing(ctx, what.reader, what.ref, err)
	}
	e := explain.Explain(it)
	if format == "text" {
		err = tree.Drawer{Screen: term.ScreenOf(out, lookupEnv), Now: time.Now()}.Explanation(out, e)
	} else {
		err = printData(out, format, e)
	}
	if err == nil && e.NeedsHand() {
		return problemError{}
	}
	return err
}
