package compile

import (
	"strings"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/graph/source"
)

// scanBodies cuts every string of every node into text and expressions, and builds the trees that are filled later.
func scanBodies(s *state) {
	for _, n := range s.nodes {
		sc := scanner{s: s, n: n}
		switch {
		case n.src.Template != nil:
			n.out.Body = sc.body(n.src.Template)
		case n.src.Def != nil:
			n.out.Body = sc.body(n.src.Def)
		case n.src.ExternalRef != nil:
			sc.use = useName
			n.out.External = sc.external(n.src.ExternalRef)
		}
		sc.conditions(n.src.IncludeWhen, useInclude, &n.out.IncludeWhen)
		sc.conditions(n.src.ReadyWhen, useReady, &n.out.ReadyWhen)
		sc.iterators()
	}
}

// scanner gathers the texts of one node.
type scanner struct {
	s   *state
	n   *node
	use use
}

// body makes the tree of a value. Parts without any expression stay literal.
func (sc *scanner) body(v *source.Value) *graph.Body {
	out := &graph.Body{Path: v.Path}
	before := len(sc.n.texts)
	switch v.Kind {
	case source.Map:
		out.Fields = sc.fields(v)
	case source.List:
		for _, item := range v.Items {
			out.Items = append(out.Items, sc.body(item))
		}
	case source.String:
		sc.scan(v, func(p *expr.Program) { out.Program = p }, func(literal string) { out.Literal = literal })
		return out
	default:
		out.Literal = v.Scalar
		return out
	}
	if len(sc.n.texts) == before {
		return &graph.Body{Path: v.Path, Literal: unescaped(v)}
	}
	return out
}

// fields makes the entries of a map. A key with an expression is a text of its own.
func (sc *scanner) fields(v *source.Value) []graph.BodyField {
	out := make([]graph.BodyField, len(v.Fields))
	for i := range v.Fields {
		f, entry := &v.Fields[i], &out[i]
		entry.Key = f.Key
		if strings.Contains(f.Key, "${") {
			key := *sc
			key.use = useKey
			at := &source.Value{Kind: source.String, Path: f.Value.Path, Position: f.KeyPosition, Scalar: f.Key}
			key.scan(at, func(p *expr.Program) { entry.KeyProgram = p }, func(literal string) { entry.Key = literal })
		}
		entry.Value = sc.body(f.Value)
	}
	return out
}

// scan adds the text of a string when it holds an expression, and gives its plain text otherwise.
func (sc *scanner) scan(v *source.Value, set func(*expr.Program), literal func(string)) {
	raw, _ := v.Scalar.(string)
	scanned, fault := expr.Scan(raw)
	switch {
	case fault != nil:
		sc.s.report(diag.ExprSyntax, v, fault.Summary, "Close it with }, or write $${ for a literal ${.")
		sc.n.texts = append(sc.n.texts, &text{
			node: sc.n, value: v, path: v.Path, at: v.Position, field: sc.field(v), set: func(*expr.Program) {}, use: sc.use,
		})
	case scanned.HasExpressions():
		sc.n.texts = append(sc.n.texts, &text{
			node: sc.n, value: v, path: v.Path, at: v.Position, field: sc.field(v), text: scanned, set: set, use: sc.use,
		})
	default:
		literal(literalOf(scanned))
	}
}

// literalOf joins the parts of a text that holds no expression.
func literalOf(t expr.Text) string {
	var b strings.Builder
	for _, part := range t.Parts {
		b.WriteString(part.Literal)
	}
	return b.String()
}

// field is a place within the node, as cycles print it.
func (sc *scanner) field(v *source.Value) string {
	return strings.TrimPrefix(v.Path, sc.n.src.Path+".")
}

// unescaped gives a plain value whose strings had their $${ resolved.
func unescaped(v *source.Value) any {
	switch v.Kind {
	case source.List:
		out := make([]any, len(v.Items))
		for i, item := range v.Items {
			out[i] = unescaped(item)
		}
		return out
	case source.Map:
		out := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			out[plainText(f.Key)] = unescaped(f.Value)
		}
		return out
	case source.String:
		return plainText(v.Text())
	default:
		return v.Scalar
	}
}

func plainText(raw string) string {
	scanned, fault := expr.Scan(raw)
	if fault != nil {
		return raw
	}
	return literalOf(scanned)
}

func (sc *scanner) conditions(values []*source.Value, use use, out *[]*graph.Condition) {
	inner := scanner{s: sc.s, n: sc.n, use: use}
	for _, v := range values {
		condition := &graph.Condition{Path: v.Path}
		*out = append(*out, condition)
		inner.standalone(v, func(p *expr.Program) { condition.Program = p })
	}
}

func (sc *scanner) iterators() {
	inner := scanner{s: sc.s, n: sc.n, use: useForEach}
	for _, it := range sc.n.src.ForEach {
		iterator := &graph.Iterator{Name: it.Name, Path: it.Value.Path}
		sc.n.out.ForEach = append(sc.n.out.ForEach, iterator)
		inner.standalone(it.Value, func(p *expr.Program) { iterator.Program = p })
	}
}

// standalone scans a place that takes one expression and nothing around it.
func (sc *scanner) standalone(v *source.Value, set func(*expr.Program)) {
	before := len(sc.n.texts)
	sc.scan(v, set, func(string) {
		sc.s.report(diag.ExprForm, v, "one expression is expected here, not text", "Write ${…} around it.")
	})
	if len(sc.n.texts) == before {
		return
	}
	if t := sc.n.texts[before]; len(t.text.Parts) > 0 && !t.text.Standalone {
		sc.s.report(diag.ExprForm, v, "one expression is expected here, with no text around it", "Put all of it into one ${…}.")
		sc.n.texts = sc.n.texts[:before]
	}
}

func (sc *scanner) external(v *source.Value) *graph.ExternalRef {
	out := &graph.ExternalRef{}
	meta := v.Get("metadata")
	if name := meta.Get("name"); name != nil {
		out.Name = sc.body(name)
	}
	if selector := meta.Get("selector"); selector != nil {
		out.Selector = sc.body(selector)
	}
	if namespace := meta.Get("namespace"); namespace != nil {
		if namespace.Text() == "*" {
			out.AllNamespaces = true
		} else {
			out.Namespace = sc.body(namespace)
		}
	}
	return out
}
