// Command bench measures the engine on a real API server: exact numbers of requests, and times as multiples of what
// plain client-go takes for the same writes in the same run.
//
// Each row is one JSON line; at the end a table shows what was measured beside its budget, and the exit status is 1
// when a row is over. Requests are those of the engine's own user in the API server's audit log, without watches,
// leases and events.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	engine := flag.String("engine", "bin/plait", "the program to measure")
	only := flag.String("only", "", "comma-separated names of workloads; all when empty")
	idle := flag.Duration("idle", idleWindow, "how long the idle workload watches")
	flag.Parse()
	log.SetLogger(logr.Discard())
	rows, err := run(ctx, *engine, strings.Split(*only, ","), *idle)
	report(rows)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if slices.ContainsFunc(rows, Row.IsOver) {
		os.Exit(1)
	}
}

// Row is one measurement.
type Row struct {
	What    string         `json:"what"`
	Value   float64        `json:"value"`
	Unit    string         `json:"unit"` // requests, x floor, s
	Budget  float64        `json:"budget,omitempty"`
	Floor   float64        `json:"floorSeconds,omitempty"`
	Seconds float64        `json:"seconds,omitempty"`
	Detail  map[string]int `json:"detail,omitempty"` // requests by verb and resource
}

// IsOver tells whether a row does not keep its budget; rows without one always do.
func (r Row) IsOver() bool { return r.Budget > 0 && r.Value > r.Budget }

func report(rows []Row) {
	encoder := json.NewEncoder(os.Stdout)
	for _, row := range rows {
		if err := encoder.Encode(row); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "\nwhat\tours\tbudget\tfloor\t")
	for _, row := range rows {
		budget, floor, mark := "", "", ""
		if row.Budget > 0 {
			budget = fmt.Sprintf("%.4g", row.Budget)
		}
		if row.Floor > 0 {
			floor = fmt.Sprintf("%.2f s", row.Floor)
		}
		if row.IsOver() {
			mark = "OVER"
		}
		fmt.Fprintf(w, "%s\t%.4g %s\t%s\t%s\t%s\n", row.What, row.Value, row.Unit, budget, floor, mark)
	}
	w.Flush()
}

// run measures the workloads, each on a cluster of its own, so that none sees what another left.
func run(ctx context.Context, engine string, only []string, idle idleDuration) ([]Row, error) {
	var rows []Row
	for _, workload := range workloads(idle) {
		if only[0] != "" && !slices.Contains(only, workload.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", workload.name)
		found, err := workload.measure(ctx, engine)
		rows = append(rows, found...)
		if err != nil {
			return rows, fmt.Errorf("measuring %q: %w", workload.name, err)
		}
	}
	return rows, nil
}
