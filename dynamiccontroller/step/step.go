package step

import (
	"context"
	"fmt"
	"time"
)

// Outcome says how a pass goes on after a step.
type Outcome struct {
	stop  bool
	after time.Duration
}

// Next goes on with the next step.
func Next() Outcome { return Outcome{} }

// Stop ends the pass well; the steps after it are not run.
func Stop() Outcome { return Outcome{stop: true} }

// StopFor ends the pass well and asks for another one after d. A d of zero or less is Stop.
func StopFor(d time.Duration) Outcome { return Outcome{stop: true, after: d} }

// NextFor goes on, and asks for another pass after d. Of several wishes of one pass the shortest counts.
func NextFor(d time.Duration) Outcome { return Outcome{after: d} }

// Step is one stage of a reconcile over a state S (a pointer).
type Step[S any] struct {
	Name string // as errors and logs show it: "resolving identity"
	Do   func(ctx context.Context, state S) (Outcome, error)
	// Always runs the step although an earlier one stopped the pass or failed: for the status, and for what must be
	// given back. Its Stop ends nothing that had not ended.
	Always bool
}

// Result is what a pass came to.
type Result struct {
	Last  string        // the name of the step that ended the pass; the last of the list when all were run
	After time.Duration // when to look again by time; zero means only on an event
}

// Error is a step that failed. It keeps the step's name apart from the cause, which errors.As and errors.Is see.
type Error struct {
	Step string
	Err  error
}

// Error is `resolving identity: cause`.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Step, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
