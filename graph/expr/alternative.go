package expr

import (
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// alternative is first.or(second) or first.orValue(second).
type alternative struct {
	id            int64
	first, second interpreter.InterpretableV2
	keepOptional  bool // or() gives an optional, orValue() a value
}

// ID is that of the call.
func (a *alternative) ID() int64 { return a.id }

// Exec evaluates the second operand only if the first is none.
func (a *alternative) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	switch first := a.first.Exec(frame).(type) {
	case *celtypes.Optional:
		switch {
		case !first.HasValue():
			return a.second.Exec(frame)
		case a.keepOptional:
			return first
		}
		return first.GetValue()
	case *celtypes.Unknown, *celtypes.Err:
		return first
	default:
		return celtypes.MaybeNoSuchOverloadErr(first)
	}
}

// Eval is Exec for an activation.
func (a *alternative) Eval(vars interpreter.Activation) ref.Val {
	return a.Exec(interpreter.AsFrame(vars))
}
