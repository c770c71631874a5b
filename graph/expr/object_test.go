package expr

import (
	"testing"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

func TestObjectIsAMap(t *testing.T) {
	kind := FromSchema(schemaFrom(t, `{type: object, properties: {
		set: {type: string}, none: {type: string}, "null": {type: string, nullable: true}, at: {type: string, format: date-time}}}`))
	value := kind.NativeToValue(map[string]any{"set": "x", "none": nil, "null": nil, "other": int64(1), "at": "noon"})
	m, ok := value.(traits.Mapper)
	if !ok {
		t.Fatalf("an object is a %T", value)
	}
	found := map[string]bool{"set": true, "none": false, "null": true, "other": true, "absent": false}
	for name, want := range found {
		if got := m.Contains(celtypes.String(name)); got != celtypes.Bool(want) {
			t.Errorf("contains %s is %v", name, got)
		}
	}
	if got := m.Get(celtypes.String("at")); !celtypes.IsError(got) {
		t.Errorf("a time that is none reads as %v", got)
	}
	if got := m.Get(celtypes.String("absent")); !celtypes.IsError(got) {
		t.Errorf("an absent field reads as %v", got)
	}
	if got := m.Get(celtypes.Int(1)); !celtypes.IsError(got) {
		t.Errorf("an index reads as %v", got)
	}
	var keys []ref.Val
	for it := m.Iterator(); it.HasNext() == celtypes.True; {
		keys = append(keys, it.Next())
	}
	want := celtypes.NewStringList(celtypes.DefaultTypeAdapter, []string{"at", "null", "other", "set"})
	if celtypes.NewRefValList(celtypes.DefaultTypeAdapter, keys).Equal(want) != celtypes.True || m.Size() != celtypes.Int(4) {
		t.Errorf("the keys are %v", keys)
	}
}

func TestDataThatIsNotWhatItsSchemaSays(t *testing.T) {
	tests := []struct {
		schema string
		data   any
		want   ref.Val
	}{
		{`{type: number}`, int64(3), celtypes.Double(3)},
		{`{type: integer}`, 3.0, celtypes.Int(3)},
		{`{type: integer}`, 3.5, celtypes.Double(3.5)},
		{`{type: integer}`, 7, celtypes.Int(7)},
		{`{type: string}`, int64(3), celtypes.Int(3)},
		{`{type: string}`, nil, celtypes.NullValue},
		{`{type: string, format: byte}`, "YQ==", celtypes.Bytes("a")},
		{`{x-kubernetes-int-or-string: true}`, "http", celtypes.String("http")},
		{`{x-kubernetes-int-or-string: true}`, int64(80), celtypes.Int(80)},
	}
	for _, test := range tests {
		if got := FromSchema(schemaFrom(t, test.schema)).NativeToValue(test.data); got.Equal(test.want) != celtypes.True || got.Type() != test.want.Type() {
			t.Errorf("%v as %s is %v", test.data, test.schema, got)
		}
	}
}
