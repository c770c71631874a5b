package offline

import (
	"context"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/misspelt"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/compile"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// The kinds of documents that mean something here; any other is an instance.
const (
	groupAPIVersion = "plait.run/v1alpha1"
	groupKind       = "ResourceGroup"
	crdAPIVersion   = "apiextensions.k8s.io/v1"
	crdKind         = "CustomResourceDefinition"
)

// Set is what some documents amount to.
type Set struct {
	Groups    []*Group
	Instances []*source.Document // documents of other kinds than groups and CRDs
	Others    []*source.Document // those of them whose kind is known and served by no group; set by CheckInstances
	Problems  diag.List
	resolver  *resolver
}

// Group is one ResourceGroup of a set.
type Group struct {
	Source *source.Group
	Graph  *graph.Graph // nil when a diagnostic is an error

	problems diag.List                                 // of compiling it
	crd      *apiextensionsv1.CustomResourceDefinition // what others know of its kind
}

// Load compiles the groups among documents. CRDs may stand among documents or in known, where groups count as
// well, but only for the kinds that they serve. A group may use the kind that another one serves.
func Load(ctx context.Context, documents, known []*source.Document) (*Set, error) {
	set := &Set{resolver: &resolver{}}
	var helpers []*Group
	for i, docs := range [][]*source.Document{documents, known} {
		for _, doc := range docs {
			switch {
			case doc.APIVersion == groupAPIVersion && doc.Kind == groupKind:
				group := set.mapGroup(doc, i == 0)
				if i == 0 && group != nil {
					set.Groups = append(set.Groups, group)
				}
				if group != nil {
					helpers = append(helpers, group)
				}
			case doc.APIVersion == crdAPIVersion && doc.Kind == crdKind:
				set.addCRD(doc)
			case i == 0:
				set.Instances = append(set.Instances, doc)
			}
		}
	}
	return set, set.compile(ctx, helpers)
}

func (s *Set) mapGroup(doc *source.Document, report bool) *Group {
	group, problems := source.MapGroup(doc)
	if report {
		s.Problems.Append(problems)
		s.checkAnnotations(doc, misspelt.OnGroup)
	}
	if group == nil {
		return nil
	}
	return &Group{Source: group}
}

func (s *Set) addCRD(doc *source.Document) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	object, _ := doc.Root.Plain().(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, crd); err != nil {
		s.Problems.Add(diag.Diagnostic{
			File: doc.File, Position: doc.Root.Position, Code: diag.WrongFieldType,
			Summary: fmt.Sprintf("the CustomResourceDefinition %q cannot be read: %v", doc.Name, err),
		})
		return
	}
	s.resolver.crds = append(s.resolver.crds, crd)
}

// compile compiles groups so that one whose kind others use comes before them. Of groups that use their own kind or
// each other's, the first is compiled without knowing the others, and all of them once more with all kinds, as a
// cluster does when the kinds have appeared.
func (s *Set) compile(ctx context.Context, groups []*Group) error {
	serves := map[runtimeschema.GroupKind]*Group{}
	for _, g := range groups {
		kind := servedKind(g.Source)
		if first := serves[kind]; first != nil {
			s.warnOfSecond(g, first, kind)
			continue
		}
		serves[kind] = g
	}
	order, needsMore := inOrderOfUse(groups, serves)
	for _, g := range append(order, needsMore...) {
		if err := s.compileGroup(ctx, g); err != nil {
			return err
		}
	}
	for _, g := range order {
		s.Problems.Append(g.problems)
	}
	return nil
}

// inOrderOfUse orders groups so that those whose kinds a group uses stand before it. Around a circle that cannot be:
// again are the groups that the first round compiles before a kind that they use is there, and the users of these.
func inOrderOfUse(groups []*Group, serves map[runtimeschema.GroupKind]*Group) (order, again []*Group) {
	const open, done = 1, 2
	state, stale := map[*Group]int{}, map[*Group]bool{}
	var visit func(*Group)
	visit = func(g *Group) {
		if state[g] != 0 {
			return
		}
		state[g] = open
		for _, kind := range UsedKinds(g.Source) {
			if other := serves[kind]; other != nil {
				visit(other)
				stale[g] = stale[g] || state[other] == open || stale[other]
			}
		}
		state[g] = done
		order = append(order, g)
		if stale[g] {
			again = append(again, g)
		}
	}
	for _, g := range groups {
		visit(g)
	}
	return order, again
}

// warnOfSecond tells of two groups for one kind: a cluster serves that of one of them, and the other reports a conflict.
func (s *Set) warnOfSecond(g, first *Group, kind runtimeschema.GroupKind) {
	at := g.Source.Schema.Kind
	if at == nil || g.Source.Name == first.Source.Name {
		return // without a kind it was reported; of one name there is one group, in several versions
	}
	s.Problems.Add(diag.Diagnostic{
		File: g.Source.File, Path: at.Path, Position: at.Position, Code: diag.APIName, Severity: diag.Warning,
		Summary:    fmt.Sprintf("the ResourceGroup %q serves the kind %s too: only one of the two can", first.Source.Name, kind),
		Suggestion: "Give one of them another kind or spec.schema.group.",
	})
}

// servedKind is the kind that a group serves, as far as it is written down.
func servedKind(g *source.Group) runtimeschema.GroupKind {
	group := "apps.plait.run"
	if g.Schema.Group != nil {
		group = g.Schema.Group.Text()
	}
	return runtimeschema.GroupKind{Group: group, Kind: g.Schema.Kind.Text()}
}

// UsedKinds are the kinds of a group's templates and externals.
func UsedKinds(g *source.Group) []runtimeschema.GroupKind {
	var out []runtimeschema.GroupKind
	for i := range g.Nodes {
		for _, body := range []*source.Value{g.Nodes[i].Template, g.Nodes[i].ExternalRef} {
			if gv, err := runtimeschema.ParseGroupVersion(body.Get("apiVersion").Text()); err == nil && body != nil {
				out = append(out, gv.WithKind(body.Get("kind").Text()).GroupKind())
			}
		}
	}
	return out
}

func (s *Set) compileGroup(ctx context.Context, g *Group) error {
	compiled, problems, err := compile.Compile(ctx, g.Source, s.resolver.current())
	if err != nil {
		return fmt.Errorf("compiling the ResourceGroup %q: %w", g.Source.Name, err)
	}
	g.Graph, g.problems = compiled, problems
	s.resolver.crds = slices.DeleteFunc(s.resolver.crds, func(crd *apiextensionsv1.CustomResourceDefinition) bool {
		return crd == g.crd // of the round before
	})
	if g.crd = nil; compiled != nil {
		g.crd = compiled.CRD()
		s.resolver.crds = append(s.resolver.crds, g.crd)
	}
	return nil
}

// GraphOf gives the graph that serves a document's kind, nil when no group of the set does or it does not compile.
func (s *Set) GraphOf(doc *source.Document) *graph.Graph {
	for _, g := range s.Groups {
		if g.Graph != nil && g.Graph.Kind().GroupVersion().String() == doc.APIVersion && g.Graph.Kind().Kind == doc.Kind {
			return g.Graph
		}
	}
	return nil
}

// resolver knows the built-in kinds, Plait's own, and a growing list of CRDs.
type resolver struct {
	crds []*apiextensionsv1.CustomResourceDefinition
}

func (r *resolver) current() schema.Resolver {
	return schema.Chain(schema.Embedded(), ownKinds{}, schema.FromCRDs(r.crds...))
}
