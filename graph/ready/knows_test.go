package ready

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"
)

func TestKnows(t *testing.T) {
	tests := []struct {
		apiVersion, kind, schema string
		want                     bool
	}{
		{"apps/v1", "Deployment", `{type: object}`, true},
		{"v1", "ConfigMap", `{type: object}`, true},
		{"batch/v1", "Job", `{type: object}`, true},
		{"v1", "Namespace", `{type: object}`, true},
		{"rbac.authorization.k8s.io/v1", "Role", `{type: object, properties: {rules: {type: array}}}`, false},
		{"db.example.com/v1", "Deployment", `{type: object}`, false},
		{"db.example.com/v1", "Database", `{properties: {status: {type: object, properties: {phase: {type: string}}}}}`, false},
		{"db.example.com/v1", "Database", `{properties: {status: {properties: {conditions: {type: array, items: {properties: {type: {type: string}}}}}}}}`, true},
		{"db.example.com/v1", "Database", `{properties: {status: {properties: {conditions: {type: array, items: {properties: {type: {enum: [Up]}}}}}}}}`, false},
		{"db.example.com/v1", "Database", `{properties: {status: {properties: {conditions: {type: array, items: {properties: {type: {enum: [Up, Ready]}}}}}}}}`, true},
		{"db.example.com/v1", "Database", `{properties: {status: {properties: {conditions: {type: array, items: {properties: {name: {type: string}}}}}}}}`, false},
		{"db.example.com/v1", "Database", `{properties: {status: {properties: {conditions: {type: string}}}}}`, false},
		{"db.example.com/v1", "Database", `{properties: {status: {x-kubernetes-preserve-unknown-fields: true}}}`, true},
		{"db.example.com/v1", "Database", `{x-kubernetes-preserve-unknown-fields: true}`, true},
	}
	for _, tt := range tests {
		s := &spec.Schema{}
		if err := yaml.Unmarshal([]byte(tt.schema), s); err != nil {
			t.Fatal(err)
		}
		if got := Knows(schema.FromAPIVersionAndKind(tt.apiVersion, tt.kind), s); got != tt.want {
			t.Errorf("Knows(%s %s, %s) = %v, want %v", tt.apiVersion, tt.kind, tt.schema, got, tt.want)
		}
	}
	if !Knows(schema.FromAPIVersionAndKind("db.example.com/v1", "Database"), nil) {
		t.Error("a kind that is not installed is known not to tell its readiness")
	}
}
