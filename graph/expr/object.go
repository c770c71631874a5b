package expr

import (
	"reflect"
	"slices"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// object is JSON data of an Object type. To CEL it is a map whose values have the types of the fields. A null is read
// as a field that is not set, unless the schema says that null is a value of it.
type object struct {
	structure *structure
	data      map[string]any
}

var (
	_ traits.Mapper   = object{}
	_ traits.Foldable = object{}
)

// Find gives the value of a field that is set.
func (o object) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(celtypes.String)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(key), false
	}
	data, set := o.data[string(name)]
	field := o.structure.fields[string(name)]
	if !set || data == nil && field != nil && !field.nullable && field.kind != Dynamic {
		return nil, false
	}
	if field == nil {
		field = primitives[Dynamic][0]
	}
	return field.NativeToValue(data), true
}

// Get gives the value of a field, or an error.
func (o object) Get(key ref.Val) ref.Val {
	value, found := o.Find(key)
	if !found {
		return celtypes.ValOrErr(value, "no such key: %v", key)
	}
	return value
}

// Contains tells whether a field is set.
func (o object) Contains(key ref.Val) ref.Val {
	value, found := o.Find(key)
	if value != nil && celtypes.IsUnknownOrError(value) {
		return value
	}
	return celtypes.Bool(found)
}

// keys are the fields that are set, sorted.
func (o object) keys() []ref.Val {
	names := make([]string, 0, len(o.data))
	for name := range o.data {
		if _, set := o.Find(celtypes.String(name)); set {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	keys := make([]ref.Val, len(names))
	for i, name := range names {
		keys[i] = celtypes.String(name)
	}
	return keys
}

// Iterator goes through the names of the fields in order.
func (o object) Iterator() traits.Iterator {
	return celtypes.NewRefValList(celtypes.DefaultTypeAdapter, o.keys()).Iterator()
}

// Fold goes through the fields in order of their names.
func (o object) Fold(folder traits.Folder) {
	for _, key := range o.keys() {
		if !folder.FoldEntry(key, o.Get(key)) {
			return
		}
	}
}

// Size is the number of fields that are set.
func (o object) Size() ref.Val { return celtypes.Int(len(o.keys())) }

// Equal compares with any map.
func (o object) Equal(other ref.Val) ref.Val {
	m, ok := other.(traits.Mapper)
	if !ok || o.Size() != m.Size() {
		return celtypes.False
	}
	for _, key := range o.keys() {
		value, found := m.Find(key)
		if !found || celtypes.Equal(o.Get(key), value) != celtypes.True {
			return celtypes.False
		}
	}
	return celtypes.True
}

// ConvertToNative gives the data.
func (o object) ConvertToNative(wanted reflect.Type) (any, error) {
	return celtypes.NewStringInterfaceMap(primitives[Dynamic][0], o.data).ConvertToNative(wanted)
}

// ConvertToType knows maps and types only.
func (o object) ConvertToType(wanted ref.Type) ref.Val {
	return celtypes.NewStringInterfaceMap(primitives[Dynamic][0], o.data).ConvertToType(wanted)
}

// Type is map, as for all JSON objects.
func (o object) Type() ref.Type { return celtypes.MapType }

// Value is the data.
func (o object) Value() any { return o.data }
