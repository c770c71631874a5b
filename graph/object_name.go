package graph

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
)

// maxName is the number of bytes that a name may have.
const maxName = 253

// NameFaults tells what an API server would have against the name of an object; nothing where it would take it. RBAC's
// kinds and addresses take path segments, namespaces and services labels, and the rest DNS names. Fewer kinds than
// these are stricter than what is checked here.
func NameFaults(kind schema.GroupKind, name string) []string {
	switch {
	case len(name) > maxName:
		return []string{validation.MaxLenError(maxName)}
	case kind.Group == "rbac.authorization.k8s.io", kind.Kind == "IPAddress":
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/%") {
			return []string{"a name is a path segment without / and %"}
		}
		return nil
	case kind.Group == "" && (kind.Kind == "Namespace" || kind.Kind == "Service"):
		return validation.IsDNS1123Label(name)
	default:
		return validation.IsDNS1123Subdomain(name)
	}
}
