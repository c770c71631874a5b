package step

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Run takes the state through the steps in order, until one stops the pass or fails; steps marked Always are run
// in any case. A context that ends is the next step's error. Every error is an *Error with the step's name, several
// are joined in order.
func Run[S any](ctx context.Context, steps []Step[S], state S) (Result, error) {
	var (
		res   Result
		ended bool
		errs  []error
	)
	for _, s := range steps {
		if ended && !s.Always {
			continue
		}
		out, err := run(ctx, s, state)
		if !ended {
			res.Last = s.Name
		}
		res.After = shorter(res.After, out.after)
		ended = ended || out.stop || err != nil
		if err != nil {
			errs = append(errs, &Error{Step: s.Name, Err: err})
		}
	}
	return res, Joined(errs...)
}

// Joined gives several errors as one, in one line, and leaves out those that are nil; nil: there is none.
func Joined(errs ...error) error {
	errs = slices.DeleteFunc(slices.Clone(errs), func(err error) bool { return err == nil })
	if len(errs) == 0 {
		return nil
	}
	out := errs[0]
	for _, err := range errs[1:] {
		out = fmt.Errorf("%w; %w", out, err)
	}
	return out
}

func run[S any](ctx context.Context, s Step[S], state S) (Outcome, error) {
	if err := ctx.Err(); err != nil && !s.Always {
		return Outcome{}, err
	}
	return s.Do(ctx, state)
}

func shorter(a, b time.Duration) time.Duration {
	if b <= 0 || (a > 0 && a < b) {
		return a
	}
	return b
}
