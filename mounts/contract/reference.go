package contract

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
)

// Reference names the mount object as the Workspace does; nothing of it is checked. Comparable.
type Reference struct {
	APIVersion string
	Kind       string
	Name       string
	Namespace  string // empty: cluster-scoped
}

// Key is the object's namespace and name.
func (r Reference) Key() types.NamespacedName {
	return types.NamespacedName{Namespace: r.Namespace, Name: r.Name}
}

// GVK is the object's kind; it has a meaning where Fault is empty.
func (r Reference) GVK() schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(r.APIVersion, r.Kind)
}

// String is `TenantCluster "infra/eu-1"`.
func (r Reference) String() string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + r.Name
	}
	return Cut(r.Kind) + " " + Quote(name)
}

// Fault says why the reference can mean no object, as a sentence that names the field; empty when it can.
func (r Reference) Fault() string {
	for _, f := range []struct{ field, value string }{{"apiVersion", r.APIVersion}, {"kind", r.Kind}, {"name", r.Name}} {
		if f.value == "" {
			return fmt.Sprintf("the reference has no %s", f.field)
		}
	}
	if fault := versionFault(r.APIVersion); fault != "" {
		return fault
	}
	if faults := validation.IsDNS1035Label(strings.ToLower(r.Kind)); len(faults) > 0 {
		return fmt.Sprintf("%s is no kind: write it as the definition does, such as TenantCluster", Quote(r.Kind))
	}
	if faults := content.IsPathSegmentName(r.Name); len(faults) > 0 {
		return fmt.Sprintf("%s is no name of an object: it %s", Quote(r.Name), strings.Join(faults, ", "))
	}
	if r.Namespace != "" && len(validation.IsDNS1123Label(r.Namespace)) > 0 {
		return fmt.Sprintf("%s is no name of a namespace", Quote(r.Namespace))
	}
	return ""
}

func versionFault(apiVersion string) string {
	gv, err := schema.ParseGroupVersion(apiVersion)
	hasGroup := strings.Contains(apiVersion, "/")
	if err != nil || len(validation.IsDNS1035Label(gv.Version)) > 0 || hasGroup && len(validation.IsDNS1123Subdomain(gv.Group)) > 0 {
		return fmt.Sprintf("%s is no apiVersion: write group/version, such as infra.example.com/v1alpha1", Quote(apiVersion))
	}
	return ""
}

// maxShown is how many bytes of a foreign value are shown.
const maxShown = 64

// Cut shortens a foreign value for a message.
func Cut(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "…"
}

// Quote shows a foreign value in a message: shortened, with nothing in it that could be taken for the message.
func Quote(text string) string { return fmt.Sprintf("%q", Cut(text)) }
