package expr

import (
	"cmp"
	"slices"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// orderedMap is a map that is gone through in key order.
type orderedMap struct {
	traits.Mapper
	keys []ref.Val
}

// keyOrder orders the keys of a map. A list keeps its order; CEL's own two-variable comprehensions would read its
// elements without their type.
func keyOrder(value ref.Val) ref.Val {
	switch v := value.(type) {
	case object:
		return v
	case traits.Mapper:
		return orderedMap{Mapper: v, keys: sortedKeys(v)}
	case traits.Lister:
		return typedList{v}
	}
	return value
}

// typedList is a list whose elements have their type in every kind of comprehension.
type typedList struct {
	traits.Lister
}

// Fold goes through indexes and elements.
func (l typedList) Fold(folder traits.Folder) {
	size, _ := l.Size().(celtypes.Int)
	for i := celtypes.Int(0); i < size; i++ {
		if !folder.FoldEntry(i, l.Get(i)) {
			return
		}
	}
}

func sortedKeys(m traits.Mapper) []ref.Val {
	var keys []ref.Val
	for it := m.Iterator(); it.HasNext() == celtypes.True; {
		keys = append(keys, it.Next())
	}
	slices.SortFunc(keys, compareKeys)
	return keys
}

// compareKeys orders keys of one type by value, and of several by the names of the types.
func compareKeys(a, b ref.Val) int {
	if comparer, ok := a.(traits.Comparer); ok {
		if order, ok := comparer.Compare(b).(celtypes.Int); ok {
			return int(order)
		}
	}
	return cmp.Compare(a.Type().TypeName(), b.Type().TypeName())
}

// Iterator goes through the keys in order.
func (m orderedMap) Iterator() traits.Iterator {
	return celtypes.NewRefValList(celtypes.DefaultTypeAdapter, m.keys).Iterator()
}

// Fold goes through the entries in order.
func (m orderedMap) Fold(folder traits.Folder) {
	for _, key := range m.keys {
		if !folder.FoldEntry(key, m.Get(key)) {
			return
		}
	}
}
