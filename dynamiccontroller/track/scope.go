package track

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Beyond these numbers many narrow watches cost more than one wide one.
const (
	maxKeysOfNamespace = 8 // names and selectors of a resource that are watched singly in one namespace
	maxNamespaces      = 8 // namespaces of a resource that are watched singly
)

// Scope is one list that is watched: everything of a resource that fits all the other fields. Comparable.
type Scope struct {
	Resource  schema.GroupVersionResource
	Children  bool   // only what carries the label of our children
	Namespace string // empty: all namespaces, or cluster-scoped
	Name      string // empty: all names
	Selector  string // empty: all labels
}

// Compare orders scopes by resource, children first, then namespace, name and selector.
func (s Scope) Compare(t Scope) int {
	return cmp.Or(compareResources(s.Resource, t.Resource), cmp.Compare(btoi(t.Children), btoi(s.Children)),
		cmp.Compare(s.Namespace, t.Namespace), cmp.Compare(s.Name, t.Name), cmp.Compare(s.Selector, t.Selector))
}

// Covers tells whether everything that a key names is in the scope.
func (s Scope) Covers(e External) bool {
	switch {
	case s.Children || s.Resource != e.Resource:
		return false
	case s.Namespace != "" && s.Namespace != e.Namespace:
		return false
	case s.Name != "":
		return s.Name == e.Name
	case s.Selector != "":
		return e.Name == "" && s.Selector == e.Selector
	default:
		return true
	}
}

// String is for logs: `pods.v1. in team-a named x`.
func (s Scope) String() string {
	out := ResourceName(s.Resource)
	if s.Children {
		out += " of instances"
	}
	if s.Namespace != "" {
		out += " in " + s.Namespace
	}
	if s.Name != "" {
		out += " named " + s.Name
	}
	if s.Selector != "" {
		out += " with " + s.Selector
	}
	return out
}

// scopesOf gives the lists to watch for the keys of one resource: single names and selectors, beyond maxKeysOfNamespace
// the namespace, beyond maxNamespaces the cluster.
func scopesOf(r schema.GroupVersionResource, keys []External) []Scope {
	byNamespace := map[string][]External{}
	for _, k := range keys {
		byNamespace[k.Namespace] = append(byNamespace[k.Namespace], k)
	}
	everywhere := byNamespace[""]
	delete(byNamespace, "")
	if len(byNamespace) > maxNamespaces {
		return []Scope{{Resource: r}}
	}
	out := narrow(r, "", everywhere)
	if slices.Contains(out, Scope{Resource: r}) {
		return []Scope{{Resource: r}}
	}
	for namespace, some := range byNamespace {
		out = append(out, narrow(r, namespace, some)...)
	}
	return out
}

func narrow(r schema.GroupVersionResource, namespace string, keys []External) []Scope {
	whole := Scope{Resource: r, Namespace: namespace}
	if len(keys) > maxKeysOfNamespace {
		return []Scope{whole}
	}
	var out []Scope
	for _, k := range keys {
		s := Scope{Resource: r, Namespace: namespace, Name: k.Name}
		if k.Name == "" {
			s.Selector = k.Selector
		}
		if s == whole {
			return []Scope{whole}
		}
		out = append(out, s)
	}
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
