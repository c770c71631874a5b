package expr

import (
	"github.com/google/cel-go/cel"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// mapFunctions put two maps together; the second wins. deepMerge goes into maps that both have; lists are not merged.
func mapFunctions() []cel.EnvOption {
	key := cel.TypeParamType("K")
	operands := []*cel.Type{cel.MapType(key, cel.TypeParamType("A")), cel.MapType(key, cel.TypeParamType("B"))}
	function := func(name, id string, levels int) cel.EnvOption {
		return cel.Function(name, cel.MemberOverload(id, operands, cel.MapType(key, cel.DynType),
			cel.BinaryBinding(func(a, b ref.Val) ref.Val {
				return (&merger{}).merge(a, b, levels)
			})))
	}
	return []cel.EnvOption{
		function("merge", "plait_map_merge", 1),
		function("deepMerge", "plait_map_deep_merge", maxMergeDepth),
	}
}

// Bounds of one merge: how deep it goes, and how many entries it writes.
const (
	maxMergeDepth   = 100
	maxMergeEntries = 100_000
)

// merger counts entries: maps that share parts could make a result far larger than what it is made of.
type merger struct {
	entries int
}

func (m *merger) merge(a, b ref.Val, levels int) ref.Val {
	first, isMap := a.(traits.Mapper)
	second, bothMaps := b.(traits.Mapper)
	if !isMap || !bothMaps || levels == 0 {
		return b
	}
	result := make(map[ref.Val]ref.Val, sizeOf(first)+sizeOf(second))
	for it := first.Iterator(); it.HasNext() == celtypes.True; {
		key := it.Next()
		result[key] = first.Get(key)
	}
	for it := second.Iterator(); it.HasNext() == celtypes.True; {
		key := it.Next()
		value := second.Get(key)
		if old, ok := result[key]; ok {
			value = m.merge(old, value, levels-1)
		}
		if celtypes.IsUnknownOrError(value) {
			return value
		}
		result[key] = value
	}
	if m.entries += len(result); m.entries > maxMergeEntries {
		return celtypes.WrapErr(errTooLarge)
	}
	return celtypes.NewRefValMap(celtypes.DefaultTypeAdapter, result)
}
