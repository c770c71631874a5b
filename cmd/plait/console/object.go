package console

import (
	"context"
	"fmt"
	"html/template"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/cmd/plait/draw"
	"github.com/plait-run/plait/cmd/plait/explain"
	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/online"
	"github.com/plait-run/plait/graph"
)

// objectView is the page of one object.
type objectView struct {
	Item        *inspect.Item
	Explanation explain.Explanation
	Tree        branch
	Graph       template.HTML // an SVG that package draw made; empty when there is none
	GraphNote   string        // why there is none
	Events      []inspect.Event
	YAML        string
	Watched     []string // paths of the objects that the page depends on
}

// branch is an item of the tree with where it is shown.
type branch struct {
	*inspect.Item
	Path     string // empty when it is no object of this cluster
	Note     string
	Anchor   string // to which a card of the graph leads; empty: none does
	Branches []branch
}

// object gathers the page of an object.
func (s *server) object(ctx context.Context, ref inspect.Reference) (*objectView, error) {
	kinds, err := s.store.Kinds(ctx)
	if err != nil {
		return nil, err
	}
	it, err := inspect.Gather(ctx, s.store, ref, inspect.Options{Findings: true})
	if err != nil {
		return nil, err
	}
	u, err := s.store.Get(ctx, ref.Kind, ref.Namespace, ref.Name)
	if err != nil {
		return nil, err
	}
	out := &objectView{Item: it, Explanation: explain.Explain(it), YAML: yamlOf(u), Events: inspect.Events(ctx, s.store, u)}
	out.Tree = branchOf(kinds, it)
	out.watch(out.Tree)
	if shown := out.Tree.graphed(); shown != nil {
		shown.anchor()
		out.Graph, out.GraphNote = s.graph(ctx, shown)
	}
	return out, nil
}

// graphed gives the instance whose graph the page shows: the object itself, or what a Workspace is mounted from.
func (b *branch) graphed() *branch {
	if b.Class == inspect.ClassInstance {
		return b
	}
	for i := range b.Branches {
		if below := &b.Branches[i]; below.Relation == inspect.Mount && below.Class == inspect.ClassInstance {
			return below
		}
	}
	return nil
}

// anchor gives the first branch of each node a name.
func (b *branch) anchor() {
	known := map[string]bool{}
	for i := range b.Branches {
		if below := &b.Branches[i]; below.Relation == inspect.Node && !known[below.ID] {
			known[below.ID] = true
			below.Anchor = anchorOf(below.ID)
		}
	}
}

func anchorOf(id string) string { return "node-" + id }

func branchOf(kinds inspect.Kinds, it *inspect.Item) branch {
	out := branch{Item: it, Note: noteOf(it)}
	kind, ok := kinds.Of(schema.FromAPIVersionAndKind(it.APIVersion, it.Kind))
	if ok && !it.Missing && it.Relation != inspect.Copy {
		out.Path = pathOf(kind, it.Namespace, it.Name)
	}
	for _, part := range it.Items {
		out.Branches = append(out.Branches, branchOf(kinds, part))
	}
	return out
}

// Relates says in words what a branch is to the one above.
func (b branch) Relates() string {
	return map[inspect.Relation]string{
		inspect.Copy: "copy at the provider", inspect.Mount: "mounted from", inspect.Group: "served by",
		inspect.Connection: "through", inspect.Binding: "bound by", inspect.Leftover: "not listed in the status",
	}[b.Relation]
}

func (v *objectView) watch(b branch) {
	if b.Path != "" {
		v.Watched = append(v.Watched, b.Path)
	}
	for _, below := range b.Branches {
		v.watch(below)
	}
}

// graph draws the nodes of an instance with their states.
func (s *server) graph(ctx context.Context, of *branch) (template.HTML, string) {
	group, err := s.groupOf(ctx, of.Item)
	if err != nil || group == nil {
		return "", "The graph is not shown: the ResourceGroup may not be read."
	}
	g, err := s.compiled(ctx, group)
	if err != nil || g == nil {
		return "", "The graph is not shown: the ResourceGroup does not compile with what may be read."
	}
	// The drawing holds nothing but what package draw escapes.
	return template.HTML(draw.Live(g, marksOf(of))), ""
}

// marksOf gives each node the state of its worst object.
func marksOf(of *branch) map[string]draw.Mark {
	out := map[string]draw.Mark{}
	worst := map[string]int{}
	for _, b := range of.Branches {
		if b.Relation != inspect.Node {
			continue
		}
		rank := slices.Index([]inspect.Health{inspect.Bad, inspect.Busy, inspect.Unknown, inspect.Good, inspect.Off}, b.Health)
		if known, ok := worst[b.ID]; ok && known <= rank {
			continue
		}
		worst[b.ID] = rank
		out[b.ID] = draw.Mark{State: b.State, Class: string(b.Health), Link: "#" + anchorOf(b.ID), Title: b.Note, Since: stamp(b.Since)}
	}
	return out
}

// groupOf reads the ResourceGroup that serves an instance.
func (s *server) groupOf(ctx context.Context, it *inspect.Item) (*unstructured.Unstructured, error) {
	kinds, err := s.store.Kinds(ctx)
	if err != nil {
		return nil, err
	}
	kind, ok := kinds.Of(schema.GroupVersionKind{Group: "plait.run", Version: "v1alpha1", Kind: "ResourceGroup"})
	if !ok || it.Group == "" {
		return nil, nil
	}
	return s.store.Get(ctx, kind, "", it.Group)
}

// compiled compiles a ResourceGroup, once for each generation of it.
func (s *server) compiled(ctx context.Context, group *unstructured.Unstructured) (*graph.Graph, error) {
	key := fmt.Sprintf("%s/%d", group.GetUID(), group.GetGeneration())
	if g, ok := s.graphs.get(group.GetName(), key); ok {
		return g, nil
	}
	g, err := online.Compile(ctx, s.store, group)
	if err != nil || g == nil {
		return nil, err // a kind that is missing may be installed later
	}
	s.graphs.set(group.GetName(), key, g)
	return g, nil
}
