package connection

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/test/world"
)

// TestDocumentsInParts reads a provider whose OpenAPI document has its schemas in parts, as servers that are written in Go
// have, and who cannot give one document for a while: what was known stays, and that is said.
func TestDocumentsInParts(t *testing.T) {
	t.Parallel()
	s, g := newSuite(t, "parts"), newGate(t, west)
	document := "/openapi/v3/apis/" + s.group + "/v1"
	parts := &atomic.Int32{}
	g.set(where(document, inParts(t, west, parts)))
	s.define(west, definition{Kind: "Database"}, "")
	s.secret(g.kubeconfig(t))
	s.forgetInstalled("databases", "queues")
	s.connect("schema: {source: OpenAPI, pullPolicy: All}")
	s.waitAPI("databases", "Installed/")
	spec, _, _ := unstructured.NestedMap(schemaOf(t, s.installed("databases")), "properties", "spec")
	if limit, _, _ := unstructured.NestedFieldNoCopy(spec, "properties", "size", "maxLength"); limit != int64(20) || parts.Load() == 0 {
		t.Errorf("the schema of spec is %v, want its %d parts put together", spec, parts.Load())
	}

	g.set(where(document, answering(http.StatusServiceUnavailable, "{}")))
	s.define(west, definition{Kind: "Queue"}, "")
	u := s.waitReady("False/DiscoveryFailed")
	if got := world.Condition(u, "Ready"); !strings.Contains(got, document) {
		t.Errorf("Ready is %s, want it to name the document", got)
	}
	if got := api(u, "databases."+s.group); !strings.HasPrefix(got, "Installed/") {
		t.Errorf("what was known is %s by now", got)
	}
	g.set(where(document, inParts(t, west, parts)))
	s.waitAPI("queues", "Installed/")
	s.waitReady("True/AsExpected")
}

// inParts answers with a document in which every spec is a reference, within allOf, to a schema of its own, and counts them.
func inParts(t *testing.T, provider *world.World, parts *atomic.Int32) func(http.ResponseWriter, *http.Request) bool {
	t.Helper()
	client, err := rest.HTTPClientFor(provider.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	return func(w http.ResponseWriter, r *http.Request) bool {
		response, err := client.Get(provider.RESTConfig().Host + r.URL.RequestURI())
		if err != nil {
			return false
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		var document map[string]any
		if err != nil || json.Unmarshal(body, &document) != nil {
			return false
		}
		schemas, _, _ := unstructured.NestedMap(document, "components", "schemas")
		for name, schema := range schemas {
			one, _ := schema.(map[string]any)
			if spec, ok, _ := unstructured.NestedMap(one, "properties", "spec"); ok {
				schemas[name+"Spec"] = spec
				part := map[string]any{"default": map[string]any{}, "allOf": []any{map[string]any{"$ref": "#/components/schemas/" + name + "Spec"}}}
				_ = unstructured.SetNestedMap(one, part, "properties", "spec")
				parts.Add(1)
			}
		}
		_ = unstructured.SetNestedMap(document, schemas, "components", "schemas")
		text, err := json.Marshal(document)
		return err == nil && answering(response.StatusCode, string(text))(w, r)
	}
}

// schemaOf gives the schema of a definition's first version.
func schemaOf(t *testing.T, u *unstructured.Unstructured) map[string]any {
	t.Helper()
	versions, _ := field(t, u, "spec", "versions").([]any)
	first, _ := versions[0].(map[string]any)
	schema, _, _ := unstructured.NestedMap(first, "schema", "openAPIV3Schema")
	return schema
}
