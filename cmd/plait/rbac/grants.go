package rbac

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
)

// target is what a right is about. An empty name stands for all objects.
type target struct {
	group, resource, name string
}

// grants are the verbs for each target.
type grants map[target]sets.Set[string]

func (g grants) add(resource schema.GroupResource, name string, verbs ...string) {
	t := target{resource.Group, resource.Resource, name}
	if g[t] == nil {
		g[t] = sets.New[string]()
	}
	g[t].Insert(verbs...)
}

// rules are the grants in as few rules as keep them exact, sorted.
func (g grants) rules() []rbacv1.PolicyRule {
	return byResource(g.byName())
}

// byName puts names with the same verbs together, and leaves out what is granted for all objects anyway.
func (g grants) byName() []rbacv1.PolicyRule {
	found := map[string]*rbacv1.PolicyRule{}
	for t, verbs := range g {
		if t.name != "" {
			verbs = verbs.Difference(g[target{t.group, t.resource, ""}])
		}
		if len(verbs) == 0 {
			continue
		}
		key := strings.Join(append([]string{t.group, t.resource, cond(t.name == "")}, sortedVerbs(verbs)...), "\n")
		rule := found[key]
		if rule == nil {
			rule = &rbacv1.PolicyRule{APIGroups: []string{t.group}, Resources: []string{t.resource}, Verbs: sortedVerbs(verbs)}
			found[key] = rule
		}
		if t.name != "" {
			rule.ResourceNames = append(rule.ResourceNames, t.name)
			slices.Sort(rule.ResourceNames)
		}
	}
	return sorted(found)
}

// byResource puts resources of one group with the same verbs and names together.
func byResource(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	found := map[string]*rbacv1.PolicyRule{}
	for _, r := range rules {
		key := r.APIGroups[0] + "\n" + strings.Join(r.Verbs, ",") + "\n" + strings.Join(r.ResourceNames, ",")
		if have := found[key]; have != nil {
			have.Resources = append(have.Resources, r.Resources...)
			slices.Sort(have.Resources)
			continue
		}
		found[key] = &r
	}
	return sorted(found)
}

func sorted(rules map[string]*rbacv1.PolicyRule) []rbacv1.PolicyRule {
	out := []rbacv1.PolicyRule{}
	for _, key := range slices.Sorted(maps.Keys(rules)) {
		out = append(out, *rules[key])
	}
	slices.SortStableFunc(out, func(a, b rbacv1.PolicyRule) int {
		return cmp.Or(cmp.Compare(a.APIGroups[0], b.APIGroups[0]), slices.Compare(a.Resources, b.Resources),
			slices.Compare(a.ResourceNames, b.ResourceNames))
	})
	return out
}

// verbOrder is how people list verbs.
var verbOrder = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "bind", "escalate"}

func sortedVerbs(verbs sets.Set[string]) []string {
	return slices.SortedFunc(maps.Keys(verbs), func(a, b string) int {
		return cmp.Compare(slices.Index(verbOrder, a), slices.Index(verbOrder, b))
	})
}

func cond(all bool) string {
	if all {
		return "all"
	}
	return "named"
}
