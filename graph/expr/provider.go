package expr

import (
	celtypes "github.com/google/cel-go/common/types"
)

// provider tells CEL's checker the fields of objects; every other type is the libraries' own.
type provider struct {
	celtypes.Provider
}

// FindStructType finds an object by its structural name.
func (p provider) FindStructType(name string) (*celtypes.Type, bool) {
	if object := objectNamed(name); object != nil {
		return celtypes.NewTypeTypeWithParam(object.cel), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldNames lists the declared fields.
func (p provider) FindStructFieldNames(name string) ([]string, bool) {
	if object := objectNamed(name); object != nil {
		return (&Type{structure: object}).FieldNames(), true
	}
	return p.Provider.FindStructFieldNames(name)
}

// FindStructFieldType gives the type of a field; what an open object does not declare is dynamic.
func (p provider) FindStructFieldType(name, field string) (*celtypes.FieldType, bool) {
	object := objectNamed(name)
	if object == nil {
		return p.Provider.FindStructFieldType(name, field)
	}
	if declared, ok := object.fields[field]; ok {
		return &celtypes.FieldType{Type: declared.cel}, true
	}
	return &celtypes.FieldType{Type: celtypes.DynType}, object.open
}
