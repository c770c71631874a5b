package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheckObjects(t *testing.T) {
	const web = `{type: object, required: [image], properties: {image: {type: string}, replicas: {type: integer}}}`
	runChecks(t, []checkTest{
		{"unknown field", web, `{image: a, replica: 2}`,
			[]string{`unknown x.replica: unknown field "replica" (Did you mean replicas?)`}},
		{"unknown field like no other", web, `{image: a, "app.conf": null}`,
			[]string{`unknown x["app.conf"]: unknown field "app.conf" (Known fields: image, replicas)`}},
		{"an object without fields is closed", `{type: object}`, `{a: 1}`, []string{`unknown x.a: unknown field "a"`}},
		{"required", web, `{replicas: 2}`, []string{`required x.image: required field "image" is missing`}},
		{"null is missing", web, `{image: null}`, []string{`required x.image: required field "image" is missing`}},
		{"null where the schema takes it", `{type: object, required: [a], properties: {a: {type: string, nullable: true}}}`,
			`{a: null}`, nil},
		{"a hole fills a required field", web, `{image: "${}"}`, nil},
		{"a default fills a required field", `{type: object, required: [a], properties: {a: {type: integer, default: 0}}}`,
			`{}`, nil},
		{"a computed key may be the required one", web, `{"${}": "${}"}`, nil},
		{"values of a map", `{type: object, additionalProperties: {type: string}}`, `{a: b, c: 1, "${}d": 2}`, []string{
			`type x.c: expects string, got the int 1 (Write it in quotes: "1")`,
			`type x["${}d"]: expects string, got the int 2 (Write it in quotes: "2")`,
		}},
		{"declared fields of an open object", `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: integer}}}`,
			`{a: b, c: {d: [1]}}`, []string{`type x.a: expects int, got the string "b"`}},
		{"schema-less", `{x-kubernetes-preserve-unknown-fields: true}`, `[1, big, {deep: true}]`, nil},
		{"any values", `{type: object, additionalProperties: true}`, `{a: [1]}`, nil},
		{"too few", `{type: object, minProperties: 2, additionalProperties: {type: string}}`, `{a: "${}", b: null}`,
			[]string{"bounds x: must have at least 2 fields, has 1"}},
		{"too many", `{type: object, maxProperties: 1, additionalProperties: {type: string}}`, `{a: b, c: d}`,
			[]string{"bounds x: must have at most 1 field, has 2"}},
		{"a hole may be left out", `{type: object, maxProperties: 1, additionalProperties: {type: string}}`,
			`{a: b, c: "${}"}`, nil},
	})
}

func TestCheckLists(t *testing.T) {
	const ports = `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port, protocol],
items: {type: object, properties: {port: {type: integer}, protocol: {type: string, default: TCP}, name: {type: string}}}}`
	runChecks(t, []checkTest{
		{"items", `{type: array, items: {type: integer}}`, `[1, a, "${}", null, b]`, []string{
			`type x[1]: expects int, got the string "a"`,
			`type x[4]: expects int, got the string "b"`,
		}},
		{"deep path", `{type: object, additionalProperties: {type: array, items: {type: object, properties: {size: {type: integer}}}}}`,
			`{"a/b": [{size: 1}, {size: c}]}`, []string{`type x["a/b"][1].size: expects int, got the string "c"`}},
		{"too few", `{type: array, minItems: 2}`, `[1, null]`, []string{"bounds x: must have at least 2 items, has 1"}},
		{"too many", `{type: array, maxItems: 1}`, `[1, 2]`, []string{"bounds x: must have at most 1 item, has 2"}},
		{"a hole may be left out", `{type: array, maxItems: 1}`, `[1, "${}"]`, nil},
		{"set", `{type: array, x-kubernetes-list-type: set, items: {type: string}}`, `[a, b, a, "${}", "${}"]`,
			[]string{"unique x[2]: the same item as x[0], in a list that holds each item once"}},
		{"unique items", `{type: array, uniqueItems: true}`, `[{a: 1}, {a: 1.0}]`,
			[]string{"unique x[1]: the same item as x[0], in a list that holds each item once"}},
		{"atomic lists repeat", `{type: array, x-kubernetes-list-type: atomic}`, `[a, a]`, nil},
		{"merge keys with a default", ports, `[{port: 80}, {port: 80, protocol: UDP}, {port: 80, protocol: TCP}]`,
			[]string{"merge x[2]: has the same port and protocol as x[0], so that only one of the two may remain"}},
		{"merge keys beside a computed one", ports,
			`[{port: 80, protocol: TCP}, {port: 80, protocol: TCP, "${}": "${}"}, {port: 80, "${}": "${}"}]`,
			[]string{"merge x[1]: has the same port and protocol as x[0], so that only one of the two may remain"}},
		{"merge keys that are not known", ports, `[{port: "${}"}, {port: "${}"}, {name: a}, {name: b}]`, nil},
	})
}

