package compile

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
)

// statusSchema is the structural schema of the author's part of the status.
func statusSchema(tree *graph.Body) map[string]apiextensionsv1.JSONSchemaProps {
	p := projector{levels: levelsWithin(typesOf(tree), maxStatusLevels, maxStatusParts)}
	out := map[string]apiextensionsv1.JSONSchemaProps{}
	for _, f := range tree.Fields {
		out[f.Key] = p.projection(f.Value)
	}
	return out
}

// Bounds of what the values of projections are declared as. Two groups that show each other's status would make each other's
// schema larger with every compilation: cut at the same level each time, both come to rest after as many compilations as there
// are levels.
const (
	maxStatusLevels = 20
	maxStatusParts  = 4_000
)

// projector declares values down to a level; what lies below is kept as it is.
type projector struct {
	levels int
}

// typesOf are the types of all values that a tree of projections computes.
func typesOf(b *graph.Body) []*expr.Type {
	if b.Program != nil {
		return []*expr.Type{b.Program.Type()}
	}
	var out []*expr.Type
	for _, f := range b.Fields {
		out = append(out, typesOf(f.Value)...)
	}
	for _, item := range b.Items {
		out = append(out, typesOf(item)...)
	}
	return out
}

// levelsWithin is how many levels of types, all of them side by side, have no more parts than a limit. What is below a level
// never decides about it.
func levelsWithin(types []*expr.Type, levels, parts int) int {
	for level := range levels {
		if parts -= len(types); parts < 0 {
			return level
		}
		if types = partsOf(types, parts+1); len(types) == 0 {
			return levels
		}
	}
	return levels
}

// partsOf are the types one level below; beyond a limit some are left out.
func partsOf(types []*expr.Type, limit int) []*expr.Type {
	var out []*expr.Type
	for _, t := range types {
		if t.Kind() == expr.Optional {
			t = t.Elem()
		}
		switch t.Kind() {
		case expr.List, expr.Map:
			out = append(out, t.Elem())
		case expr.Object:
			for _, name := range t.FieldNames() {
				field, _ := t.Field(name)
				out = append(out, field)
			}
		default:
		}
		if len(out) >= limit {
			return out
		}
	}
	return out
}

func (p projector) projection(b *graph.Body) apiextensionsv1.JSONSchemaProps {
	switch {
	case b.Program != nil:
		return structural(b.Program.Type(), p.levels)
	case b.Fields != nil:
		out := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
		for _, f := range b.Fields {
			if f.KeyProgram != nil || strings.Contains(f.Key, "${") {
				return anything()
			}
			out.Properties[f.Key] = p.projection(f.Value)
		}
		return out
	case b.Items != nil:
		return p.list(b.Items)
	default:
		return anything()
	}
}

// list takes the items' own schema where they share one.
func (p projector) list(items []*graph.Body) apiextensionsv1.JSONSchemaProps {
	elem := anything()
	typ := bodyType(items[0])
	if !slices.ContainsFunc(items[1:], func(b *graph.Body) bool { return !bodyType(b).Equal(typ) }) {
		elem = p.projection(items[0])
	}
	return apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &elem}}
}

func anything() apiextensionsv1.JSONSchemaProps {
	preserve := true
	return apiextensionsv1.JSONSchemaProps{XPreserveUnknownFields: &preserve}
}

// structural is the schema by which a value of this type is kept in a status: its shape down to a level, without rules.
func structural(t *expr.Type, levels int) apiextensionsv1.JSONSchemaProps {
	if levels <= 0 {
		return anything()
	}
	switch t.Kind() {
	case expr.Bool:
		return apiextensionsv1.JSONSchemaProps{Type: "boolean"}
	case expr.Int, expr.Uint:
		return apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int64"}
	case expr.Double:
		return apiextensionsv1.JSONSchemaProps{Type: "number"}
	case expr.String:
		return apiextensionsv1.JSONSchemaProps{Type: "string"}
	case expr.Bytes:
		return apiextensionsv1.JSONSchemaProps{Type: "string", Format: "byte"}
	case expr.Timestamp:
		return apiextensionsv1.JSONSchemaProps{Type: "string", Format: "date-time"}
	case expr.Duration:
		return apiextensionsv1.JSONSchemaProps{Type: "string", Format: "duration"}
	case expr.IntOrString:
		return apiextensionsv1.JSONSchemaProps{XIntOrString: true}
	case expr.Optional:
		return structural(t.Elem(), levels)
	case expr.List:
		elem := structural(t.Elem(), levels-1)
		return apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &elem}}
	case expr.Map:
		elem := structural(t.Elem(), levels-1)
		return apiextensionsv1.JSONSchemaProps{
			Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &elem},
		}
	case expr.Object:
		return structuralObject(t, levels)
	default:
		return anything()
	}
}

func structuralObject(t *expr.Type, levels int) apiextensionsv1.JSONSchemaProps {
	out := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	for _, name := range t.FieldNames() {
		field, _ := t.Field(name)
		out.Properties[name] = structural(field, levels-1)
	}
	if t.IsOpen() {
		preserve := true
		out.XPreserveUnknownFields = &preserve
	}
	return out
}
