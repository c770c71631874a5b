package simpleschema

import (
	"maps"
	"slices"
	"strconv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// Input is the part of a ResourceGroup that describes the spec of its instances.
type Input struct {
	File        string        // for the diagnostics
	Spec        *source.Value // schema.spec; nil: an empty spec
	Types       *source.Value // schema.types; nil: none
	Validations *source.Value // schema.validations; nil: none
}

// Result is the schema of the instances' spec.
type Result struct {
	Schema  *apiextensionsv1.JSONSchemaProps
	Columns []apiextensionsv1.CustomResourceColumnDefinition // of printColumn markers, in the order of the document

	// Fields maps paths of Schema, as apiextensions writes them (`properties[size].items`, and
	// `x-kubernetes-validations[0]` behind them), to the value of the document that defines the part.
	Fields map[string]*source.Value
}

// maxSize is how many fields and elements the schema may have once named types are written out.
const maxSize = 10_000

// builder builds the types of one document.
type builder struct {
	file     string
	problems diag.List
	types    map[string]*typ // named ones that are built
	names    []string        // of all named types, sorted
}

// Build gives the schema and everything that is wrong with it. The schema is structural whatever is wrong.
func Build(in Input) (Result, diag.List) {
	b := &builder{file: in.File, types: map[string]*typ{}}
	b.buildTypes(in.Types)
	spec := &typ{shape: structShape, schema: &apiextensionsv1.JSONSchemaProps{Type: "object"}, places: map[string]*source.Value{}}
	if in.Spec != nil {
		spec = b.object(in.Spec)
	}
	b.addRules(spec, in.Validations)
	if spec.isBroken {
		spec.schema.XValidations = nil
	}
	spec.setDefault()
	b.warnOfColumns(spec)
	return Result{Schema: spec.schema, Columns: spec.definitions(), Fields: spec.places}, b.problems
}

func (b *builder) report(v *source.Value, f *fault) {
	b.problems.Add(diag.Diagnostic{
		File: b.file, Path: v.Path, Position: v.Position, Code: f.code, Summary: f.summary, Suggestion: f.suggestion,
	})
}

// value builds what stands behind a field or a type's name.
func (b *builder) value(v *source.Value) *typ {
	switch v.Kind {
	case source.Map:
		return b.object(v)
	case source.String:
		t := b.typeString(v)
		t.places[""] = v
		return t
	default:
		b.report(v, typeFault("a type is written as a string or a nested map, not as "+v.Kind.String(), "Write it as a string, such as \"[]string\" or \"integer | default=3\"."))
		t := brokenType()
		t.places[""] = v
		return t
	}
}

// typeString builds the type of a string, with its markers.
func (b *builder) typeString(v *source.Value) *typ {
	expr, markers, scanFault := parseTypeString(v.Text())
	if expr == nil {
		b.report(v, scanFault)
		return brokenType()
	}
	t, f := b.typeOf(expr)
	if f == nil && t.size > maxSize {
		f = typeFault("the schema has more than "+strconv.Itoa(maxSize)+" fields once its types are written out", "Use object for parts that need no schema.")
	}
	if f != nil {
		b.report(v, f)
		return brokenType()
	}
	if t.isBroken && expr.container == leaf {
		return t // the type's own fault is reported, and its shape is not known
	}
	first := len(t.schema.XValidations)
	if f := mark(t, markers, false); f != nil {
		b.report(v, f)
	} else if scanFault != nil {
		b.report(v, scanFault)
	}
	for i := first; i < len(t.schema.XValidations); i++ {
		t.places[rulePath(i)] = v
	}
	b.warn(v, t.schema)
	return t
}

// typeOf builds a type expression without the markers of its field.
func (b *builder) typeOf(e *typeExpr) (*typ, *fault) {
	if e.container != leaf {
		elem, f := b.typeOf(e.elem)
		if f != nil {
			return nil, f
		}
		return wrap(e.container, elem), nil
	}
	t := builtin(e.name)
	if named, ok := b.types[e.name]; ok {
		t = named.clone()
	}
	if t == nil {
		return nil, unknownType(e.name, b.names)
	}
	if len(e.markers) == 0 || t.isBroken {
		return t, nil
	}
	return t, mark(t, e.markers, true)
}

// wrap makes a list or map of a type. What an alias says about fields does not hold for elements.
func wrap(c container, elem *typ) *typ {
	elem.schema.Default = nil
	t := &typ{
		shape: listShape, size: elem.size + 1, isBroken: elem.isBroken,
		schema: &apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: elem.schema}},
	}
	below := "items"
	if c == mapOf {
		below = "additionalProperties"
		t.shape = mapShape
		t.schema = &apiextensionsv1.JSONSchemaProps{
			Type:                 "object",
			AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: elem.schema},
		}
	}
	t.places = prefixed(below, elem.places)
	return t
}

// prefixed moves places below a part of a schema.
func prefixed(part string, places map[string]*source.Value) map[string]*source.Value {
	out := make(map[string]*source.Value, len(places))
	for _, path := range slices.Sorted(maps.Keys(places)) {
		out[joinSchemaPath(part, path)] = places[path]
	}
	return out
}

func joinSchemaPath(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}

func rulePath(i int) string { return "x-kubernetes-validations[" + strconv.Itoa(i) + "]" }
