package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
)

// The exit statuses of every command.
const (
	exitOK      = 0
	exitProblem = 1 // the document or the cluster has a problem
	exitUsage   = 2 // wrong usage, or a file that cannot be read
)

// Names under which kubectl calls the program.
const (
	pluginName     = "kubectl-plait"          // for kubectl plait
	completionName = "kubectl_complete-plait" // for the completion of that
)

// streams are what a command reads and writes.
type streams struct {
	in   io.Reader
	out  io.Writer
	err  io.Writer
	name string // by which the program was called; empty: plait
}

// problemError ends a command with status 1. An empty text has been told already.
type problemError struct{ text string }

func (e problemError) Error() string { return e.text }

// run executes one command line and gives its exit status.
func run(ctx context.Context, args []string, std streams) int {
	root := newRoot(std)
	switch filepath.Base(std.name) {
	case pluginName:
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl plait"}
	case completionName:
		args = append([]string{cobra.ShellCompRequestCmd}, args...)
	}
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	err := root.ExecuteContext(ctx)
	var problem problemError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &problem):
		if problem.text != "" {
			fmt.Fprintln(std.err, "plait:", problem.text)
		}
		return exitProblem
	default:
		fmt.Fprintln(std.err, "plait:", err)
		return exitUsage
	}
}

func newRoot(std streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "plait",
		Short:         "Compose Kubernetes resources into APIs of your own",
		Long:          "Plait turns a ResourceGroup - a schema and templates with CEL expressions - into a Kubernetes API, and keeps what its instances stand for.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(
		newValidate(std), newRender(std), newCRD(std), newGraph(std), newRBAC(std), newConvert(std), newVersion(std),
		newController(std), newDev(std), newConnect(std), newTree(std), newExplain(std), newDiff(std), newConsole(std),
	)
	return root
}
