package convert

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

var idPattern = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

// reserved are the names that neither nodes nor iterators may have in Plait.
var reserved = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(`schema self each instance resources runtime status spec metadata apiVersion kind
		item items context variables as break const continue else false for function if import in let loop namespace null
		package return true var void while`) {
		out[name] = true
	}
	return out
}()

// planNames decides which ids must change, before any expression is looked at, and finds the Secrets.
func (c *conversion) planNames(nodes []*yaml.Node) {
	taken := map[string]bool{}
	for _, n := range nodes {
		taken[nodeID(n)] = true
	}
	for i, n := range nodes {
		id := nodeID(n)
		for _, body := range []string{"template", "definition", "externalRef"} {
			if text(get(n, body, "kind")) == "Secret" && text(get(n, body, "apiVersion")) == "v1" {
				c.secrets[id] = true
			}
		}
		if id == "" || !reserved[id] && idPattern.MatchString(id) {
			continue
		}
		c.renames[id] = unusedName(id, "Resource", taken)
		c.note(TopicName, element("spec.resources", i), resolved(n), fmt.Sprintf("The id %q cannot be used in Plait: it became %q, in all expressions too.", id, c.renames[id]))
	}
}

// nodeID is the id of a node; the first releases of kro called it name.
func nodeID(n *yaml.Node) string {
	if id := text(get(n, "id")); id != "" {
		return id
	}
	return text(get(n, "name"))
}

// unusedName makes a name of one that cannot stay: in camel case, with a word behind it when it is reserved.
func unusedName(name, word string, taken map[string]bool) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return !strings.ContainsRune(letters, r) })
	base := ""
	for i, part := range parts {
		if i > 0 {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		base += part
	}
	if base != "" {
		base = strings.ToLower(base[:1]) + base[1:]
	}
	if !idPattern.MatchString(base) {
		base = strings.ToLower(word) + base
	}
	if reserved[base] {
		base += word
	}
	out := base
	for i := 2; taken[out]; i++ {
		out = fmt.Sprintf("%s%d", base, i)
	}
	taken[out] = true
	return out
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
