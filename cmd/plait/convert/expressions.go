package convert

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/plait-run/plait/graph/expr"
)

// place is where a string stands.
type place struct {
	path       string
	renames    map[string]string // names that change here: ids and iterators
	keepsBytes bool              // bytes alone may stand here: data of Secrets, and status
}

// in gives the place of something within.
func (p place) in(path string) place {
	p.path = path
	return p
}

// values rewrites all strings of a tree. Keys are literal text for kro.
func (c *conversion) values(p place, n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		for _, f := range fields(n) {
			path := join(p.path, f.key.Value)
			if strings.Contains(f.key.Value, "${") {
				f.key.Value = strings.ReplaceAll(f.key.Value, "${", "$${")
				c.note(TopicExpression, path, f.key, "Plait evaluates expressions in keys too, and kro does not: the ${ was escaped.")
			}
			if strings.HasPrefix(f.key.Value, kroGroup+"/") {
				c.note(TopicMark, path, f.key, "Plait neither reads nor writes this key: its own start with plait.run/.")
			}
			c.values(p.in(path), f.value)
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			c.values(p.in(element(p.path, i)), item)
		}
	case yaml.ScalarNode:
		if isText(n) {
			c.text(p, n)
		}
	}
}

// text rewrites the expressions of one string.
func (c *conversion) text(p place, n *yaml.Node) {
	if c.done[n] || !strings.Contains(n.Value, "${") {
		return
	}
	c.done[n] = true
	value := n.Value
	if strings.Contains(value, "$${") {
		value = strings.ReplaceAll(value, "$${", `${"$"}${`)
		c.note(TopicExpression, p.path, n, "$${ is a literal ${ in Plait, and a dollar sign before an expression in kro: the sign became an expression.")
	}
	scanned, err := expr.Scan(value)
	if err != nil {
		return // told by `plait validate`
	}
	for i := len(scanned.Parts) - 1; i >= 0; i-- {
		part := scanned.Parts[i]
		if part.Expression == "" {
			continue
		}
		changed := c.expression(p, n, part.Expression, scanned.Standalone)
		value = value[:part.Offset] + changed + value[part.Offset+len(part.Expression):]
	}
	if value != n.Value {
		n.Value = value
	}
}

// expression rewrites one expression.
func (c *conversion) expression(p place, at *yaml.Node, text string, standalone bool) string {
	all := tokens(text)
	c.tell(p, at, all)
	keep := p.keepsBytes && standalone
	all = c.secretData(p, at, all, keep)
	for _, i := range variables(all) {
		if renamed, ok := p.renames[all[i].text]; ok {
			all[i].text = renamed
		}
	}
	return joined(all)
}

// tell notes what an expression cannot do in Plait, or does with another result.
func (c *conversion) tell(p place, at *yaml.Node, all []token) {
	for i, t := range all {
		switch {
		case t.text == "random" && is(all, next(all, i), "."):
			c.note(TopicExpression, p.path, at, "Plait makes other values of the same seed than kro: names and passwords that are made so will change.")
		case t.text == "schema" && is(all, next(all, i), ".") && is(all, next(all, next(all, i)), "status"):
			c.note(TopicExpression, p.path, at, "Expressions do not see schema.status in Plait: read the resource itself.")
		case t.kind == literal && strings.Contains(t.text, kroGroup+"/"):
			c.note(TopicMark, p.path, at, "Plait does not write the labels and annotations of kro: its own start with plait.run/.")
		}
	}
}
