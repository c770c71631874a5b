package simpleschema

import (
	"slices"
	"strings"

	"github.com/plait-run/plait/graph/diag"
)

func (m *marking) uniqueItems(next marker) *fault {
	is, f := flag(next)
	if f != nil || !is {
		return f
	}
	return m.setListType("set")
}

func (m *marking) listType(next marker) *fault {
	value, f := text(next)
	if f != nil {
		return f
	}
	if kinds := []string{"atomic", "set", "map"}; !slices.Contains(kinds, value) {
		return markerFault("listType cannot be \""+cut(value)+"\"", "Use "+diag.OneOf(kinds)+".")
	}
	return m.setListType(value)
}

func (m *marking) setListType(kind string) *fault {
	s := m.typ.schema
	if m.seen.Has("uniqueItems") && m.seen.Has("listType") && s.XListType != nil && *s.XListType != kind {
		return markerFault("uniqueItems and listType="+kind+" do not go together", "Keep one of them.")
	}
	s.XListType = &kind
	return nil
}

func (m *marking) listMapKey(next marker) *fault {
	value, f := text(next)
	if f != nil {
		return f
	}
	for key := range strings.SplitSeq(value, ",") {
		m.keys = append(m.keys, strings.TrimSpace(key))
	}
	return nil
}

// finishList checks list types against the elements.
func (m *marking) finishList() *fault {
	s := m.typ.schema
	if m.typ.shape != listShape || m.typ.isBroken {
		return nil
	}
	kind := ""
	if s.XListType != nil {
		kind = *s.XListType
	}
	switch {
	case kind == "map":
		return m.finishListMap()
	case len(m.keys) > 0:
		return markerFault("listMapKey is for lists with listType=map", "Add listType=map.")
	case kind == "set" && !isScalar(s.Items.Schema.Type):
		s.XListType = nil
		return markerFault("only scalars can be unique in a list", "Use listType=map with a listMapKey for structs.")
	}
	return nil
}

func (m *marking) finishListMap() *fault {
	items := m.typ.schema.Items.Schema
	if len(m.keys) == 0 && len(m.typ.schema.XListMapKeys) == 0 {
		m.typ.schema.XListType = nil
		return markerFault("listType=map needs a listMapKey", "Name the field that tells the elements apart: listMapKey=name.")
	}
	if f := m.checkKeys(); f != nil {
		m.typ.schema.XListType = nil
		return f
	}
	if items.Nullable {
		m.typ.schema.XListType = nil
		return markerFault("the elements of a list with listType=map cannot be nullable", "")
	}
	if len(m.keys) > 0 {
		m.typ.schema.XListMapKeys = m.keys
	}
	return nil
}

func (m *marking) checkKeys() *fault {
	items := m.typ.schema.Items.Schema
	for i, key := range m.keys {
		property, ok := items.Properties[key]
		switch {
		case !ok:
			names := make([]string, 0, len(items.Properties))
			for name := range items.Properties {
				names = append(names, name)
			}
			return markerFault("the elements have no field \""+key+"\" for listMapKey", diag.DidYouMean(key, names))
		case slices.Contains(m.keys[:i], key):
			return markerFault("the listMapKey \""+key+"\" stands twice", "Remove one of the two.")
		case !isScalar(property.Type) || property.Nullable:
			return markerFault("the listMapKey \""+key+"\" must be a scalar field that cannot be null", "")
		case property.Default == nil && !slices.Contains(items.Required, key):
			return markerFault("the listMapKey \""+key+"\" may be missing in an element", "Make the field required, or give it a default.")
		}
	}
	return nil
}

func isScalar(jsonType string) bool {
	return slices.Contains([]string{"string", "integer", "number", "boolean"}, jsonType)
}
