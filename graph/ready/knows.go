package ready

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Knows tells whether the readiness of a kind can be told: by a rule for the kind, or by a Ready condition. Whether there
// is one cannot be seen in a schema; a list of conditions is taken as a yes unless it names its types and Ready is none
// of them. A status that the schema leaves open may hold one too. A nil schema stands for a kind that is not installed.
func Knows(gvk schema.GroupVersionKind, s *spec.Schema) bool {
	if _, ok := rules[gvk.GroupKind()]; ok || isBuiltInRule(gvk) || s == nil {
		return true
	}
	at := *s
	for _, name := range []string{"status", "conditions"} {
		property, ok := at.Properties[name]
		if !ok {
			return isOpen(at)
		}
		at = property
	}
	if at.Items == nil || at.Items.Schema == nil {
		return isOpen(at)
	}
	kind, ok := at.Items.Schema.Properties["type"]
	if !ok {
		return isOpen(*at.Items.Schema)
	}
	return len(kind.Enum) == 0 || slices.Contains(kind.Enum, any("Ready"))
}

func isOpen(s spec.Schema) bool {
	open, _ := s.Extensions["x-kubernetes-preserve-unknown-fields"].(bool)
	return open
}
