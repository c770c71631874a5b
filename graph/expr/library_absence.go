package expr

import (
	"github.com/google/cel-go/cel"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// omitFunction leaves out the field, element or entry that it stands for.
const omitFunction = "omit"

// absenceFunctions is omit(), which is of any type, so that it fits beside any other branch of a ternary.
func absenceFunctions() []cel.EnvOption {
	return []cel.EnvOption{cel.Function(omitFunction,
		cel.Overload("plait_omit", nil, cel.TypeParamType("T"),
			cel.FunctionBinding(func(...ref.Val) ref.Val { return celtypes.OptionalNone })))}
}
