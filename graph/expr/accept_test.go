package expr

import (
	"strings"
	"testing"
)

// Each expression is written to a field of the schema; want is empty where it fits.
func TestAccepts(t *testing.T) {
	const (
		integer   = `{type: integer}`
		number    = `{type: number}`
		text      = `{type: string}`
		boolean   = `{type: boolean}`
		bytes     = `{type: string, format: byte}`
		at        = `{type: string, format: date-time}`
		either    = `{x-kubernetes-int-or-string: true}`
		anything  = `{x-kubernetes-preserve-unknown-fields: true}`
		texts     = `{type: array, items: {type: string}}`
		textMap   = `{type: object, additionalProperties: {type: string}}`
		byteMap   = `{type: object, additionalProperties: {type: string, format: byte}}`
		named     = `{type: object, properties: {name: {type: string}, port: {type: integer}}}`
		namedList = `{type: array, items: ` + named + `}`
	)
	tests := []struct {
		schema, expression string
		want               []string
	}{
		{integer, `1 + 2`, nil},
		{integer, `1.5 * 2.0`, []string{"expects int, the expression gives double", "int(…)"}},
		{integer, `"1"`, []string{"expects int", "string", "int(…)"}},
		{integer, `db.spec.port`, []string{"expects int", "int or string"}},
		{number, `1`, nil},
		{number, `1.5`, nil},
		{number, `true ? 1 : 2.5`, nil},
		{text, `"a"`, nil},
		{text, `1`, []string{"expects string, the expression gives int", "string(…)"}},
		{text, `timestamp("2031-05-06T07:08:09Z")`, nil},
		{text, `duration("1h")`, nil},
		{text, `b"abc"`, []string{"expects string, the expression gives bytes", "string(", "base64.encode("}},
		{text, `["a"]`, []string{"list(string)", "join"}},
		{text, `{"a": 1}`, []string{"expects string", "json.marshal"}},
		{text, `raw.spec.x`, nil},
		{text, `db.?metadata.?name`, nil},
		{text, `true ? "a" : omit()`, nil},
		{text, `optional.none()`, nil},
		{text, `null`, nil},
		{text, `true ? "a" : null`, nil},
		{text, `true ? "a" : 1`, []string{"expects string", "int or string", "string(…)"}},
		{text, `url("https://a")`, []string{"expects string"}},
		{boolean, `"true"`, []string{"expects bool", "string"}},
		{bytes, `bytes("a")`, nil},
		{bytes, `"YQ=="`, nil},
		{bytes, `1`, []string{"expects bytes", "bytes(string(…))"}},
		{at, `"2031-05-06T07:08:09Z"`, nil},
		{at, `timestamp("2031-05-06T07:08:09Z")`, nil},
		{either, `8080`, nil},
		{either, `"http"`, nil},
		{either, `true ? 8080 : "http"`, nil},
		{either, `true ? "http" : (false ? 1 : "x")`, nil},
		{either, `db.spec.port`, nil},
		{either, `1.5`, []string{"expects int or string", "double"}},
		{either, `true ? 8080 : false`, []string{"int or bool"}},
		{`{type: string, format: quantity}`, `1.5`, nil},
		{anything, `true ? 8080 : [1]`, nil},
		{anything, `b"a"`, nil},
		{texts, `["a", "b"]`, nil},
		{texts, `["a", 1]`, []string{"element 1: expects string, the expression gives int"}},
		{texts, `["a", true ? "b" : omit()]`, nil},
		{texts, `[?db.?metadata.?name]`, nil},
		{texts, `db.spec.names`, nil},
		{texts, `[1].map(x, x)`, []string{"expects list(string), the expression gives list(int)"}},
		{texts, `[]`, nil},
		{texts, `"a"`, []string{"expects list(string)"}},
		{textMap, `{"a": "b"}`, nil},
		{textMap, `{"a": 1}`, []string{`entry "a": expects string`}},
		{textMap, `{}`, nil},
		{textMap, `db.data`, nil},
		{textMap, `db.data.merge({"a": "b"})`, nil},
		{textMap, `db.secret`, []string{"expects map(string, string), the expression gives map(string, bytes)", "string("}},
		{byteMap, `db.secret`, nil},
		{byteMap, `{"a": b"b"}`, nil},
		{named, `{"name": "a", "port": 1}`, nil},
		{named, `{"name": "a", "prt": 1}`, []string{`no field "prt"`, `"port"`}},
		{named, `{"name": 1}`, []string{`field "name": expects string`}},
		{named, `{"name": true ? "a" : omit()}`, nil},
		{named, `[1].transformMap(i, x, x)`, nil},
		{namedList, `[{"name": "a"}, {"name": "b", "port": 2}]`, nil},
		{namedList, `[{"name": "a"}, {"name": 5}]`, []string{`element 1: field "name": expects string`}},
		{namedList, `db.spec.names.map(n, {"name": n, "port": 1}) + [{"name": "x"}]`, nil},
		{podTemplateSchema, `db.spec.template`, nil},
		{podTemplateSchema, `true ? db.spec.template : web.spec.template`, nil},
		{podTemplateSchema, `db.metadata`, []string{"no field"}},
		{text, `db.spec`, []string{"expects string, the expression gives object"}},
	}
	env := testEnvironment(t)
	for _, test := range tests {
		t.Run(test.expression, func(t *testing.T) {
			program := compile(t, env, "${"+test.expression+"}")
			ok, why, suggestion := FromSchema(schemaFrom(t, test.schema)).Accepts(program.Type())
			if ok != (test.want == nil) {
				t.Errorf("accepted %t: %s %s", ok, why, suggestion)
			}
			for _, want := range test.want {
				if !strings.Contains(why+" "+suggestion, want) {
					t.Errorf("%q is not in %q, %q", want, why, suggestion)
				}
			}
		})
	}
}
