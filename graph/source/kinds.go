package source

import "k8s.io/apimachinery/pkg/runtime/schema"

// KindsOf gives the kinds that the nodes of a ResourceGroup's spec name, as far as it can be read: a spec that does not
// compile has them, too.
func KindsOf(spec map[string]any) map[schema.GroupKind]bool {
	out := map[schema.GroupKind]bool{}
	nodes, _ := spec["resources"].([]any)
	for _, node := range nodes {
		fields, _ := node.(map[string]any)
		for _, field := range []string{"template", "externalRef"} {
			body, _ := fields[field].(map[string]any)
			version, _ := body["apiVersion"].(string)
			kind, _ := body["kind"].(string)
			if version != "" && kind != "" {
				out[schema.FromAPIVersionAndKind(version, kind).GroupKind()] = true
			}
		}
	}
	return out
}
