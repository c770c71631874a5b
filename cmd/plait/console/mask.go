package console

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// masked stands in the place of every value of a Secret.
const masked = "(hidden)"

// lastApplied is where kubectl keeps a whole object, values of a Secret included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// yamlOf writes an object for people: without managed fields, and without a value of a Secret.
func yamlOf(u *unstructured.Unstructured) string {
	u = u.DeepCopy()
	u.SetManagedFields(nil)
	annotations := u.GetAnnotations()
	delete(annotations, lastApplied)
	u.SetAnnotations(annotations)
	if u.GroupVersionKind().Group == "" && u.GetKind() == "Secret" {
		for _, field := range []string{"data", "stringData"} {
			mask(u.Object[field])
		}
	}
	data, err := yaml.Marshal(u.Object)
	if err != nil {
		return "this object cannot be written as YAML: " + err.Error()
	}
	return string(data)
}

func mask(values any) {
	fields, _ := values.(map[string]any)
	for key := range fields {
		fields[key] = masked
	}
}
