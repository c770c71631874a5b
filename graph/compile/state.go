package compile

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/simpleschema"
	"github.com/plait-run/plait/graph/source"
)

// state is what the passes have found so far.
type state struct {
	group    *source.Group
	resolver schema.Resolver
	problems diag.List
	ended    func() error // the error of the caller's context
	unknown  error        // what could not be told now; ends the compilation

	api      api                 // group, version, kind and names of what is served; set by buildInstanceSchema
	inputs   simpleschema.Result // schema of the instance's spec
	instance *expr.Type          // of the variable `schema`
	nodes    []*node             // one for each entry of spec.resources, also the faulty ones
	byID     map[string]*node    // nodes whose id can be used
	base     *expr.Environment   // `schema` and all ids

	order  []int
	layers [][]int

	status       *graph.Body
	statusSchema map[string]apiextensionsv1.JSONSchemaProps
	conditions   []*graph.Condition
	crd          *apiextensionsv1.CustomResourceDefinition
}

// node is one entry of spec.resources on its way to a graph.Node.
type node struct {
	src    *source.Node
	out    *graph.Node
	kind   *schema.Kind      // nil for a def, and while the kind is not installed
	usable bool              // has an id that others may refer to and one body
	env    *expr.Environment // scope of its body: the base and its iterators
	texts  []*text           // every string of the node that holds an expression
}

// text is a string with expressions at its place in the document.
type text struct {
	node  *node
	value *source.Value // the string; nil for a key
	path  string
	at    diag.Position
	field string // within the node, for people: template.data.x, includeWhen[0]
	text  expr.Text
	set   func(*expr.Program)
	prog  *expr.Program // nil until it compiled
	use   use
}

// use is what a text is for; it decides its scope and its form.
type use int

const (
	useBody use = iota // template, def
	useKey             // a key of a template or def
	useName            // externalRef
	useInclude
	useReady
	useForEach
)

func newState(ended func() error, group *source.Group, resolver schema.Resolver) *state {
	s := &state{ended: ended, group: group, resolver: resolver, byID: map[string]*node{}}
	for i := range group.Nodes {
		src := &group.Nodes[i]
		s.nodes = append(s.nodes, &node{src: src, out: &graph.Node{
			ID: src.ID.Text(), Index: src.Index, Path: src.Path, Type: expr.DynamicType(), Lifecycle: lifecycle(src.Lifecycle),
		}})
	}
	return s
}

func lifecycle(src source.Lifecycle) graph.Lifecycle {
	out := graph.Lifecycle{
		Orphan:       src.Deletion == "Orphan",
		Adopt:        src.Adoption == "IfUnowned",
		FailConflict: src.Conflict == "Fail",
		Recreate:     src.Recreate == "OnImmutable",
	}
	for _, field := range src.IgnoreFields {
		out.IgnoreFields = append(out.IgnoreFields, field.Text())
	}
	return out
}

// report adds an error at a value of the document.
func (s *state) report(code diag.Code, at *source.Value, summary, suggestion string) {
	s.reportAt(code, place{at.Path, at.Position}, summary, suggestion)
}

// place is a path with its position.
type place struct {
	path string
	at   diag.Position
}

func (s *state) reportAt(code diag.Code, p place, summary, suggestion string) {
	s.add(diag.Error, code, p, summary, suggestion)
}

func (s *state) warn(code diag.Code, p place, summary, suggestion string) {
	s.add(diag.Warning, code, p, summary, suggestion)
}

func (s *state) add(severity diag.Severity, code diag.Code, p place, summary, suggestion string) {
	s.problems.Add(diag.Diagnostic{
		File: s.group.File, Path: p.path, Position: p.at, Code: code, Severity: severity,
		Summary: summary, Suggestion: suggestion,
	})
}
