package compile

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/graph/source"
)

// findNeeds makes the edges of every node: from the references of its expressions, and from dependsOn.
func findNeeds(s *state) {
	for _, n := range s.nodes {
		needs := map[string]graph.Need{}
		s.needsOfTexts(n, needs)
		s.needsOfOrder(n, needs)
		for _, need := range needs {
			n.out.Needs = append(n.out.Needs, need)
		}
		slices.SortFunc(n.out.Needs, func(a, b graph.Need) int {
			return cmp.Compare(s.byID[a.ID].out.Index, s.byID[b.ID].out.Index)
		})
	}
}

// needsOfTexts adds an edge for every reference. One hard reference makes the edge hard. readyWhen makes none:
// it looks at the node itself.
func (s *state) needsOfTexts(n *node, needs map[string]graph.Need) {
	for _, t := range n.texts {
		if t.use == useReady {
			continue
		}
		for _, ref := range referencesOf(n, t) {
			if n.hasIterator(ref.Name) && t.use != useInclude {
				continue // its clash with a node is reported
			}
			if s.byID[ref.Name] == nil {
				s.checkInstanceReference(t, ref.Name, ref.Path)
				continue
			}
			kind := graph.Hard
			if ref.Optional {
				kind = graph.Soft
			}
			if before, ok := needs[ref.Name]; !ok || before.Kind < kind {
				needs[ref.Name] = graph.Need{ID: ref.Name, Kind: kind, Path: t.field}
			}
			n.out.ReadsSecret = n.out.ReadsSecret || readsSecret(s.byID[ref.Name])
		}
	}
}

func (n *node) hasIterator(name string) bool {
	return slices.ContainsFunc(n.src.ForEach, func(it source.Iterator) bool { return it.Name == name })
}

// referencesOf knows what a text reads that did not compile, too: it may be a step of a cycle all the same.
func referencesOf(n *node, t *text) []expr.Reference {
	if t.prog != nil {
		return t.prog.References()
	}
	return n.env.References(t.text)
}

func readsSecret(n *node) bool {
	return n.out.GVK.Group == "" && n.out.GVK.Kind == "Secret"
}

func (s *state) checkInstanceReference(t *text, name, path string) {
	if name == "schema" && path == "metadata.namespace" && !s.api.namespaced {
		s.reportAt(diag.TemplateNamespace, t.place(), "instances of this group are cluster-scoped: schema.metadata.namespace is never set",
			"Name the namespace, or take it from an input.")
	}
}

func (s *state) needsOfOrder(n *node, needs map[string]graph.Need) {
	for i, v := range n.src.DependsOn {
		id := v.Text()
		if s.byID[id] == nil {
			s.report(diag.NodeReference, v, fmt.Sprintf("there is no resource %q", id), diag.DidYouMean(id, s.ids()))
			continue
		}
		if _, ok := needs[id]; !ok {
			needs[id] = graph.Need{ID: id, Kind: graph.Order, Path: fmt.Sprintf("dependsOn[%d]", i)}
		}
	}
}

// ids gives all ids in the order of the document.
func (s *state) ids() []string {
	var out []string
	for _, n := range s.nodes {
		if s.byID[n.out.ID] == n {
			out = append(out, n.out.ID)
		}
	}
	return out
}
