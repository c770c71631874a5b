package track

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Owner is an instance by the resource that serves it and its name. Comparable.
type Owner struct {
	Resource schema.GroupVersionResource
	types.NamespacedName
}

// Compare orders owners by resource, namespace and name.
func (o Owner) Compare(p Owner) int {
	return cmp.Or(compareResources(o.Resource, p.Resource),
		cmp.Compare(o.Namespace, p.Namespace), cmp.Compare(o.Name, p.Name))
}

// External says which objects an owner only reads. Comparable.
type External struct {
	Resource  schema.GroupVersionResource
	Namespace string // empty: cluster-scoped, or all namespaces
	Name      string // of one object; empty with a selector
	Selector  string // canonical form of a label selector; meaningful when Name is empty; empty selects all
}

// Compare orders externals by resource, namespace, name and selector.
func (e External) Compare(f External) int {
	return cmp.Or(compareResources(e.Resource, f.Resource), cmp.Compare(e.Namespace, f.Namespace),
		cmp.Compare(e.Name, f.Name), cmp.Compare(e.Selector, f.Selector))
}

// Instance is what the annotation plait.run/instance of a child says: the kind, namespace and name of its instance.
type Instance struct {
	Group     string
	Kind      string
	Namespace string // empty for cluster-scoped instances
	Name      string
}

// String is the annotation's value: `Kind.group/namespace/name`, the namespace empty for cluster-scoped instances.
func (i Instance) String() string {
	return fmt.Sprintf("%s.%s/%s/%s", i.Kind, i.Group, i.Namespace, i.Name)
}

// ParseInstance reads what Instance.String writes; ok is false for anything else.
func ParseInstance(value string) (instance Instance, ok bool) {
	parts := strings.Split(value, "/")
	if len(parts) != 3 || parts[2] == "" {
		return Instance{}, false
	}
	kind, group, found := strings.Cut(parts[0], ".")
	if !found || kind == "" || group == "" {
		return Instance{}, false
	}
	return Instance{Group: group, Kind: kind, Namespace: parts[1], Name: parts[2]}, true
}

func compareResources(a, b schema.GroupVersionResource) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Resource, b.Resource))
}

// ResourceName is `resource.version.group`, as metrics and logs name resources; without a group `resource.version`.
func ResourceName(r schema.GroupVersionResource) string {
	return strings.TrimSuffix(r.Resource+"."+r.Version+"."+r.Group, ".")
}
