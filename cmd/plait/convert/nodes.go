package convert

import (
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// formerNames are what the first releases of kro called the fields of a resource.
var formerNames = map[string]string{"name": "id", "definition": "template", "conditions": "includeWhen"}

// node converts one entry of spec.resources.
func (c *conversion) node(path string, n *yaml.Node) {
	for _, f := range fields(n) {
		if now := formerNames[f.key.Value]; now != "" && get(n, now) == nil {
			f.key.Value = now
		}
	}
	c.keepOnly(n, path, "id", "template", "externalRef", "readyWhen", "includeWhen", "forEach")
	if id := get(n, "id"); id != nil && c.renames[id.Value] != "" {
		id.SetString(c.renames[id.Value])
	}
	p := place{path: path, renames: c.iterators(path, n)}
	for _, f := range fields(n) {
		switch f.key.Value {
		case "template":
			c.template(p.in(path+".template"), resolved(f.value))
		case "externalRef":
			c.keepOnly(resolved(f.value), path+".externalRef", "apiVersion", "kind", "metadata")
			c.values(p.in(path+".externalRef"), f.value)
		case "readyWhen", "includeWhen", "forEach":
			c.values(p.in(join(path, f.key.Value)), f.value)
		}
	}
}

// iterators renames the iterators that cannot stay, and gives all names that change within the node.
func (c *conversion) iterators(path string, n *yaml.Node) map[string]string {
	renames := maps.Clone(c.renames)
	taken := map[string]bool{}
	for _, entry := range items(get(n, "forEach")) {
		for _, f := range fields(entry) {
			taken[f.key.Value] = true
		}
	}
	for i, entry := range items(get(n, "forEach")) {
		for _, f := range fields(entry) {
			old := f.key.Value
			if !reserved[old] && idPattern.MatchString(old) {
				delete(renames, old) // it hides the id
				continue
			}
			f.key.SetString(unusedName(old, "Value", taken))
			renames[old] = f.key.Value
			c.note(TopicName, element(path+".forEach", i), f.key, fmt.Sprintf("The iterator %q cannot be used in Plait: it became %q.", old, f.key.Value))
		}
	}
	return renames
}

// plaitMarks are the labels that Plait itself writes on children.
var plaitMarks = []string{"app.kubernetes.io/managed-by", "applyset.kubernetes.io/part-of"}

func (c *conversion) template(p place, n *yaml.Node) {
	if f, ok := remove(n, "status"); ok {
		c.note(TopicField, p.path+".status", f.key, "A template cannot set the status: it was left out.")
	}
	meta := get(n, "metadata")
	for _, name := range serverFields {
		remove(meta, name)
	}
	for _, part := range []string{"labels", "annotations"} {
		c.marks(p.path+".metadata."+part, get(meta, part))
	}
	for _, f := range fields(n) {
		inner := p.in(join(p.path, f.key.Value))
		inner.keepsBytes = f.key.Value == "data" && text(get(n, "kind")) == "Secret"
		c.values(inner, f.value)
	}
}

// marks takes out of a child's labels or annotations what Plait writes itself.
func (c *conversion) marks(path string, values *yaml.Node) {
	for _, f := range fields(values) {
		switch {
		case slices.Contains(plaitMarks, f.key.Value):
			remove(values, f.key.Value)
			c.note(TopicMark, join(path, f.key.Value), f.key, "Plait writes it itself: it was left out.")
		case f.key.Value == "kro.run/reconcile":
			f.key.Value = "plait.run/reconcile"
			f.value.SetString("suspended")
			c.note(TopicMark, join(path, "kro.run/reconcile"), f.key, "It became plait.run/reconcile: suspended.")
		}
	}
}
