package convert

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// conversion converts one definition.
type conversion struct {
	file    string
	name    string
	notes   []Note
	renames map[string]string   // ids that cannot stay
	secrets map[string]bool     // ids of Secrets, as the author wrote them
	done    map[*yaml.Node]bool // strings that are rewritten: several aliases may lead to one
}

// serverFields are the metadata that an API server writes.
var serverFields = []string{
	"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
	"managedFields", "selfLink",
}

func (c *conversion) document(root *yaml.Node) {
	c.general(root)
	for _, f := range fields(root) {
		switch f.key.Value {
		case "apiVersion":
			f.value.SetString(plaitAPIVersion)
		case "kind":
			f.value.SetString(plaitKind)
		}
	}
	remove(root, "status")
	c.metadata(get(root, "metadata"))
	spec := get(root, "spec")
	c.keepOnly(spec, "spec", "schema", "resources", "defaultServiceAccounts")
	c.planNames(items(get(spec, "resources")))
	c.schema(get(spec, "schema"))
	for i, node := range items(get(spec, "resources")) {
		c.node(element("spec.resources", i), resolved(node))
	}
}

// general notes what is different whatever the document holds.
func (c *conversion) general(root *yaml.Node) {
	if get(root, "spec", "defaultServiceAccounts") == nil {
		c.note(TopicServiceAccounts, "", nil, "kro writes the resources with its own rights. Plait writes them as a service account of the instance's "+
			"namespace: name one in spec.defaultServiceAccounts; without it nothing is written, unless the engine has a default. "+
			"`plait rbac` prints the rights that the account needs.")
	}
	c.note(TopicDeletion, "", nil, "Deleting the ResourceGroup waits until its instances are gone; kro stops serving them at once. "+
		"`deletionPolicy: Cascade` deletes them first.")
}

// mergeKey is YAML's way to put another map's entries here.
const mergeKey = "<<"

// keepOnly takes out the fields that a ResourceGroup does not have, and tells of each.
func (c *conversion) keepOnly(n *yaml.Node, path string, known ...string) {
	for _, f := range fields(n) {
		if !slices.Contains(known, f.key.Value) && f.key.Value != mergeKey {
			remove(n, f.key.Value)
			c.note(TopicField, join(path, f.key.Value), f.key, "Plait has no such field: it was left out.")
		}
	}
}

func (c *conversion) metadata(meta *yaml.Node) {
	for _, name := range serverFields {
		remove(meta, name)
	}
	if f, ok := remove(meta, "namespace"); ok {
		c.note(TopicField, "metadata.namespace", f.key, "A ResourceGroup is cluster-scoped and has no namespace: it was left out.")
	}
	for _, part := range []string{"labels", "annotations"} {
		values := get(meta, part)
		for _, f := range fields(values) {
			c.groupMark(values, join("metadata."+part, f.key.Value), f)
		}
		if values != nil && len(fields(values)) == 0 {
			remove(meta, part)
		}
	}
}

// groupMark takes out a label or annotation of the document that has no meaning for Plait.
func (c *conversion) groupMark(values *yaml.Node, path string, f field) {
	switch {
	case f.key.Value == "kubectl.kubernetes.io/last-applied-configuration":
		remove(values, f.key.Value)
	case f.key.Value == "kro.run/allow-breaking-changes":
		remove(values, f.key.Value)
		c.note(TopicMark, path, f.key, "It was left out: Plait lets breaking changes through for one generation only, which "+
			"`plait.run/allow-breaking-changes: \"<generation>\"` names.")
	case f.key.Value == "kro.run/reconcile":
		f.key.Value = "plait.run/reconcile"
		f.value.SetString("suspended")
		c.note(TopicMark, path, f.key, "It became plait.run/reconcile: suspended. On a ResourceGroup it suspends all instances.")
	case strings.HasPrefix(f.key.Value, kroGroup+"/"):
		remove(values, f.key.Value)
		c.note(TopicMark, path, f.key, "Plait knows no such mark: it was left out.")
	}
}
