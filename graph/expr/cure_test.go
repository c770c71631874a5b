package expr

import "testing"

func TestCure(t *testing.T) {
	for _, tt := range []struct {
		field, value *Type
		want         string
	}{
		{Primitive(String), ListOf(Primitive(String)), `Write ….join(",").`},
		{Primitive(String), ListOf(Primitive(Int)), "Write json.marshal(…)."},
		{Primitive(String), MapOf(Primitive(String)), "Write json.marshal(…)."},
		{Primitive(String), Primitive(Double), "Write string(…)."},
		{Primitive(IntOrString), Primitive(Double), "Write int(…)."},
		{Primitive(Int), Primitive(IntOrString), "Write int(…)."},
		{Primitive(Int), Primitive(Bool), ""},
		{Primitive(Double), Primitive(String), "Write double(…)."},
		{Primitive(Bytes), Primitive(Duration), "Write bytes(string(…))."},
		{Primitive(Bool), Primitive(String), "Write bool(…), or compare."},
		{Primitive(Bool), Primitive(Int), "Write a comparison."},
		{Primitive(Bool), ListOf(Primitive(Bool)), ""},
		{ListOf(Primitive(Int)), Primitive(Int), "Write a list: […]."},
		{ListOf(Primitive(Int)), MapOf(Primitive(Int)), ""},
		{MapOf(Primitive(Int)), Primitive(Int), ""},
	} {
		if got := tt.field.cure(tt.value); got != tt.want {
			t.Errorf("a field of %s, a value of %s: %q, want %q", tt.field, tt.value, got, tt.want)
		}
	}
}
