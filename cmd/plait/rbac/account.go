package rbac

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph"
)

// The scopes of an account's rights; any other is a namespace that a template names.
const (
	inInstance = ""  // the namespace of the instance
	everywhere = "*" // cluster-scoped kinds, and namespaces that are computed
)

const rbacGroup = "rbac.authorization.k8s.io"

// account is what the service account of an instance needs.
type account struct {
	namespaced bool // the instances are
	scopes     map[string]grants
	notes      []string // what a person must know, in the order of the nodes
}

func accountOf(g *graph.Graph) account {
	a := account{namespaced: g.IsNamespaced(), scopes: map[string]grants{}}
	for _, n := range g.Nodes() {
		switch {
		case n.Kind == graph.Def:
		case !n.Installed:
			a.notes = append(a.notes, fmt.Sprintf("The kind of %s (%s) is not known: its rights are missing here. Name its definition with --crds.", n.ID, n.GVK.GroupKind()))
		case n.Kind == graph.Template:
			a.template(n)
		default:
			a.external(n)
		}
	}
	return a
}

func (a *account) in(scope string) grants {
	if a.scopes[scope] == nil {
		a.scopes[scope] = grants{}
	}
	return a.scopes[scope]
}

// template grants what writing a child takes. Apply is the verb patch, and create when there is no object yet; get
// tells whose an object is that is in the way.
func (a *account) template(n *graph.Node) {
	resource := n.Resource.GroupResource()
	where := a.in(a.scopeOf(n, lookup(n.Body, "metadata", "namespace")))
	where.add(resource, "", "get", "create", "patch")
	if !n.Lifecycle.Orphan {
		where.add(resource, "", "delete")
	}
	if n.GVK.Group != rbacGroup {
		return
	}
	switch n.GVK.Kind {
	case "Role", "ClusterRole":
		where.add(resource, lookup(n.Body, "metadata", "name").literal, "escalate")
		a.notes = append(a.notes, fmt.Sprintf("%s is a %s: writing one takes the verb escalate, or all the rights that it gives. "+
			"Grant those in place of escalate where you can.", n.ID, n.GVK.Kind))
	case "RoleBinding", "ClusterRoleBinding":
		a.binding(n, where)
	}
}

// binding grants bind on the role that a binding refers to.
func (a *account) binding(n *graph.Node, where grants) {
	name := lookup(n.Body, "roleRef", "name").literal
	kinds := map[string]string{"Role": "roles", "ClusterRole": "clusterroles"}
	resource, ok := kinds[lookup(n.Body, "roleRef", "kind").literal]
	resources := []string{resource}
	if !ok {
		resources = []string{"roles", "clusterroles"}
	}
	for _, resource := range resources {
		where.add(schema.GroupResource{Group: rbacGroup, Resource: resource}, name, "bind")
	}
	what := "the role " + name
	if name == "" {
		what = "any role, as the role's name is computed"
	}
	a.notes = append(a.notes, fmt.Sprintf("%s is a %s: writing one takes the verb bind on %s, or all the rights that the role gives.", n.ID, n.GVK.Kind, what))
}

// external grants what reading objects of others takes.
func (a *account) external(n *graph.Node) {
	ref := n.External
	scope := a.scopeOf(n, lookup(ref.Namespace))
	if ref.AllNamespaces {
		scope = everywhere
	}
	if n.Kind == graph.ExternalList {
		a.in(scope).add(n.Resource.GroupResource(), "", "list")
		return
	}
	a.in(scope).add(n.Resource.GroupResource(), lookup(ref.Name).literal, "get")
}

// ownNamespace is how templates name the namespace of the instance.
const ownNamespace = "${schema.metadata.namespace}"

// scopeOf tells where the objects of a node are.
func (a *account) scopeOf(n *graph.Node, namespace value) string {
	switch {
	case !n.Namespaced:
		return everywhere
	case !namespace.present && a.namespaced, namespace.source == ownNamespace:
		return inInstance
	case namespace.literal == "":
		return everywhere
	default:
		return namespace.literal
	}
}
