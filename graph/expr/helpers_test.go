package expr

import (
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"
)

// schemaFrom reads a schema from YAML.
func schemaFrom(t testing.TB, text string) *spec.Schema {
	t.Helper()
	schema := &spec.Schema{}
	if err := yaml.Unmarshal([]byte(text), schema); err != nil {
		t.Fatalf("reading schema: %v", err)
	}
	return schema
}

const podTemplateSchema = `{type: object, properties: {
  metadata: {type: object, properties: {labels: {type: object, additionalProperties: {type: string}}}},
  spec: {type: object, properties: {containers: {type: array, items: {type: object, properties: {
    name: {type: string}, image: {type: string},
    ports: {type: array, items: {type: object, properties: {containerPort: {type: integer}}}}}}}}}}}`

// objectSchema is a kind with every sort of field.
const objectSchema = `
type: object
properties:
  metadata:
    type: object
    properties:
      name: {type: string}
      namespace: {type: string}
      creationTimestamp: {type: string, format: date-time}
      labels: {type: object, additionalProperties: {type: string}}
      annotations: {type: object, additionalProperties: {type: string}}
  spec:
    type: object
    properties:
      replicas: {type: integer}
      ratio: {type: number}
      paused: {type: boolean}
      namespace: {type: string}
      in: {type: string}
      class: {type: string, nullable: true}
      ttl: {type: string, format: duration}
      port: {x-kubernetes-int-or-string: true}
      size: {type: string, format: quantity}
      open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {mode: {type: string}}}
      free: {type: object, x-kubernetes-preserve-unknown-fields: true}
      any: {x-kubernetes-preserve-unknown-fields: true}
      names: {type: array, items: {type: string}}
      template: ` + podTemplateSchema + `
  data: {type: object, additionalProperties: {type: string}}
  secret: {type: object, additionalProperties: {type: string, format: byte}}
  status:
    type: object
    properties:
      endpoint: {type: string}
      ready: {type: boolean}
      succeeded: {type: integer}
      addresses: {type: array, items: {type: object, properties: {ip: {type: string}, port: {type: integer}}}}
      conditions: {type: array, items: {type: object, properties: {type: {type: string}, status: {type: string}}}}
      free: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

// testEnvironment has a node db and web of objectSchema, a dynamic node raw, the input schema, and a local item.
func testEnvironment(t testing.TB) *Environment {
	t.Helper()
	kind := FromSchema(schemaFrom(t, objectSchema))
	env, err := NewEnvironment(
		Variable{Name: "db", Type: kind}, Variable{Name: "web", Type: kind}, Variable{Name: "raw", Type: DynamicType()},
		Variable{Name: "dbs", Type: ListOf(kind)},
		Variable{Name: "schema", Type: kind, Root: Input}, Variable{Name: "item", Type: Primitive(String), Root: Local},
	)
	if err != nil {
		t.Fatal(err)
	}
	return env
}

func scan(t testing.TB, text string) Text {
	t.Helper()
	scanned, err := Scan(text)
	if err != nil {
		t.Fatalf("scanning %q: %v", text, err)
	}
	return scanned
}

func compile(t testing.TB, env *Environment, text string) *Program {
	t.Helper()
	program, problems := env.Compile(scan(t, text))
	if len(problems) > 0 {
		t.Fatalf("compiling %q: %v", text, problems)
	}
	return program
}

// testVars holds a db that has no status yet.
func testVars() Vars {
	return Vars{
		"db": map[string]any{
			"metadata": map[string]any{
				"name": "db", "creationTimestamp": "2031-05-06T07:08:09Z", "labels": map[string]any{"b": "2", "a": "1", "c": "3"},
			},
			"spec": map[string]any{
				"replicas": int64(2), "ratio": int64(3), "namespace": "spaces", "in": "within", "ttl": "90m", "port": "http",
				"names": []any{"x", "y"}, "open": map[string]any{"mode": "on", "extra": int64(1)}, "free": map[string]any{"k": nil},
				"any": []any{map[string]any{"a": int64(1)}},
			},
			"data":   map[string]any{"a.b": "dotted", "key": "value"},
			"secret": map[string]any{"user": "YWRtaW4=", "bad": "***"},
		},
		"web": map[string]any{
			"status": map[string]any{
				"addresses":  []any{map[string]any{"ip": "10.0.0.1"}},
				"conditions": []any{map[string]any{"type": "Ready", "status": "True"}},
				"free":       map[string]any{},
			},
		},
		"raw":    map[string]any{"spec": map[string]any{"a": int64(1)}},
		"dbs":    []any{map[string]any{"metadata": map[string]any{"name": "one"}}},
		"schema": map[string]any{"spec": map[string]any{"names": []any{"a"}}},
		"item":   "it",
	}
}

// describe is a result as text: its value, or what it is instead.
func describe(r Result) string {
	switch {
	case r.Err != nil:
		return "error: " + r.Err.Error()
	case r.Omitted:
		return "omitted"
	case r.Missing != nil:
		var all []string
		for _, m := range r.Missing {
			all = append(all, m.String())
		}
		return "missing: " + strings.Join(all, ", ")
	}
	text, err := encodeJSON(jsonForm(r.Value))
	if err != nil {
		return "error: " + err.Error()
	}
	return string(text)
}
