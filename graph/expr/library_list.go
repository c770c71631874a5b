package expr

import (
	"github.com/google/cel-go/cel"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// listFunctions give a changed copy of a list.
func listFunctions() []cel.EnvOption {
	elem := cel.TypeParamType("T")
	list := cel.ListType(elem)
	return []cel.EnvOption{
		cel.Function("lists.setAtIndex", cel.Overload("plait_list_set",
			[]*cel.Type{list, cel.IntType, elem}, list, cel.FunctionBinding(func(args ...ref.Val) ref.Val {
				return spliced("lists.setAtIndex", args, splice{drop: 1})
			}))),
		cel.Function("lists.insertAtIndex", cel.Overload("plait_list_insert",
			[]*cel.Type{list, cel.IntType, elem}, list, cel.FunctionBinding(func(args ...ref.Val) ref.Val {
				return spliced("lists.insertAtIndex", args, splice{atEnd: true})
			}))),
		cel.Function("lists.removeAtIndex", cel.Overload("plait_list_remove",
			[]*cel.Type{list, cel.IntType}, list, cel.BinaryBinding(func(list, index ref.Val) ref.Val {
				return spliced("lists.removeAtIndex", []ref.Val{list, index}, splice{drop: 1})
			}))),
	}
}

// splice says what happens at the index: how many elements go, and whether the end of the list is a place too.
type splice struct {
	drop  int
	atEnd bool
}

// spliced puts args[2:] at the index args[1] of the list args[0].
func spliced(name string, args []ref.Val, how splice) ref.Val {
	list, isList := args[0].(traits.Lister)
	index, isInt := args[1].(celtypes.Int)
	if !isList || !isInt {
		return celtypes.NoSuchOverloadErr()
	}
	size := celtypes.Int(sizeOf(list))
	if index < 0 || index > size || index == size && !how.atEnd {
		return celtypes.NewErr("%s: index %d is outside of a list of %d elements", name, index, size)
	}
	result := make([]ref.Val, 0, int(size)+1)
	for i := celtypes.Int(0); i < size; i++ {
		if i == index {
			result = append(result, args[2:]...)
		}
		if i < index || i >= index+celtypes.Int(how.drop) {
			result = append(result, list.Get(i))
		}
	}
	if index == size {
		result = append(result, args[2:]...)
	}
	return celtypes.NewRefValList(celtypes.DefaultTypeAdapter, result)
}
