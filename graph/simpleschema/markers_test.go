package simpleschema

import (
	"strings"
	"testing"
)

// markerCases are type strings with the schema that they give.
var markerCases = map[string]string{
	`string | required description="a | b, c"`:                                           `{"type":"string","description":"a | b, c"}`,
	`string|minLength=1|maxLength=2 pattern="^(a|b)$"`:                                   `{"type":"string","minLength":1,"maxLength":2,"pattern":"^(a|b)$"}`,
	`string | pattern=^(a|b)[ |]$ nullable`:                                              `{"type":"string","pattern":"^(a|b)[ |]$","nullable":true}`,
	`string | pattern="\d\\.\"x\"" `:                                                     `{"type":"string","pattern":"\\d\\.\"x\""}`,
	`string | enum = "a, b" | default = "b"`:                                             `{"type":"string","enum":["a","b"],"default":"b"}`,
	`string | enum="\"red, dark\",blue"`:                                                 `{"type":"string","enum":["red, dark","blue"]}`,
	`string | enum="a","b c"`:                                                            `{"type":"string","enum":["a","b c"]}`,
	`string | enum=["a","b"]`:                                                            `{"type":"string","enum":["a","b"]}`,
	`integer | enum=1,2 default=2`:                                                       `{"type":"integer","format":"int64","enum":[1,2],"default":2}`,
	`intOrString | enum=1,a,"2" default="2"`:                                             `{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}],"enum":[1,"a","2"],"default":"2"}`,
	`float | enum=1,2.5`:                                                                 `{"type":"number","enum":[1,2.5]}`,
	`integer | minimum=0 exclusiveMinimum maximum=9`:                                     `{"type":"integer","format":"int64","minimum":0,"exclusiveMinimum":true,"maximum":9}`,
	`float | exclusiveMinimum=0.5 exclusiveMaximum=1e3`:                                  `{"type":"number","minimum":0.5,"exclusiveMinimum":true,"maximum":1000,"exclusiveMaximum":true}`,
	`integer | multipleOf=5 format=int32`:                                                `{"type":"integer","format":"int32","multipleOf":5}`,
	`[]string | uniqueItems minItems=1`:                                                  `{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set","minItems":1}`,
	`[]string | uniqueItems=false listType=atomic`:                                       `{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"atomic"}`,
	`[]Port | listType=map listMapKey=name`:                                              `{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"num":{"type":"integer","format":"int64"}},"required":["name"]},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]}`,
	`object | minProperties=1 maxProperties=2`:                                           `{"type":"object","x-kubernetes-preserve-unknown-fields":true,"minProperties":1,"maxProperties":2}`,
	`string | validation="self != 'a' || true" message="no a" validation="self == self"`: `{"type":"string","x-kubernetes-validations":[{"rule":"self != 'a' || true","message":"no a"},{"rule":"self == self"}]}`,
	`Short | maxLength=5`:                                                                `{"type":"string","minLength":1,"maxLength":5}`,
	`[]Short`:                                                                            `{"type":"array","items":{"type":"string","minLength":1,"maxLength":9}}`,
	`string | default=007`:                                                               `{"type":"string","default":"007"}`,
	`string | default=true`:                                                              `{"type":"string","default":"true"}`,
	`string | default=""`:                                                                `{"type":"string","default":""}`,
	`string | default="say \"hi\" \\o/ <b>"`:                                             `{"type":"string","default":"say \"hi\" \\o/ <b>"}`,
	`boolean | default=false`:                                                            `{"type":"boolean","default":false}`,
	`float | default=1`:                                                                  `{"type":"number","default":1}`,
	`intOrString | default=80`:                                                           `{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}],"default":80}`,
	`intOrString | default="80"`:                                                         `{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}],"default":"80"}`,
	`[]string | default=["a b", "c|d"]`:                                                  `{"type":"array","items":{"type":"string"},"default":["a b","c|d"]}`,
	`map[string]string | default={"team": "core"}`:                                       `{"type":"object","additionalProperties":{"type":"string"},"default":{"team":"core"}}`,
	`object | default={"list": [{"deep": 1}]}`:                                           `{"type":"object","x-kubernetes-preserve-unknown-fields":true,"default":{"list":[{"deep":1}]}}`,
	`any | default=5`:                                                                    `{"x-kubernetes-preserve-unknown-fields":true,"default":5}`,
	`any | default="5"`:                                                                  `{"x-kubernetes-preserve-unknown-fields":true,"default":"5"}`,
	`any | default=five`:                                                                 `{"x-kubernetes-preserve-unknown-fields":true,"default":"five"}`,
	`Port | default={"name": "x"}`:                                                       `{"type":"object","properties":{"name":{"type":"string"},"num":{"type":"integer","format":"int64"}},"required":["name"],"default":{"name":"x"}}`,
	`integer | default=9007199254740993`:                                                 `{"type":"integer","format":"int64","default":9007199254740993}`,
}

