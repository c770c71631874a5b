package mirror

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

var maker = Maker{Cluster: "c0ffee00-1234", Binding: "bind-1"}

// fromYAML reads an object as an API server's client does: whole numbers are int64.
func fromYAML(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatalf("reading the test's YAML: %v", err)
	}
	out := &unstructured.Unstructured{}
	if err := out.UnmarshalJSON(data); err != nil {
		t.Fatalf("reading the test's YAML: %v", err)
	}
	return out
}

// database is a consumer's object with metadata of its own beside the given.
func database(t *testing.T, metadata, rest string) *unstructured.Unstructured {
	t.Helper()
	return fromYAML(t, "{apiVersion: db.example.com/v1, kind: Database, metadata: {name: shop, namespace: team, uid: obj-1, generation: 3"+
		metadata+"}"+rest+"}")
}
