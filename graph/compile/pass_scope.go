package compile

import (
	"slices"
	"strings"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
)

func (s *state) dynamic() *expr.Type { return expr.DynamicType() }

func compareText(a, b string) int { return strings.Compare(a, b) }

func hasExpression(text string) bool {
	scanned, fault := expr.Scan(text)
	return fault != nil || scanned.HasExpressions()
}

// instanceType is the type of `schema`: the served kind without its status.
func (s *state) instanceType() *expr.Type {
	kind := s.instanceKind()
	if kind == nil {
		return expr.DynamicType()
	}
	fields := map[string]*expr.Type{}
	for _, name := range kind.Type.FieldNames() {
		if name == "status" {
			continue
		}
		fields[name], _ = kind.Type.Field(name)
	}
	if _, ok := fields["spec"]; !ok {
		fields["spec"] = expr.ObjectOf(map[string]*expr.Type{})
	}
	return expr.ObjectOf(fields)
}

// buildScope makes the environment that all expressions share: `schema` and every node. A def is typed by its
// own expressions, so defs are compiled first, those that others read before their readers.
func buildScope(s *state) {
	s.base = s.environment()
	for _, n := range s.defsInOrder() {
		s.typeDef(n)
		s.base.Retype(n.out.ID, seen(n.out)) // not in a cycle, where somebody read it as dynamic
	}
}

func (s *state) environment() *expr.Environment {
	vars := []expr.Variable{{Name: "schema", Type: s.instance, Root: expr.Input}}
	if s.instance == nil {
		vars[0].Type = expr.DynamicType()
	}
	for _, n := range s.nodes {
		if s.byID[n.out.ID] != n {
			continue
		}
		vars = append(vars, expr.Variable{Name: n.out.ID, Type: seen(n.out), Root: root(n.out)})
	}
	env, err := expr.NewEnvironment(vars...)
	if err != nil {
		s.unknown = err
	}
	return env
}

// seen is the type that other nodes see.
func seen(n *graph.Node) *expr.Type {
	if n.IsCollection() || len(n.ForEach) > 0 {
		return expr.ListOf(n.Type)
	}
	return n.Type
}

func root(n *graph.Node) expr.Root {
	if n.Kind == graph.Def {
		return expr.Local
	}
	return expr.Node
}

// defsInOrder gives the defs so that what a def reads stands before it. Defs in a cycle come last and stay
// dynamic while they are compiled; the cycle itself is reported when the graph is ordered.
func (s *state) defsInOrder() []*node {
	var defs []*node
	reads := map[*node][]*node{}
	for _, n := range s.nodes {
		if n.out.Kind != graph.Def || s.byID[n.out.ID] != n || n.src.Def == nil {
			continue
		}
		defs = append(defs, n)
		for _, t := range n.texts {
			for _, other := range s.defsRead(t) {
				if other != n {
					reads[n] = append(reads[n], other)
				}
			}
		}
	}
	return topological(defs, reads)
}

// defsRead gives the defs that a text refers to. An iterator hides no def: none has the name of a node.
func (s *state) defsRead(t *text) []*node {
	var out []*node
	if s.unknown != nil {
		return nil
	}
	for _, name := range s.base.Names(t.text) {
		if other := s.byID[name]; other != nil && other.out.Kind == graph.Def {
			out = append(out, other)
		}
	}
	return out
}

// topological orders by depth-first search, in document order where there is a choice.
func topological(nodes []*node, reads map[*node][]*node) []*node {
	var out []*node
	visited := map[*node]bool{}
	var visit func(*node)
	visit = func(n *node) {
		if visited[n] {
			return
		}
		visited[n] = true
		for _, r := range reads[n] {
			visit(r)
		}
		out = append(out, n)
	}
	for _, n := range nodes {
		visit(n)
	}
	return out
}

// typeDef compiles the expressions of a def and gives it the type of its value.
func (s *state) typeDef(n *node) {
	if s.unknown != nil {
		return
	}
	s.compileNode(n)
	n.out.Type = bodyType(n.out.Body)
}

// bodyType is the type of the value that a tree gives.
func bodyType(b *graph.Body) *expr.Type {
	switch {
	case b.Program != nil:
		return b.Program.Type()
	case b.Fields != nil:
		fields := map[string]*expr.Type{}
		for _, f := range b.Fields {
			if f.KeyProgram != nil {
				return expr.DynamicType()
			}
			fields[f.Key] = bodyType(f.Value)
		}
		return expr.ObjectOf(fields)
	case b.Items != nil:
		return expr.ListOf(commonType(b.Items))
	default:
		return literalType(b.Literal)
	}
}

// literalType is the type of a plain value.
func literalType(v any) *expr.Type {
	switch v := v.(type) {
	case bool:
		return expr.Primitive(expr.Bool)
	case int64:
		return expr.Primitive(expr.Int)
	case float64:
		return expr.Primitive(expr.Double)
	case string:
		return expr.Primitive(expr.String)
	case map[string]any:
		fields := map[string]*expr.Type{}
		for key, value := range v {
			fields[key] = literalType(value)
		}
		return expr.ObjectOf(fields)
	case []any:
		elem := expr.DynamicType()
		for i, item := range v {
			if i == 0 {
				elem = literalType(item)
			} else if !literalType(item).Equal(elem) {
				return expr.ListOf(expr.DynamicType())
			}
		}
		return expr.ListOf(elem)
	default:
		return expr.DynamicType()
	}
}

func commonType(items []*graph.Body) *expr.Type {
	first := bodyType(items[0])
	if slices.ContainsFunc(items[1:], func(item *graph.Body) bool { return !bodyType(item).Equal(first) }) {
		return expr.DynamicType()
	}
	return first
}
