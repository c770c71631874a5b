package expr

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Limits bound one evaluation. A zero cost means the API server's per-expression limit, and a zero time DefaultTime.
// The context may end it earlier.
type Limits struct {
	Cost uint64
	Time time.Duration

	// Usage is added to by each evaluation; nil: nobody counts. It must not be shared by evaluations at the same time.
	Usage *Usage
}

// Usage counts evaluations. Their cost is known where there is a limit to watch, which is for expressions with loops or
// calls that can be costly.
type Usage struct {
	Evaluations uint64
	Cost        uint64
}

func (u *Usage) add(cost uint64) {
	if u != nil {
		u.Evaluations++
		u.Cost += cost
	}
}

// DefaultTime is how long one evaluation may take: far beyond what the cost limit lets pass on an idle machine.
const DefaultTime = 5 * time.Second

// Vars holds the values by variable name: plain JSON values (map[string]any, []any, string, int64, float64, bool, nil;
// for def values and iterators also what Result.Value may hold). A name that is not in the map is not there yet.
// Values are only read.
type Vars map[string]any

// Result is the outcome of one evaluation; exactly one of its four forms.
type Result struct {
	// Value is plain: nil, bool, int64, uint64, float64, string, []byte, time.Time, time.Duration, []any,
	// map[string]any. Omitted values inside a list or map are left out already.
	Value   any
	Omitted bool      // optional.none() or omit(): leave the field, element or entry out
	Missing []Missing // not there yet; sorted, no duplicates
	Err     error     // *EvaluationError
}

// EvaluationError is an evaluation that fails until an input changes.
type EvaluationError struct {
	Source  string // the expression
	Summary string
	Limit   bool // the cost limit or the deadline stopped it
}

// Error names the expression and what is wrong.
func (e *EvaluationError) Error() string {
	return fmt.Sprintf("evaluating %q: %s", shorten(e.Source, 200), e.Summary)
}

// Eval computes the program. It changes nothing that vars refer to, and the result shares nothing with them.
func (p *Program) Eval(ctx context.Context, vars Vars, limits Limits) Result {
	if limits.Cost == 0 {
		limits.Cost = celconfig.PerCallLimit
	}
	if limits.Time == 0 {
		limits.Time = DefaultTime
	}
	if p.standalone {
		e := p.parts[0].expression
		value, missing, err := e.evaluate(ctx, vars, limits)
		if err != nil || missing != nil {
			return failed(missing, err)
		}
		return e.plainResult(value)
	}
	var text strings.Builder
	var missing []Missing
	for _, part := range p.parts {
		if part.expression == nil {
			text.WriteString(part.literal)
			continue
		}
		value, absent, err := part.expression.evaluate(ctx, vars, limits)
		if err == nil && absent == nil {
			err = part.expression.writeText(&text, value)
		}
		if err != nil {
			return failed(nil, err)
		}
		missing = append(missing, absent...)
	}
	if missing != nil {
		return failed(missing, nil)
	}
	return Result{Value: text.String()}
}

func failed(missing []Missing, err *EvaluationError) Result {
	if err != nil {
		return Result{Err: err}
	}
	slices.SortFunc(missing, compareMissing)
	return Result{Missing: slices.Compact(missing)}
}

// interruptEvery is the number of loop steps between two looks at the deadline.
const interruptEvery = celconfig.CheckFrequency

// evaluate runs the plan. Exactly one of the three results is given.
func (e *expression) evaluate(ctx context.Context, vars Vars, limits Limits) (ref.Val, []Missing, *EvaluationError) {
	if ctx.Err() != nil {
		return nil, nil, e.stopped(ctx)
	}
	if e.loops {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limits.Time)
		defer cancel()
	}
	value, err := e.execute(ctx, vars, limits)
	if cancelled := (interpreter.EvalCancelledError{}); errors.As(err, &cancelled) {
		return nil, nil, e.tooCostly(limits)
	}
	if err != nil {
		return nil, nil, e.failure("%s", err)
	}
	switch v := value.(type) {
	case *celtypes.Unknown:
		return nil, e.missing(v), nil
	case *celtypes.Err:
		if errors.Is(v, interpreter.InterruptError{}) {
			return nil, nil, e.stopped(ctx)
		}
		return nil, nil, e.failure("%s", explainRuntime(v))
	}
	return value, nil, nil
}

// execute turns the panic by which CEL ends a costly evaluation into an error.
func (e *expression) execute(ctx context.Context, vars Vars, limits Limits) (value ref.Val, err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case error:
			err = cause
		default:
			err = fmt.Errorf("%v", cause)
		}
	}()
	var tracker *interpreter.CostTracker
	defer func() { limits.Usage.add(costOf(tracker)) }()
	frame, err := interpreter.NewExecutionFrame(activation{vars: vars, declared: e.vars})
	if err != nil {
		return nil, err
	}
	defer frame.Close()
	if e.loops {
		if err := frame.SetContext(ctx, interruptEvery); err != nil {
			return nil, err
		}
	}
	observed, ok := e.plan.(*interpreter.ObservableInterpretable)
	if !ok {
		return e.plan.Exec(frame), nil
	}
	return observed.ObserveExec(frame, func(state any) {
		if found, ok := state.(*interpreter.CostTracker); ok {
			found.Limit, tracker = &limits.Cost, found
		}
	}), nil
}

func costOf(tracker *interpreter.CostTracker) uint64 {
	if tracker == nil {
		return 0
	}
	return tracker.ActualCost()
}

func (e *expression) failure(format string, args ...any) *EvaluationError {
	return &EvaluationError{Source: e.text, Summary: oneLine(fmt.Sprintf(format, args...))}
}

func (e *expression) tooCostly(limits Limits) *EvaluationError {
	return &EvaluationError{Source: e.text, Limit: true, Summary: fmt.Sprintf(
		"the cost limit of %d is exceeded; make the lists smaller that it goes through, or nest fewer loops", limits.Cost)}
}

func (e *expression) stopped(ctx context.Context) *EvaluationError {
	return &EvaluationError{Source: e.text, Limit: true, Summary: fmt.Sprintf("stopped before it was done: %s", context.Cause(ctx))}
}

// activation resolves variables to typed values. A variable without a value is unknown.
type activation struct {
	vars     Vars
	declared map[string]Variable
}

// ResolveName finds declared variables only.
func (a activation) ResolveName(name string) (any, bool) {
	v, ok := a.declared[name]
	if !ok {
		return nil, false
	}
	data, ok := a.vars[name]
	if !ok {
		return celtypes.NewUnknown(0, celtypes.NewAttributeTrail(name)), true
	}
	return v.Type.NativeToValue(data), true
}

// Parent has none.
func (a activation) Parent() interpreter.Activation { return nil }
