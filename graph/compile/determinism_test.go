package compile

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// reading is how an expression reads node nX, by what kind of node it is.
var reading = map[string]string{
	"template": "${nX.data.a}", "condition": "${nX.?data.?a.orValue('')}", "external": "${nX.metadata.name}",
	"def": "${nX.v}-${schema.metadata.name}", "collection": "${nX.map(x, x.metadata.name).join(',')}",
}

// anyValue draws text with expressions over the instance and nodes of these kinds; one in thirty is wrong.
func anyValue(t *rapid.T, kinds []string) string {
	if rapid.IntRange(0, 29).Draw(t, "wrong") == 29 {
		return rapid.SampledFrom([]string{"${schema.spec.sise}", "${1 +}", "${nobody.a}", "${n0.data.a}", "${n1.v}"}).Draw(t, "slip")
	}
	other := rapid.IntRange(-1, len(kinds)-1).Draw(t, "other")
	if other < 0 {
		return rapid.SampledFrom([]string{"plain", "${schema.spec.name}", "${string(schema.spec.size + 1)}"}).Draw(t, "value")
	}
	return strings.ReplaceAll(reading[kinds[other]], "nX", fmt.Sprintf("n%d", other))
}

// anyNode draws the node that follows nodes of these kinds, and gives its kind and text.
func anyNode(t *rapid.T, before []string) (kind, text string) {
	id, value := fmt.Sprintf("n%d", len(before)), anyValue(t, before)
	template := strings.TrimPrefix(fmt.Sprintf(configMap, id, id, value), "\n")
	kind = rapid.SampledFrom([]string{"template", "collection", "def", "external", "condition"}).Draw(t, "node")
	switch kind {
	case "collection":
		zoned := strings.Replace(template, "{name: "+id+"}", `{name: "`+id+`-${z}"}`, 1)
		return kind, zoned + "\n  forEach: [{z: '${schema.spec.zones}'}]"
	case "def":
		return kind, fmt.Sprintf("- id: %s\n  def: {v: \"%s\"}", id, value)
	case "external":
		return kind, fmt.Sprintf("- id: %s\n  externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: \"%s\"}}", id, value)
	case "condition":
		return kind, template + "\n  includeWhen: ['${schema.spec.size > 1}']\n  readyWhen: ['${self.data.a != \"\"}']"
	default:
		return kind, template
	}
}

// anyGroup draws a whole document, with its nodes in any order.
func anyGroup(t *rapid.T) string {
	var kinds, resources []string
	for range rapid.IntRange(1, 8).Draw(t, "nodes") {
		kind, text := anyNode(t, kinds)
		kinds, resources = append(kinds, kind), append(resources, text)
	}
	spec := "name: string | required, size: integer | default=1, zones: '[]string | required'"
	if rapid.IntRange(0, 9).Draw(t, "odd") == 9 {
		spec += ", odd: strng, more: 'map[string]Part'"
	}
	status := fmt.Sprintf("status: {a: \"%s\", b: \"%s\"}", anyValue(t, kinds), anyValue(t, kinds))
	return document(strings.Join(rapid.Permutation(resources).Draw(t, "order"), "\n"), "spec: {"+spec+"}", status)
}

// fingerprint is everything that a compilation gives, as text.
func fingerprint(t *testing.T, text string) string {
	t.Helper()
	docs, problems := source.Parse("group.yaml", []byte(text))
	if len(docs) != 1 {
		t.Fatalf("%d documents of\n%s", len(docs), text)
	}
	group, faults := source.MapGroup(docs[0])
	problems.Append(faults)
	g, found, err := Compile(context.Background(), group, schema.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	problems.Append(found)
	out := []any{problems.Sorted()}
	if g != nil {
		out = append(out, g.String(), g.Hash(), g.Order(), g.Layers(), g.Absent(), g.CRD())
	}
	data, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestAnyGroupCompilesTheSame compiles every generated group 50 times: order, messages, definition and hash stay.
func TestAnyGroupCompilesTheSame(t *testing.T) {
	accepted := 0
	groups := rapid.Custom(anyGroup)
	for seed := range 40 {
		text := groups.Example(seed)
		first := fingerprint(t, text)
		if strings.Contains(first, "things serves") {
			accepted++
		}
		for range 49 {
			if again := fingerprint(t, text); again != first {
				t.Fatalf("seed %d:\n%s\n%s", seed, text, cmp.Diff(first, again))
			}
		}
	}
	if accepted < 10 || accepted == 40 {
		t.Errorf("%d of 40 groups were accepted: the property wants graphs and messages", accepted)
	}
}
