package connection

import (
	"context"
	"fmt"
	"testing"

	"github.com/plait-run/plait/test/world"
)

// rich is what a synthesised schema has to survive.
const rich = `
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: string, enum: [small, large], default: small}
              port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
              replicas: {type: integer, minimum: 0}
              labels: {type: object, additionalProperties: {type: string}}
              extra: {type: object, x-kubernetes-preserve-unknown-fields: true}
              object: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, number: {type: integer}}}
          status: {type: object, properties: {replicas: {type: integer}, endpoint: {type: string}}}`

func TestSchemasAreMadeOfOpenAPI(t *testing.T) {
	s := newSuite(t, "open")
	s.define(west, definition{Kind: "Database", Versions: rich}, "")
	s.define(west, definition{Kind: "Hidden"}, "")
	if _, err := west.Apply(context.Background(), "", `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: open}
rules:
- {apiGroups: [""], resources: [namespaces], verbs: [get]}
- {apiGroups: [`+s.group+`], resources: [databases], verbs: ["*"]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: open}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: open}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: user-of-open}]`); err != nil {
		t.Fatal(err)
	}
	s.secret(kubeconfig(t, west, "user-of-open"))
	s.forgetInstalled("databases")
	s.connect("schema: {source: OpenAPI, pullPolicy: All}")
	u := s.waitAPI("databases", "Installed/")
	if got := api(u, "hiddens."+s.group); got != "absent" {
		t.Errorf("an API that the credentials may not use is %s", got)
	}
	if got := field(t, u, "status", "activeSchemaSource"); got != "OpenAPI" {
		t.Errorf("activeSchemaSource is %v", got)
	}
	s.WaitFor("Connection", s.name, world.HasCondition("SchemaInSync", "True"))
	s.forgetInstalled("hiddens")
	patch(t, west, "clusterroles", "open", `{"rules":[{"apiGroups":[""],"resources":["namespaces"],"verbs":["get"]},
		{"apiGroups":["`+s.group+`"],"resources":["databases","hiddens"],"verbs":["*"]}]}`)
	s.waitAPI("hiddens", "Installed/") // without a change of anything else
	s.Apply(fmt.Sprintf(`
apiVersion: %s/v1
kind: Database
metadata: {name: a}
spec:
  port: http
  replicas: 2
  labels: {a: b}
  extra: {anything: [1]}
  object: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}
  ports: [{name: http, number: 80}]`, s.group))
	t.Cleanup(func() { s.Remove("databases."+s.group, "a") })
	database, err := s.Get("databases."+s.group, "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range [][]string{{"spec", "object", "data"}, {"spec", "extra", "anything"}, {"spec", "ports"}} {
		if field(t, database, path...) == nil {
			t.Errorf("%v was pruned", path)
		}
	}
	versions, _ := field(t, s.installed("databases"), "spec", "versions").([]any)
	first, _ := versions[0].(map[string]any)
	subresources, _ := first["subresources"].(map[string]any)
	if subresources["scale"] == nil || subresources["status"] == nil {
		t.Errorf("subresources %v, want status and scale", subresources)
	}
}
