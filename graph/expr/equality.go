package expr

import (
	"errors"

	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// equality is a == b or a != b. It refuses to compare what is too large, as CEL goes through all of both sides for the
// price of their outermost elements.
type equality struct {
	interpreter.InterpretableCall
	negated bool
}

func decorateEquality(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	call, ok := i.(interpreter.InterpretableCall)
	if !ok || call.Function() != operators.Equals && call.Function() != operators.NotEquals {
		return i, nil
	}
	return &equality{InterpretableCall: call, negated: call.Function() == operators.NotEquals}, nil
}

// Exec compares; an operand that is unknown or an error is the result.
func (e *equality) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	a, b := e.Args()[0].Exec(frame), e.Args()[1].Exec(frame)
	switch {
	case celtypes.IsUnknownOrError(a):
		return a
	case celtypes.IsUnknownOrError(b):
		return b
	case isAggregate(a) && isAggregate(b) && countParts(a, 0) > maxResultValues && countParts(b, 0) > maxResultValues:
		return celtypes.LabelErrNode(e.ID(), celtypes.WrapErr(errors.New("the values are too large to compare")))
	case e.negated:
		return celtypes.Bool(celtypes.Equal(a, b) != celtypes.True)
	}
	return celtypes.Equal(a, b)
}

// Eval is Exec for an activation.
func (e *equality) Eval(vars interpreter.Activation) ref.Val {
	return e.Exec(interpreter.AsFrame(vars))
}

func isAggregate(value ref.Val) bool {
	switch value.(type) {
	case traits.Lister, traits.Mapper:
		return true
	}
	return false
}

// countParts adds the number of values in a value, and stops once that is too many.
func countParts(value ref.Val, count int) int {
	count++
	switch v := value.(type) {
	case traits.Lister:
		for it := v.Iterator(); it.HasNext() == celtypes.True && count <= maxResultValues; {
			count = countParts(it.Next(), count)
		}
	case traits.Mapper:
		for it := v.Iterator(); it.HasNext() == celtypes.True && count <= maxResultValues; {
			count = countParts(v.Get(it.Next()), count)
		}
	}
	return count
}
