package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// Row is one measurement.
type Row struct {
	What   string         `json:"what"`
	Ours   float64        `json:"ours"`
	Unit   string         `json:"unit"` // requests, x floor, s, ms, MiB
	Bound  Bound          `json:"bound,omitempty"`
	Budget float64        `json:"budget"`           // means nothing without a bound
	Floor  float64        `json:"floor,omitempty"`  // what ours is a multiple of, in the unit Of
	Of     string         `json:"of,omitempty"`     // unit of Floor
	Detail map[string]int `json:"detail,omitempty"` // requests by verb and resource

	coarse bool // of processor time: means nothing of few events, as the clock of processes ticks slowly
}

// Bound says how a budget is meant. The empty one: there is no budget, the row is for information.
type Bound string

// Bounds of a budget.
const (
	AtMost  Bound = "at most"
	Exactly Bound = "exactly"
)

// IsOver tells whether a row does not keep its budget.
func (r Row) IsOver() bool {
	return r.Bound == AtMost && r.Ours > r.Budget || r.Bound == Exactly && r.Ours != r.Budget
}

// isExact tells whether the row is the same on every machine; others are times and sizes.
func (r Row) isExact() bool { return r.Unit == "requests" || r.Unit == "writes" }

// requests is a row of requests.
func requests(what string, bound Bound, budget int, got counted) Row {
	return Row{What: what, Unit: "requests", Bound: bound, Budget: float64(budget), Ours: float64(got.total), Detail: got.by}
}

// multiple is a row of something that is a multiple of a floor in the same unit.
func multiple(what string, budget, ours, floor float64, unit string) Row {
	return Row{What: what, Unit: "x floor", Bound: AtMost, Budget: budget, Ours: ours / floor, Floor: floor, Of: unit}
}

// processorTime is multiple for processor time.
func processorTime(what string, budget, ours, floor float64) Row {
	row := multiple(what+": processor time", budget, ours, floor, "ms")
	row.coarse = true
	return row
}

// report writes a table, and then all rows as one line of JSON.
func report(to io.Writer, rows []Row) error {
	w := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "what\tfloor\tours\tbudget\t")
	for _, row := range rows {
		floor, budget, mark := "", "", ""
		if row.Floor > 0 {
			floor = fmt.Sprintf("%.3g %s", row.Floor, row.Of)
		}
		if row.Bound != "" {
			budget = fmt.Sprintf("%s %.4g", row.Bound, row.Budget)
		}
		if row.IsOver() {
			mark = "OVER"
		}
		fmt.Fprintf(w, "%s\t%s\t%.4g %s\t%s\t%s\n", row.What, floor, row.Ours, row.Unit, budget, mark)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	if err := json.NewEncoder(to).Encode(map[string][]Row{"rows": rows}); err != nil {
		return fmt.Errorf("printing the rows: %w", err)
	}
	return nil
}