func TestCheckForms(t *testing.T) {
	const either = `{type: object, properties: {a: {type: integer}, b: {type: integer}}, oneOf: [{required: [a]}, {required: [b]}]}`
	runChecks(t, []checkTest{
		{"one", either, `{a: 1}`, nil},
		{"none", either, `{}`, []string{
			`form x: fits none of the forms that the schema takes: required field "a" is missing; or required field "b" is missing`,
		}},
		{"both", either, `{a: 1, b: 2}`, []string{"form x: fits several of the forms of which the schema takes exactly one"}},
		{"both, where one may be left out", either, `{a: 1, b: "${}"}`, nil},
		{"all", `{type: integer, allOf: [{minimum: 3}, {maximum: 1}]}`, `2`,
			[]string{"bounds x: must be at least 3, got 2", "bounds x: must be at most 1, got 2"}},
		{"any", `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`, `http`, nil},
		{"not", `{type: string, not: {enum: [root]}}`, `root`, []string{"form x: has a form that the schema rules out"}},
	})
}

func TestCheckBuiltInKinds(t *testing.T) {
	tests := []struct {
		name, apiVersion, kind, value string
		want                          []string
	}{
		{"plain text in a Secret", "v1", "Secret", `{data: {pin: hunter2!}, stringData: {pin: hunter2!}}`, []string{
			`format t.data.pin: must be base64 text, which this is not ` +
				`(Write the plain text as ${bytes("…")}, which is encoded for you, or write it as base64)`,
		}},
		{"quantities", "v1", "Pod", `{spec: {nodeSelector: null, containers: [{name: a, resources: {limits: {cpu: 2, memory: 512Mi}}}]}}`, nil},
		{"a Deployment", "apps/v1", "Deployment", `{spec: {replica: 2, replicas: three, template: {spec: {containers: [{image: a}]}}}}`, []string{
			`unknown t.spec.replica: unknown field "replica" (Did you mean replicas?)`,
			`type t.spec.replicas: expects int, got the string "three"`,
			`required t.spec.template.spec.containers[0].name: required field "name" is missing`,
			`required t.spec.selector: required field "selector" is missing`,
		}},
		{"a protocol in small letters", "v1", "Service", `{spec: {ports: [{port: 53, protocol: udp}]}}`, []string{
			`enum t.spec.ports[0].protocol: expects "SCTP", "TCP" or "UDP", got the string "udp" (Did you mean UDP?)`,
		}},
		{"labels are strings", "v1", "ConfigMap", `{metadata: {labels: {live: true}}}`, []string{
			`type t.metadata.labels.live: expects string, got the bool true (Write it in quotes: "true")`,
		}},
		{"a CRD in a template", "apiextensions.k8s.io/v1", "CustomResourceDefinition", `
spec:
  group: a.example.com
  scope: Cluster
  names: {plural: as, kind: A}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string, default: x}}}}}
`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := resolve(t, Embedded(), tt.apiVersion, tt.kind)
			got := lines(Check(k.Schema, parseTree(t, tt.value), "t"))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("faults differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckNamesTheNearest(t *testing.T) {
	s := parseSchema(t, `{type: object, properties: {replicas: {type: integer}, image: {type: string}}}`)
	faults := Check(s, map[string]any{"replica": int64(2), "image": int64(1)}, "")
	want := []Fault{
		{Path: "image", Kind: WrongType, Message: "expects string, got the int 1", Suggestion: `Write it in quotes: "1"`, Expected: "string"},
		{Path: "replica", Kind: UnknownField, Message: `unknown field "replica"`, Suggestion: "Did you mean replicas?", Nearest: []string{"replicas"}},
	}
	if diff := cmp.Diff(want, faults); diff != "" {
		t.Errorf("faults differ (-want +got):\n%s", diff)
	}
}

// TestCheckTakesMapForAMap: a Map without computed keys is the same as a plain map.
func TestCheckTakesMapForAMap(t *testing.T) {
	s := parseSchema(t, `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name],
items: {type: object, required: [port], properties: {name: {type: string}, port: {type: integer}}}}`)
	value := []any{
		Map{Fields: map[string]any{"name": "a", "port": Hole{}}, Computed: map[string]any{}},
		Map{Fields: map[string]any{"name": "a", "prot": Hole{}}},
	}
	want := []string{
		`unknown x[1].prot: unknown field "prot" (Did you mean port?)`,
		`required x[1].port: required field "port" is missing`,
		"merge x[1]: has the same name as x[0], so that only one of the two may remain",
	}
	if diff := cmp.Diff(want, lines(Check(s, value, "x"))); diff != "" {
		t.Errorf("faults differ (-want +got):\n%s", diff)
	}
}
