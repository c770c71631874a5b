package source

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/plait-run/plait/graph/diag"
)

// yamlReader turns YAML nodes into values.
type yamlReader struct {
	*builder
	expanding map[*yaml.Node]bool // anchored nodes that an alias is being expanded to
	expanded  int                 // values made below aliases
	aliases   int                 // depth of aliases
	stopped   bool                // a bound was reached and reported
}

func (r *yamlReader) position(n *yaml.Node) diag.Position {
	return diag.Position{Line: n.Line + r.lineOffset, Column: n.Column}
}

// value gives the value of a node at a path. It never gives nil: what cannot be read is reported and null.
func (r *yamlReader) value(path string, n *yaml.Node, depth int) *Value {
	v := &Value{Path: path, Position: r.position(n)}
	if r.isOverBounds(path, n, depth) {
		return v
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.alias(path, n, depth)
	case yaml.MappingNode:
		v.Kind = Map
		fields := newFieldSet(r.builder, v)
		for i := 0; i+1 < len(n.Content); i += 2 {
			r.field(fields, n.Content[i], n.Content[i+1], depth)
		}
	case yaml.SequenceNode:
		v.Kind = List
		v.Items = make([]*Value, 0, len(n.Content))
		for i, item := range n.Content {
			v.Items = append(v.Items, r.value(JoinIndex(path, i), item, depth+1))
		}
	case yaml.ScalarNode:
		r.scalar(v, n)
	}
	return v
}

// cutPath keeps the first steps of a path that nobody reads to its end.
func cutPath(path string) string {
	const most = 80
	if len(path) <= most {
		return path
	}
	return path[:max(strings.LastIndexAny(path[:most], ".["), 0)] + "…"
}

func (r *yamlReader) isOverBounds(path string, n *yaml.Node, depth int) bool {
	if r.stopped {
		return true
	}
	if r.aliases > 0 {
		r.expanded++
	}
	switch {
	case depth > maxDepth:
		r.report(diag.Syntax, cutPath(path), r.position(n), "the document is nested too deeply", "An API server would refuse it; flatten it.")
	case r.expanded > maxExpanded:
		r.report(diag.Syntax, path, r.position(n), "the aliases of this document expand to too many values",
			"Write the values out, or use fewer aliases of aliases.")
	default:
		return false
	}
	r.stopped = true
	return true
}

// alias expands an alias where it stands: the paths are the alias's, the positions the anchor's, but for the
// value itself.
func (r *yamlReader) alias(path string, n *yaml.Node, depth int) *Value {
	if r.expanding[n.Alias] {
		r.report(diag.Syntax, path, r.position(n), "the anchor \""+n.Value+"\" contains itself", "")
		return &Value{Path: path, Position: r.position(n)}
	}
	r.expanding[n.Alias] = true
	r.aliases++
	v := r.value(path, n.Alias, depth)
	r.aliases--
	delete(r.expanding, n.Alias)
	v.Position = r.position(n)
	return v
}

func (r *yamlReader) scalar(v *Value, n *yaml.Node) {
	resolved, err := r.resolve(n)
	if err == nil {
		v.Kind, v.Scalar, err = scalarOf(resolved)
	}
	if err != nil {
		r.report(diag.Syntax, v.Path, v.Position, "\""+n.Value+"\" cannot be read: "+err.Error(), "Quote it if text is meant.")
	}
}

func (r *yamlReader) resolve(n *yaml.Node) (any, error) {
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return resolveTagged(n.ShortTag(), n.Value)
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return n.Value, nil
	default:
		return resolve(n.Value), nil
	}
}

func (r *yamlReader) field(fields *fieldSet, key, value *yaml.Node, depth int) {
	path := fields.value.Path
	if key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge" {
		r.merge(fields, value, depth)
		return
	}
	target := key
	if key.Kind == yaml.AliasNode {
		target = key.Alias
	}
	text, ok := r.key(target)
	if !ok {
		r.report(diag.Syntax, path, r.position(key), "a key must be text", "Quote it.")
		return
	}
	if r.aliases == 0 && isPlainWord(target) && !strings.EqualFold(target.Value, text) {
		r.warn(diag.InvalidValue, JoinKey(path, text), r.position(key),
			"the key "+target.Value+" is read as \""+text+"\": it is a word for that in YAML", "Write \""+target.Value+"\", in quotes.")
	}
	fields.add(Field{
		Key: text, KeyPosition: r.position(key), Value: r.value(JoinKey(path, text), value, depth+1),
	}, false)
}

// isPlainWord tells whether a key is one of y, n, yes, no, on, off, true and false, without quotes and tags.
func isPlainWord(n *yaml.Node) bool {
	_, isWord := words[n.Value].(bool)
	return isWord && n.Style == 0
}

func (r *yamlReader) key(n *yaml.Node) (string, bool) {
	if n.Kind != yaml.ScalarNode {
		return "", false
	}
	resolved, err := r.resolve(n)
	if err != nil {
		return "", false
	}
	return keyOf(resolved)
}

// merge adds the fields of a map, or of a list of maps of which earlier ones win.
func (r *yamlReader) merge(fields *fieldSet, n *yaml.Node, depth int) {
	maps := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		maps = n.Content
	}
	for i := len(maps) - 1; i >= 0; i-- {
		source := maps[i]
		if source.Kind == yaml.AliasNode {
			source = source.Alias
		}
		if source.Kind != yaml.MappingNode {
			r.report(diag.Syntax, fields.value.Path, r.position(maps[i]), "a merge key takes a map or a list of maps", "")
			continue
		}
		for _, f := range r.value(fields.value.Path, maps[i], depth+1).Fields {
			fields.add(f, true)
		}
	}
}
