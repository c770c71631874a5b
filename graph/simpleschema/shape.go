package simpleschema

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// shape is what decides which markers a type takes.
type shape uint16

const (
	stringShape shape = 1 << iota
	integerShape
	floatShape
	booleanShape
	intOrStringShape // quantities too
	listShape
	mapShape
	structShape
	openShape // object: any fields
	anyShape
)

const (
	numberShapes = integerShape | floatShape
	scalarShapes = stringShape | numberShapes | booleanShape | intOrStringShape
	objectShapes = mapShape | structShape | openShape
	allShapes    = scalarShapes | listShape | objectShapes | anyShape
)

// typ is a type that has been built.
type typ struct {
	shape     shape
	schema    *apiextensionsv1.JSONSchemaProps
	required  bool
	immutable bool
	cascades  bool                     // a struct whose default is made of those of its fields
	authored  int                      // rules of the author on a struct
	isBroken  bool                     // it, or something in it, stands for a type that is not known
	size      int                      // number of schemas in it
	columns   []column                 // printColumn, on it or below
	places    map[string]*source.Value // schema path → the value that defines it
}

func (t *typ) clone() *typ {
	out := *t
	out.schema = t.schema.DeepCopy()
	out.columns = slices.Clone(t.columns)
	out.places = maps.Clone(t.places)
	return &out
}

// quantityPattern is the API server's own for resource quantities.
const quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

// builtins are the types of the language by name.
var builtins = map[string]struct {
	shape  shape
	schema apiextensionsv1.JSONSchemaProps
}{
	"string":      {stringShape, apiextensionsv1.JSONSchemaProps{Type: "string"}},
	"integer":     {integerShape, apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int64"}},
	"boolean":     {booleanShape, apiextensionsv1.JSONSchemaProps{Type: "boolean"}},
	"float":       {floatShape, apiextensionsv1.JSONSchemaProps{Type: "number"}},
	"object":      {openShape, apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: new(true)}},
	"any":         {anyShape, apiextensionsv1.JSONSchemaProps{XPreserveUnknownFields: new(true)}},
	"date-time":   {stringShape, apiextensionsv1.JSONSchemaProps{Type: "string", Format: "date-time"}},
	"duration":    {stringShape, apiextensionsv1.JSONSchemaProps{Type: "string", Format: "duration"}},
	"intOrString": {intOrStringShape, intOrString("")},
	"quantity":    {intOrStringShape, intOrString(quantityPattern)},
}

func intOrString(pattern string) apiextensionsv1.JSONSchemaProps {
	return apiextensionsv1.JSONSchemaProps{
		XIntOrString: true, Pattern: pattern,
		AnyOf: []apiextensionsv1.JSONSchemaProps{{Type: "integer"}, {Type: "string"}},
	}
}

// foreign are names of other languages for our types.
var foreign = map[string]string{
	"int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "number": "float", "double": "float",
	"float64": "float", "bool": "boolean", "str": "string", "text": "string", "array": "[]string", "list": "[]string",
	"map": "map[string]string", "dict": "map[string]string", "struct": "object", "timestamp": "date-time", "date": "date-time",
	"datetime": "date-time", "dateTime": "date-time", "bytes": "string | format=byte",
}

func builtin(name string) *typ {
	known, ok := builtins[name]
	if !ok {
		return nil
	}
	return &typ{shape: known.shape, schema: known.schema.DeepCopy(), size: 1, places: map[string]*source.Value{}}
}

// brokenType stands for a type that is not known: it takes anything.
func brokenType() *typ {
	t := builtin("any")
	t.isBroken = true
	return t
}

func unknownType(name string, types []string) *fault {
	suggestion := ""
	if ours, ok := foreign[name]; ok {
		suggestion = "Write " + ours + "."
	} else {
		suggestion = diag.DidYouMean(name, slices.Concat(slices.Sorted(maps.Keys(builtins)), types))
	}
	if suggestion == "" {
		suggestion = "Define it under schema.types, or use one of " + diag.OneOf(slices.Sorted(maps.Keys(builtins))) + "."
	}
	return typeFault("there is no type \""+name+"\"", suggestion)
}

// String names the shapes for people.
func (s shape) String() string {
	names := []struct {
		shape shape
		name  string
	}{
		{stringShape, "strings"}, {integerShape, "integers"}, {floatShape, "floats"}, {booleanShape, "booleans"},
		{intOrStringShape, "intOrString and quantity"}, {listShape, "lists"}, {mapShape, "maps"},
		{structShape, "structs"}, {openShape, "objects"}, {anyShape, "any"},
	}
	var out []string
	for _, n := range names {
		if s&n.shape != 0 {
			out = append(out, n.name)
		}
	}
	return diag.OneOf(out)
}
