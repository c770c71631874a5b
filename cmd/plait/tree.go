package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/progress"
	"github.com/plait-run/plait/cmd/plait/term"
	"github.com/plait-run/plait/cmd/plait/tree"
)

func newTree(std streams) *cobra.Command {
	var at target
	var output string
	var watch bool
	cmd := &cobra.Command{
		Use:   "tree KIND/NAME",
		Short: "Show what hangs on an object: nodes, children, copies at providers, mounts",
		Long: "Shows an instance with its nodes and their objects: the state of each, for how long, and what is waited for. " +
			"Instances inside of it, copies that a provider keeps, and the object behind a Workspace are followed; so are the instances of a ResourceGroup, " +
			"and the bindings and APIs of a Connection. KIND is a kind, a plural, a short name or resource.group. Reads with your own rights.",
		Example:           "  plait tree webapp/shop\n  plait tree webapp/shop -n team-a --watch\n  plait tree workspace/eu-1 -o json",
		Args:              oneObject,
		ValidArgsFunction: at.completeObject,
		RunE: func(cmd *cobra.Command, args []string) error {
			cluster, namespace, err := at.open(watch)
			if err != nil {
				return err
			}
			ref, err := object(cmd.Context(), cluster, namespace, args)
			if err != nil {
				return err
			}
			if watch {
				return watchTree(cmd.Context(), std.out, output, func(ctx context.Context, show func(*inspect.Item)) error {
					return inspect.Follow(ctx, cluster, ref, show)
				})
			}
			it, err := inspect.Gather(cmd.Context(), cluster, ref, inspect.Options{})
			if err != nil {
				return missing(cmd.Context(), cluster, ref, err)
			}
			return printTree(std.out, output, it, time.Now())
		},
	}
	at.register(cmd)
	registerOutput(cmd, &output, "text", "json", "yaml")
	cmd.Flags().BoolVarP(&watch, "watch", "w", false, "stay, and show every change")
	return cmd
}

func printTree(out io.Writer, format string, it *inspect.Item, now time.Time) error {
	if format != "text" {
		return printData(out, format, it)
	}
	drawer := tree.Drawer{Screen: term.ScreenOf(out, lookupEnv), Now: now}
	for _, line := range drawer.Tree(it) {
		if _, err := fmt.Fprintln(out, line.Text); err != nil {
			return fmt.Errorf("writing the tree: %w", err)
		}
	}
	return nil
}

// treeWatch shows trees as they come: on a terminal in place, with ages that go on; elsewhere each change as a line, or each
// tree as a document.
type treeWatch struct {
	out     io.Writer
	format  string
	screen  term.Screen
	printer *progress.Printer
	fail    context.CancelCauseFunc

	mu   sync.Mutex // of all below, and of drawing
	last *inspect.Item
}

func watchTree(ctx context.Context, out io.Writer, format string, follow func(context.Context, func(*inspect.Item)) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	screen := term.ScreenOf(out, lookupEnv)
	w := &treeWatch{
		out: out, format: format, screen: screen, fail: cancel,
		printer: progress.NewPrinter(out, screen.Width, func() string { return time.Now().Format(time.TimeOnly) }),
	}
	var ticking sync.WaitGroup
	defer ticking.Wait()
	defer cancel(nil)
	if screen.Width > 0 && format == "text" {
		ticking.Go(func() { w.tick(ctx) })
	}
	if err := follow(ctx, w.show); err != nil {
		return clusterProblem(err)
	}
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// show shows a new tree.
func (w *treeWatch) show(it *inspect.Item) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = it
	if w.format == "text" {
		w.draw()
		return
	}
	if err := printData(w.out, w.format, it); err != nil {
		w.fail(err)
	}
}

// tick lets ages go on.
func (w *treeWatch) tick(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		w.mu.Lock()
		if w.last != nil {
			w.draw()
		}
		w.mu.Unlock()
	}
}

// draw draws as many lines as the screen has. Where there is none it leaves ages out, which would change every line.
func (w *treeWatch) draw() {
	drawer := tree.Drawer{Screen: w.screen, Now: time.Now(), NoAges: w.screen.Width == 0}
	lines := drawer.Tree(w.last)
	if most := w.screen.Height - 2; w.screen.Height > 0 && len(lines) > most {
		more := progress.Line{Subject: "…", Text: fmt.Sprintf("… and %d more lines", len(lines)-most)}
		lines = append(lines[:most:most], more)
	}
	w.printer.Show(lines)
}
