package expr

import (
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

func TestFromSchema(t *testing.T) {
	tests := []struct {
		schema string
		kind   Kind
		text   string
		open   bool
	}{
		{`{type: boolean}`, Bool, "bool", false},
		{`{type: integer, format: int32}`, Int, "int", false},
		{`{type: number}`, Double, "double", false},
		{`{type: string}`, String, "string", false},
		{`{type: string, format: byte}`, Bytes, "bytes", false},
		{`{type: string, format: date-time}`, Timestamp, "timestamp", false},
		{`{type: string, format: duration}`, Duration, "duration", false},
		{`{type: string, format: quantity}`, IntOrString, "int or string", false},
		{`{type: string, format: int-or-string}`, IntOrString, "int or string", false},
		{`{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`, IntOrString, "int or string", false},
		{`{type: array, items: {type: string}}`, List, "list(string)", false},
		{`{type: array}`, List, "list(dyn)", false},
		{`{type: object, additionalProperties: {type: integer}}`, Map, "map(string, int)", true},
		{`{type: object, x-kubernetes-preserve-unknown-fields: true}`, Map, "map(string, dyn)", true},
		{`{type: object}`, Map, "map(string, dyn)", true},
		{`{type: object, properties: {a: {type: string}}}`, Object, "object", false},
		{`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}`, Object, "object", true},
		{`{type: object, x-kubernetes-embedded-resource: true, properties: {a: {type: string}}}`, Object, "object", true},
		{`{properties: {a: {type: string}}}`, Object, "object", false},
		{`{x-kubernetes-preserve-unknown-fields: true}`, Dynamic, "dyn", true},
		{`{}`, Dynamic, "dyn", true},
		{`{description: x, allOf: [{type: array, items: {type: integer}}]}`, List, "list(int)", false},
	}
	for _, test := range tests {
		t.Run(test.schema, func(t *testing.T) {
			got := FromSchema(schemaFrom(t, test.schema))
			if got.Kind() != test.kind || got.String() != test.text || got.IsOpen() != test.open {
				t.Errorf("got kind %d, %q, open %t", got.Kind(), got, got.IsOpen())
			}
		})
	}
	if got := FromSchema(nil); got.Kind() != Dynamic {
		t.Errorf("no schema is %s", got)
	}
}

func TestFieldsKeepTheirSchemas(t *testing.T) {
	kind := FromSchema(schemaFrom(t, `{type: object, properties: {list: {type: array, items: {type: object, properties: {
		num: {type: integer, minimum: 3}}}}, map: {type: object, additionalProperties: {type: string, enum: [a]}}}}`))
	list, _ := kind.Field("list")
	n, ok := list.Elem().Field("num")
	if !ok || n.Schema().Minimum == nil || *n.Schema().Minimum != 3 {
		t.Errorf("the constraint of list[].num is lost: %+v", n)
	}
	m, _ := kind.Field("map")
	if entry := m.Elem(); len(entry.Schema().Enum) != 1 {
		t.Errorf("the constraint of a map's values is lost: %+v", entry)
	}
	if _, ok := kind.Field("other"); ok {
		t.Error("a closed object has a field that it does not declare")
	}
	if diff := cmp.Diff([]string{"list", "map"}, kind.FieldNames()); diff != "" {
		t.Error(diff)
	}
}

func TestTypesAreTheSameByStructure(t *testing.T) {
	same := [][2]string{
		{podTemplateSchema, podTemplateSchema},
		{`{type: string, minLength: 3}`, `{type: string, description: other}`},
		{`{type: object, properties: {b: {type: string}, a: {type: integer}}}`, `{type: object, properties: {a: {type: integer}, b: {type: string}}}`},
	}
	for _, pair := range same {
		if !FromSchema(schemaFrom(t, pair[0])).Equal(FromSchema(schemaFrom(t, pair[1]))) {
			t.Errorf("%s and %s differ", pair[0], pair[1])
		}
	}
	other := [][2]string{
		{`{type: string}`, `{type: string, nullable: true}`},
		{`{type: object, properties: {a: {type: string}}}`, `{type: object, properties: {a: {type: integer}}}`},
		{`{type: object, properties: {a: {type: string}}}`, `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}`},
		{`{type: object, properties: {ab: {type: string}}}`, `{type: object, properties: {a: {type: string}, b: {type: string}}}`},
	}
	for _, pair := range other {
		if FromSchema(schemaFrom(t, pair[0])).Equal(FromSchema(schemaFrom(t, pair[1]))) {
			t.Errorf("%s and %s are the same", pair[0], pair[1])
		}
	}
	object := ObjectOf(map[string]*Type{"a": Primitive(Int), "b": Primitive(String)})
	if !object.Equal(FromSchema(schemaFrom(t, same[2][0]))) {
		t.Error("an object that was put together differs from one that was read")
	}
}

// Structures that nobody uses are forgotten, so that a CRD that changes often does not fill the memory.
func TestUnusedStructuresAreForgotten(t *testing.T) {
	count := func() int {
		structures.Lock()
		defer structures.Unlock()
		return len(structures.byKey)
	}
	kept := ObjectOf(map[string]*Type{"kept": Primitive(Int)})
	for i := range 1000 {
		ObjectOf(map[string]*Type{"gone" + string(rune('a'+i%26)) + string(rune('a'+i/26)): Primitive(Int)})
	}
	for range 100 {
		if count() < 500 {
			break
		}
		runtime.GC()
		runtime.Gosched()
	}
	if left := count(); left >= 500 {
		t.Errorf("%d structures are left", left)
	}
	if objectNamed(kept.key) != kept.structure {
		t.Error("a structure in use is forgotten")
	}
}

func TestStructuralSchema(t *testing.T) {
	tests := []struct{ schema, want string }{
		{`{type: integer, minimum: 3, default: 4, description: x}`, `{type: integer, format: int64}`},
		{`{type: string, format: byte, nullable: true}`, `{type: string, format: byte, nullable: true}`},
		{`{x-kubernetes-int-or-string: true}`, `{x-kubernetes-int-or-string: true}`},
		{`{}`, `{x-kubernetes-preserve-unknown-fields: true}`},
		{`{type: array, maxItems: 3, items: {type: string}}`, `{type: array, items: {type: string}}`},
		{`{type: object, additionalProperties: {type: boolean}}`, `{type: object, additionalProperties: {type: boolean}}`},
		{`{type: object, required: [a], properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`,
			`{type: object, properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`},
	}
	for _, test := range tests {
		got := FromSchema(schemaFrom(t, test.schema)).StructuralSchema()
		if diff := cmp.Diff(asYAML(t, schemaFrom(t, test.want)), asYAML(t, got)); diff != "" {
			t.Errorf("%s: %s", test.schema, diff)
		}
	}
	if got := OptionalOf(Primitive(Double)).StructuralSchema(); got.Type[0] != "number" {
		t.Errorf("an optional double is %v", got.Type)
	}
}

func asYAML(t *testing.T, schema *spec.Schema) string {
	t.Helper()
	text, err := schema.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
