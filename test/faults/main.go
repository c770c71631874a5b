package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	program := flag.String("engine", "bin/plait", "the program to break")
	only := flag.String("only", "", "the name of one workload; all when empty")
	flag.Parse()
	log.SetLogger(logr.Discard())
	in, err := world.Start(ctx, faultsConfig)
	if err != nil {
		fail(err)
	}
	provider, err := world.Start(ctx, cluster.Config{})
	if err != nil {
		fail(errors.Join(err, in.Stop()))
	}
	found, err := sweepThem(ctx, in, provider, *program, *only)
	if err := errors.Join(err, in.Stop(), provider.Stop()); err != nil {
		fail(err)
	}
	if found > 0 {
		os.Exit(1)
	}
}

// sweepThem takes every point of the workloads, prints what it finds, and counts it.
func sweepThem(ctx context.Context, in, provider *world.World, program, only string) (found int, err error) {
	w, err := newRig(ctx, in, provider, program)
	if err != nil {
		return 0, err
	}
	for _, l := range workloads() {
		if only != "" && l.name != only {
			continue
		}
		sweeps, err := sweepAll(ctx, w, []workload{l}, everyPoint, [][]fault{crashes[:1], crashes[1:], losses, hangs})
		if err != nil {
			return found, err
		}
		sweeps[0].outcome.print(os.Stdout, l.name)
		found += len(sweeps[0].outcome.findings)
	}
	return found, nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "faults:", err)
	os.Exit(2)
}

func everyPoint(int) bool { return true }

// sweepAll takes workloads, at the same time, through the points that are chosen by their index, the faults of a list at
// once.
func sweepAll(ctx context.Context, w *rig, all []workload, chosen func(int) bool, lists [][]fault) ([]*sweep, error) {
	sweeps, err := newSweeps(ctx, w, all...)
	if err != nil {
		return nil, fmt.Errorf("doing the clean run: %w", err)
	}
	for _, faults := range lists {
		var parties []party
		for _, s := range sweeps {
			var points []point
			for i, p := range s.points(faults) {
				if chosen(i) {
					points = append(points, p)
				}
			}
			parties = append(parties, party{s, pack(points)})
		}
		if err := w.march(ctx, parties); err != nil {
			return sweeps, err
		}
	}
	return sweeps, nil
}

// print shows what was swept, and what was found.
func (o outcome) print(w io.Writer, name string) {
	for _, f := range o.findings {
		fmt.Fprintln(w, f)
	}
	total := 0
	for _, kind := range slices.Sorted(maps.Keys(o.reached)) {
		fmt.Fprintf(w, "%-12s %4d points at %s\n", name, o.reached[kind], kind)
		total += o.reached[kind]
	}
	fmt.Fprintf(w, "%-12s %4d points, %d findings, %d points whose write did not come %v\n",
		name, total, len(o.findings), len(o.missed), o.missed)
}
