package rbac

import (
	"fmt"
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/graph"
)

// Document is one role, with what a person must know about it.
type Document struct {
	Name   string   // of the role
	Notes  []string // whole sentences, for a comment above it
	Object any      // *rbacv1.ClusterRole or *rbacv1.Role
}

// Documents gives the roles of a group: the engine's, the service account's - one for the namespace of the instance,
// and more where children or externals are elsewhere - and those of the users of its kind.
func Documents(g *graph.Graph) []Document {
	out := append([]Document{engine(g)}, accountRoles(g)...)
	return append(out, users(g)...)
}

// engine is what the engine needs itself: to watch what the graph is about, and to keep the instances.
func engine(g *graph.Graph) Document {
	rights := grants{}
	for _, n := range g.Nodes() {
		if n.Kind != graph.Def && n.Installed {
			rights.add(n.Resource.GroupResource(), "", "list", "watch")
		}
	}
	instances := g.Resource().GroupResource()
	rights.add(instances, "", "get", "list", "watch", "patch")
	if g.Policies().DeletionPolicy == "Cascade" {
		rights.add(instances, "", "delete")
	}
	rights.add(subresource(instances, "status"), "", "patch")
	rights.add(subresource(instances, "finalizers"), "", "update")
	role := clusterRole("plait-engine-"+g.Name(), rights)
	role.Labels = map[string]string{v1alpha1.LabelAggregateToEngine: v1alpha1.True}
	return Document{Name: role.Name, Object: role, Notes: []string{
		"For the engine, whose own role gathers all that carry this label. It writes children as the service account, " +
			"and needs the verb impersonate on that account as well.",
	}}
}

func subresource(of schema.GroupResource, name string) schema.GroupResource {
	return schema.GroupResource{Group: of.Group, Resource: of.Resource + "/" + name}
}

// accountRoles are the roles of the service account, that of the instance's namespace first.
func accountRoles(g *graph.Graph) []Document {
	needs := accountOf(g)
	var out []Document
	for _, scope := range slices.Sorted(maps.Keys(needs.scopes)) {
		out = append(out, accountRole(g, scope, needs.scopes[scope]))
	}
	if len(out) == 0 {
		out = []Document{accountRole(g, inInstance, grants{})}
	}
	out[0].Notes = append(out[0].Notes, needs.notes...)
	return out
}

func accountRole(g *graph.Graph, scope string, rights grants) Document {
	name := "plait-account-" + g.Name()
	switch scope {
	case inInstance:
		return Document{Name: name, Object: clusterRole(name, rights), Notes: []string{
			"For the service account that writes the children. Bind it by a RoleBinding in each namespace that has instances.",
		}}
	case everywhere:
		return Document{Name: name + "-cluster", Object: clusterRole(name+"-cluster", rights), Notes: []string{
			"For the service account, outside of the instance's namespace: cluster-scoped kinds, all namespaces, and namespaces that are computed. " +
				"Bind it by a ClusterRoleBinding.",
		}}
	default:
		role := &rbacv1.Role{
			TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "Role"},
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: scope},
			Rules:      rights.rules(),
		}
		return Document{Name: name, Object: role, Notes: []string{fmt.Sprintf("For the service account in the namespace %s. Bind it by a RoleBinding there.", scope)}}
	}
}

// users are the roles of those who have instances: Kubernetes' own view, edit and admin gather them.
func users(g *graph.Graph) []Document {
	resource := g.Resource().GroupResource()
	reading, writing := grants{}, grants{}
	reading.add(resource, "", "get", "list", "watch")
	writing.add(resource, "", "create", "update", "patch", "delete", "deletecollection")
	view, edit := clusterRole("plait-view-"+g.Name(), reading), clusterRole("plait-edit-"+g.Name(), writing)
	const aggregate = "rbac.authorization.k8s.io/aggregate-to-"
	view.Labels = map[string]string{aggregate + "view": "true", aggregate + "edit": "true", aggregate + "admin": "true"}
	edit.Labels = map[string]string{aggregate + "edit": "true", aggregate + "admin": "true"}
	kind := g.Kind().Kind
	return []Document{
		{Name: view.Name, Object: view, Notes: []string{fmt.Sprintf("For who may see instances of %s: part of view, edit and admin.", kind)}},
		{Name: edit.Name, Object: edit, Notes: []string{fmt.Sprintf("For who may have instances of %s: part of edit and admin.", kind)}},
	}
}

func clusterRole(name string, rights grants) *rbacv1.ClusterRole {
	return &rbacv1.ClusterRole{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRole"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Rules:      rights.rules(),
	}
}
