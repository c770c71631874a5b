// Command bench measures the engine on a real API server: exact numbers of requests, and times as multiples of what
// plain client-go takes for the same writes in the same run.
//
// It prints a table of what was measured beside its floor and budget, and all rows as one line of JSON; the exit status
// is 1 when a row is over. Requests are those of the engine's own user agent in the API server's audit log, without
// watches, leases and events. Processor time and memory are read from /proc.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	size := full
	engine := flag.String("engine", "bin/plait", "the program to measure")
	only := flag.String("only", "", "comma-separated names of workloads; all when empty")
	quick := flag.Bool("quick", false, "measure less of everything, as the test does")
	idle := flag.Duration("idle", 0, "how long an idle engine is watched; 0: 10 minutes, or 1 when quick")
	flag.Parse()
	log.SetLogger(logr.Discard())
	if kubeconfig := os.Getenv(informerEnv); kubeconfig != "" {
		if err := keepInformer(ctx, kubeconfig); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(2)
		}
		return
	}
	if *quick {
		size = small
	}
	if *idle > 0 {
		size.idle = *idle
	}
	rows, err := run(ctx, *engine, strings.Split(*only, ","), size)
	if err := errors.Join(err, report(os.Stdout, rows)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if slices.ContainsFunc(rows, Row.IsOver) {
		os.Exit(1)
	}
}

// scale says how much of everything is measured.
type scale struct {
	repeats int           // of what is timed; the medians count
	many    []int         // instances brought up at once; the first of them is changed and deleted too
	settled int           // instances over which the engine is restarted
	edited  int           // children edited meanwhile
	idle    time.Duration // an idle engine is watched for
	events  int           // of one child of a large instance
	nodes   []int         // of groups that are compiled, ascending
	crowd   int           // instances behind a slow webhook

	informer bool // measure beside the engine what an informer alone needs
}

var (
	full = scale{
		repeats: 5, many: []int{50, 200}, settled: 1000, edited: 10, idle: 10 * time.Minute, events: 500,
		nodes: []int{500, 1000, 2000}, crowd: 10_000, informer: true,
	}
	small = scale{
		repeats: 1, many: []int{20}, settled: 30, edited: 10, idle: time.Minute, events: 50, nodes: []int{100, 400}, crowd: 60,
	}
)

// run measures the workloads, each on a cluster of its own, so that none sees what another left.
func run(ctx context.Context, engine string, only []string, size scale) ([]Row, error) {
	var rows []Row
	for _, workload := range workloads() {
		if only[0] != "" && !slices.Contains(only, workload.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", workload.name)
		found, err := workload.measure(ctx, engine, size)
		rows = append(rows, found...)
		if err != nil {
			return rows, fmt.Errorf("measuring %q: %w", workload.name, err)
		}
	}
	return rows, nil
}
