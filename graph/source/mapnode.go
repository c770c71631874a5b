package source

import (
	"strconv"
	"strings"

	"github.com/plait-run/plait/graph/diag"
)

func (m *mapper) nodes(list *Value) []Node {
	if n := len(list.Items); n > maxNodes {
		m.report(diag.TooManyNodes, list.Path, list.Position,
			strconv.Itoa(n)+" resources are too many: a group may have 2000", "Cut it into several ResourceGroups, one of which uses the others' kinds.")
		return nil
	}
	nodes := make([]Node, 0, len(list.Items))
	for i, item := range list.Items {
		if m.isKind(item, Map) {
			nodes = append(nodes, m.node(i, item))
		}
	}
	return nodes
}

func (m *mapper) node(index int, v *Value) Node {
	n := Node{Index: index, Path: v.Path, Position: v.Position}
	n.Lifecycle = Lifecycle{Deletion: "Delete", Adoption: "Never", Conflict: "Force", Recreate: "Never"}
	m.fields(v, "a node", []known{
		{"id", String, keep(&n.ID)},
		{"template", Map, func(t *Value) { n.Template = t }},
		{"externalRef", Map, func(e *Value) {
			n.ExternalRef = e
			m.externalRef(e)
		}},
		{"def", Map, keep(&n.Def)},
		{"includeWhen", List, m.strings(&n.IncludeWhen)},
		{"readyWhen", List, m.strings(&n.ReadyWhen)},
		{"forEach", List, func(list *Value) { n.ForEach = m.iterators(list) }},
		{"dependsOn", List, m.strings(&n.DependsOn)},
		{"lifecycle", Map, func(l *Value) { m.lifecycle(&n.Lifecycle, l) }},
	})
	m.require(v, "id", "Give it a name that expressions can use, such as deployment.")
	m.bodies(v)
	m.templateStatus(n.Template)
	return n
}

// bodies checks that a node has exactly one body, whatever its form.
func (m *mapper) bodies(v *Value) {
	var present []string
	for _, name := range []string{"template", "externalRef", "def"} {
		if body := v.Get(name); body != nil && body.Kind != Null {
			present = append(present, name)
		}
	}
	switch len(present) {
	case 1:
	case 0:
		m.report(diag.NodeBody, v.Path, v.Position, "the node has no body",
			"Give it a template to apply, an externalRef to read, or a def to compute.")
	default:
		m.report(diag.NodeBody, v.Path, v.Position, "the node has several bodies: "+strings.Join(present, " and "),
			"Keep one of them, and make a node of its own of each other one.")
	}
}

func (m *mapper) templateStatus(template *Value) {
	if template == nil {
		return
	}
	for _, f := range template.Fields {
		if f.Key == "status" {
			m.report(diag.TemplateReserved, f.Value.Path, f.KeyPosition, "a template cannot set status",
				"Remove it: whoever runs the object writes its status.")
		}
	}
}

func (m *mapper) externalRef(v *Value) {
	m.fields(v, "externalRef", []known{
		{"apiVersion", String, nil}, {"kind", String, nil},
		{"metadata", Map, func(meta *Value) {
			m.fields(meta, "the metadata of an externalRef", []known{
				{"name", String, nil}, {"namespace", String, nil},
				{"selector", Map, m.selector},
			})
		}},
	})
}

func (m *mapper) selector(v *Value) {
	var labels, expressions *Value
	m.fields(v, "a selector", []known{
		{"matchLabels", Map, m.keepTexts(&labels)},
		{"matchExpressions", List, m.keepEach(&expressions, "a match expression", []known{
			{"key", String, nil}, {"operator", String, nil}, {"values", List, m.keepStrings(new(*Value))},
		}, "key", "operator")},
	})
}

func (m *mapper) iterators(list *Value) []Iterator {
	var out []Iterator
	for i, item := range list.Items {
		if i == maxIterators {
			m.report(diag.NodeIterator, item.Path, item.Position, "a node may have 10 iterators at most",
				"Compute the combinations in a def, and iterate over that.")
		}
		if !m.isKind(item, Map) {
			continue
		}
		one := len(item.Fields) == 1
		if !one {
			m.report(diag.NodeIterator, item.Path, item.Position, "an entry of forEach names exactly one iterator",
				"Write one entry for each: `- zone: ${schema.spec.zones}`.")
		}
		for _, f := range item.Fields { // all of them are known names, so that what uses them is no second fault
			if f.Value.Kind == String || one && m.isKind(f.Value, String) {
				out = append(out, Iterator{Name: f.Key, NamePosition: f.KeyPosition, Value: f.Value})
			}
		}
	}
	return out
}

func (m *mapper) lifecycle(l *Lifecycle, v *Value) {
	m.fields(v, "lifecycle", []known{
		{"deletion", String, m.oneOf(&l.Deletion, "Delete", "Orphan")},
		{"adoption", String, m.oneOf(&l.Adoption, "Never", "IfUnowned")},
		{"conflict", String, m.oneOf(&l.Conflict, "Force", "Fail")},
		{"recreate", String, m.oneOf(&l.Recreate, "Never", "OnImmutable")},
		{"ignoreFields", List, m.strings(&l.IgnoreFields)},
	})
}