func TestMarkers(t *testing.T) {
	for text, want := range markerCases {
		t.Run(text, func(t *testing.T) {
			quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
			sameJSON(t, want, schemaOfF(t, "types:\n  Port: {name: string | required, num: integer}\n  Short: string | minLength=1 maxLength=9 required\nspec:\n  f: "+quoted))
		})
	}
}

// faultCases are fields with what is said of them.
var faultCases = map[string]string{
	"intger":                   `PLT101 spec.schema.spec.f there is no type "intger" Did you mean integer?`,
	"int":                      `PLT101 spec.schema.spec.f there is no type "int" Write integer.`,
	"Prt":                      `there is no type "Prt" Did you mean Port?`,
	"''":                       `PLT101 spec.schema.spec.f the type is missing`,
	"string required":          "`required` follows the type `string` Put a | between",
	"map[integer]string":       "the keys of a map are strings",
	"'[string]'":               "`[string]` is no type",
	"'[]'":                     "the type is missing",
	"5":                        "a type is written as a string or a nested map, not as an integer",
	"[string]":                 "a type is written as a string or a nested map, not as a list",
	"null":                     "not as null",
	"string(minLength=1":       "the parenthesis after string is not closed",
	"'[]string(required)'":     "the marker required is about a field",
	"string | minLenght=3":     `PLT102 spec.schema.spec.f there is no marker "minLenght" Did you mean minLength or maxLength?`,
	"string | minimum=3":       "the marker minimum is for integers or floats",
	"'[]string | minLength=3'": "For the elements put it in parentheses",
	"string | minLength=-1":    "must be a whole number of at least 0",
	"string | minLength":       "the marker minLength needs a value",
	"string | minLength=":      "the marker minLength has no value after its =",
	"integer | minimum=a":      `must be a number, not "a"`,
	"integer | minimum=1.5":    "must be an integer here",
	"integer | maximum=1.5":    "must be an integer here",
	"float | default=1e400":    `PLT103 spec.schema.spec.f the default "1e400" is no value of the field's type`,
	"float | enum=1,1e400":     "PLT102 spec.schema.spec.f the item 1e400 of enum does not fit the type of the field",
	`'[]string | uniqueItems default=["a","b","a"]'`:                              `PLT103 spec.schema.spec.f the default breaks the rules of its own field at [2]: Duplicate value: "a"`,
	`'[]Port | listType=map listMapKey=name default=[{"name":"a"},{"name":"a"}]'`: "PLT103 spec.schema.spec.f the default breaks the rules of its own field at [1]: Duplicate value",
	"integer | exclusiveMinimum":                                                  "an exclusive bound of true needs a minimum",
	"integer | exclusiveMinimum=1 minimum=2":                                      "both minimum and its exclusive form",
	"integer | minimum=2 exclusiveMinimum=1":                                      "both minimum and its exclusive form",
	"integer | multipleOf=0":                                                      "above zero",
	"string | required=yes":                                                       `the marker required is true or false, not "yes"`,
	"string | required required":                                                  "the marker required stands twice",
	`string | pattern="("`:                                                        "the pattern cannot be read",
	`string | pattern="a`:                                                         "the quote that starts the value of pattern is not closed",
	`string | description="a" b`:                                                  `there is no marker "b"`,
	`string | description="a"b`:                                                   "more text follows the closing quote of description",
	`string | default=[a`:                                                         "a bracket in the value of default is not closed",
	"string | ?":                                                                  "a marker is expected at `?`",
	"string | format=ipv5":                                                        `there is no format "ipv5" for this type Did you mean ipv4 or ipv6?`,
	"boolean | format=x":                                                          "the marker format is for",
	"string | message=x":                                                          "the marker message has no validation before it",
	`string | validation=" "`:                                                     "the validation is empty",
	"string | enum":                                                               "enum has no items",
	"integer | enum=1,a":                                                          "the item a of enum does not fit",
	`string | enum="a,b" default="c"`:                                             `PLT103 spec.schema.spec.f the default breaks the rules of its own field: Unsupported value: "c"`,
	`integer | default="three"`:                                                   `the default "three" is no value of the field's type`,
	"boolean | default=yes":                                                       `PLT103 spec.schema.spec.f the default "yes" is no value of the field's type Write true or false.`,
	`string | default="ABC" pattern="^[a-z]+$"`:                                   "the default breaks the rules of its own field",
	"integer | minimum=5 default=1":                                               "the default breaks the rules of its own field",
	"string | default":                                                            "the marker default needs a value",
	`'[]string | default=a'`:                                                      "Write a JSON list",
	`'[]string | default=[1]'`:                                                    "the default breaks the rules of its own field at [0]",
	`'Port | default={"x": 1}'`:                                                   "the default breaks the rules of its own field",
	"date-time | default=monday":                                                  "the default breaks the rules of its own field",
	"string | nullable default=null":                                              "PLT103 spec.schema.spec.f null cannot be a default",
	`string | enum="a,b" nullable`:                                                "PLT102 spec.schema.spec.f the API server refuses null in a field with an enum",
	"'[]any | immutable'":                                                         "PLT102 spec.schema.spec.f a field that takes anything cannot be immutable",
	"any | default=null":                                                          "null cannot be a default",
	"float | multipleOf=0.5":                                                      "PLT102 spec.schema.spec.f the API server refuses whole numbers",
	"float | default=null":                                                        `the default "null" is no value`,
	"'[]Port | listType=map'":                                                     "listType=map needs a listMapKey",
	"'[]Port | listType=map listMapKey=nam'":                                      `the elements have no field "nam" for listMapKey Did you mean name or num?`,
	"'[]Port | listType=map listMapKey=num'":                                      `the listMapKey "num" may be missing`,
	"'[]Port | listType=map listMapKey=sub'":                                      `the listMapKey "sub" must be a scalar`,
	"'[]Port | listMapKey=name'":                                                  "listMapKey is for lists with listType=map",
	"'[]Port | uniqueItems'":                                                      "only scalars can be unique",
	"'[]string | listType=bag'":                                                   `listType cannot be "bag"`,
	"'[]string | uniqueItems listType=map'":                                       "uniqueItems and listType=map do not go together",
	"{$validations: x}":                                                           `PLT102 spec.schema.spec.f["$validations"] $validations is a list of rules`,
	"{$validations: [{}]}":                                                        "a validation needs a rule",
	"{$validations: [{rule: 'true', x: y}]}":                                      `a validation has no field "x"`,
	"{$validations: [{rule: 1}]}":                                                 "the rule of a validation is a string",
	"{$validation: []}":                                                           `PLT105 spec.schema.spec.f["$validation"] a name of a field cannot start with $ Did you mean $validations?`,
	`{"": string}`:                                                                `PLT105 spec.schema.spec.f[""] a field has no name`,
	`{"a b": string}`:                                                             "cannot hold spaces",
}

func TestFaults(t *testing.T) {
	for text, want := range faultCases {
		t.Run(text, func(t *testing.T) {
			quoted := text
			if strings.HasPrefix(text, "string |") || strings.HasPrefix(text, "integer |") {
				quoted = "'" + text + "'"
			}
			result, problems := build(t, "types: {Port: {name: string | required, num: integer, sub: {a: string}}}\nspec:\n  f: "+quoted)
			got := list(problems)
			if len(got) != 1 || !strings.Contains(got[0], want) {
				t.Errorf("got %q\nwant one problem with %q", got, want)
			}
			if result.Schema == nil || result.Schema.Type != "object" {
				t.Error("there is no schema")
			}
		})
	}
}
