package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

const schemaPath = "spec.schema"

// schema converts spec.schema.
func (c *conversion) schema(n *yaml.Node) {
	if n == nil {
		return
	}
	c.validations(n)
	c.keepOnly(n, schemaPath, "apiVersion", "kind", "group", "scope", "metadata", "spec", "types", "status", "validations", "additionalPrinterColumns")
	c.group(n)
	for _, part := range []string{"spec", "types"} {
		if types := get(n, part); types != nil {
			c.types(join(schemaPath, part), types)
		}
	}
	c.status(n)
	if columns := get(n, "additionalPrinterColumns"); columns != nil {
		c.note(TopicAPI, schemaPath+".additionalPrinterColumns", columns, "Plait adds them to its columns STATE, READY and AGE; one of the same name takes its place.")
	}
}

// group writes kro's default group out, as Plait has another one.
func (c *conversion) group(n *yaml.Node) {
	name := text(get(n, "group"))
	if name == "" {
		name = kroGroup
		remove(n, "group")
		all := fields(n)
		at := 1 + slices.IndexFunc(all, func(f field) bool { return f.key.Value == "kind" })
		setFields(n, slices.Insert(all, at, field{newText("group"), newText(kroGroup)}))
	}
	c.note(TopicAPI, schemaPath+".group", nil, fmt.Sprintf("The kind stays in the API group %s. Plait never takes over a CustomResourceDefinition that kro made: "+
		"serve the kind in another group, or in a cluster where kro does not serve it.", name))
}

// validations turns kro's list of rules, which it does not enforce, into Plait's.
func (c *conversion) validations(n *yaml.Node) {
	for _, f := range fields(n) {
		if f.key.Value != "validation" {
			continue
		}
		f.key.Value = "validations"
		c.note(TopicSchema, schemaPath+".validation", f.key, "It became validations, over self. Plait enforces the rules.")
		for _, rule := range items(f.value) {
			for _, part := range fields(rule) {
				if part.key.Value != "expression" {
					continue
				}
				part.key.Value = "rule"
				part.value.Value = ruleText(part.value.Value)
			}
		}
	}
}

// ruleText takes an expression over schema.spec out of its ${ } and makes it one over self.
func ruleText(value string) string {
	value = strings.TrimSpace(value)
	if inner, ok := strings.CutPrefix(value, "${"); ok {
		value = strings.TrimSuffix(inner, "}")
	}
	all := tokens(value)
	var out []token
	from := 0
	for _, i := range variables(all) {
		dot := next(all, i)
		name := next(all, dot)
		if all[i].text == "schema" && is(all, dot, ".") && is(all, name, "spec") {
			out = append(append(out, all[from:i]...), token{identifier, "self"})
			from = name + 1
		}
	}
	return joined(append(out, all[from:]...))
}

// status converts the projections.
func (c *conversion) status(n *yaml.Node) {
	status := get(n, "status")
	if status == nil {
		return
	}
	path := schemaPath + ".status"
	for _, f := range fields(status) {
		name := f.key.Value
		if slices.Contains(reservedStatus, name) {
			f.key.SetString(name + "Value")
			c.note(TopicName, join(path, name), f.key, fmt.Sprintf("Plait writes this field of the status itself: it became %s.", f.key.Value))
		}
		c.projections(join(path, name), f.value)
	}
	c.values(place{path: path, renames: c.renames, keepsBytes: true}, status)
}

// reservedStatus are the fields of a status that Plait writes.
var reservedStatus = []string{
	"state", "conditions", "observedGeneration", "revision", "resources", "resourcesOmitted", "serviceAccount", "lastHandledReconcileAt",
}

// projections makes expressions of literal values: a status of Plait holds nothing else.
func (c *conversion) projections(path string, n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		for _, f := range fields(n) {
			c.projections(join(path, f.key.Value), f.value)
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			c.projections(element(path, i), item)
		}
	case yaml.ScalarNode:
		if strings.Contains(n.Value, "${") || n.ShortTag() == "!!null" {
			return
		}
		value := n.Value
		if isText(n) {
			value = strconv.Quote(value)
		}
		n.SetString("${" + value + "}")
		c.note(TopicStatus, path, n, "A literal became an expression: Plait refuses fields of the status that hold none.")
	}
}
