package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// checkSameObject finds two nodes that render one object for certain: their names are the same text, and they
// are there under the same conditions. What depends on values is found when it happens.
func checkSameObject(s *state) {
	type identity struct{ group, kind, namespace, name string }
	seen := map[identity][]*node{}
	for _, n := range s.nodes {
		if n.out.Kind != graph.Template || n.src.Template == nil || len(n.src.ForEach) > 0 || n.out.GVK.Kind == "" {
			continue
		}
		meta := n.src.Template.Get("metadata")
		name, namespace := meta.Get("name").Text(), meta.Get("namespace").Text()
		if name == "" {
			continue
		}
		if namespace == "${schema.metadata.namespace}" {
			namespace = ""
		}
		id := identity{n.out.GVK.Group, n.out.GVK.Kind, namespace, name}
		for _, other := range seen[id] {
			if meetCertainly(n.src, other.src) {
				s.report(diag.GraphSameObject, meta.Get("name"),
					fmt.Sprintf("%s %q is rendered by %q already", id.kind, name, other.out.ID), "Give it another name, or merge the two resources.")
				break
			}
		}
		seen[id] = append(seen[id], n)
	}
}

// meetCertainly tells whether both nodes are there whenever one of them is, as far as can be told.
func meetCertainly(a, b *source.Node) bool {
	if len(a.IncludeWhen) == 0 && len(b.IncludeWhen) == 0 {
		return true
	}
	return slices.Equal(conditionTexts(a), conditionTexts(b))
}

func conditionTexts(n *source.Node) []string {
	var out []string
	for _, v := range n.IncludeWhen {
		out = append(out, strings.TrimSpace(v.Text()))
	}
	slices.Sort(out)
	return out
}
