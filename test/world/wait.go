package world

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

const (
	// Patience is how long anything is waited for: a right that was granted is noticed after half a minute, and the
	// machine may be slow.
	Patience = 90 * time.Second

	rhythm = 10 * time.Millisecond
)

// Final marks an error that waiting cannot mend: Until gives up at once.
func Final(err error) error { return &final{err} }

type final struct{ error }

func (f *final) Unwrap() error { return f.error }

// Until waits until nothing is wrong any more. It fails when Patience or the context ends, with what was wrong last, or
// with an error that is Final.
func Until(ctx context.Context, what string, wrong func() error) error {
	if err := poll(ctx, wrong); err != nil {
		return fmt.Errorf("waiting for %s: %w", what, err)
	}
	return nil
}

// Eventually waits until nothing is wrong any more; else it fails the test with a complaint ("the drift stays") and what
// was wrong last.
func Eventually(t testing.TB, complaint string, wrong func() error) {
	t.Helper()
	// Not the test's context: cleanups wait too.
	if err := poll(context.Background(), wrong); err != nil {
		t.Fatalf("%s: %v", complaint, err)
	}
}

func poll(ctx context.Context, wrong func() error) error {
	deadline := time.NewTimer(Patience)
	defer deadline.Stop()
	tick := time.NewTicker(rhythm)
	defer tick.Stop()
	for {
		err := wrong()
		var last *final
		if err == nil {
			return nil
		}
		if errors.As(err, &last) {
			return last.error
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		case <-deadline.C:
			return fmt.Errorf("for %s: %w", Patience, err)
		case <-tick.C:
		}
	}
}

// Wait waits for some time, where no condition tells: to see that nothing happens meanwhile.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
