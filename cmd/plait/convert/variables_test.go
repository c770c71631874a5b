package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokensMakeUpTheText(t *testing.T) {
	for _, text := range []string{
		"", `a.b["c.d"]`, "x // comment\n+ 1", `r"\" + b'x\'' + """a "b" c"""`, `"not closed`, "1.5e3 + 0x1F", "häßlich",
	} {
		if got := joined(tokens(text)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestVariables(t *testing.T) {
	for text, want := range map[string][]string{
		"item.spec.item":                               {"item"},
		"schema.spec.items.map(item, item.name)":       {"schema"},
		"items.filter(i, i > item).size()":             {"items", "item"},
		`a.?b.c["x"][?d]`:                              {"a", "d"},
		`a ? b : c`:                                    {"a", "b", "c"},
		`{"item": item, kind: 1}`:                      {"item", "kind"},
		"cel.bind(x, item.a, x + item.b)":              {"cel", "item", "item"},
		"m.transformMap(k, v, k + v + w)":              {"m", "w"},
		`"item" + 'item' // item`:                      nil,
		"size(item) + item . size ( )":                 {"item", "item"},
		"l.map(item, item.x) + [item]":                 {"l", "item"},
		"l.all(k, v, k == v) && k":                     {"l", "k"},
		"has(item.x) && item.x.exists(e, e == item)":   {"item", "item", "item"},
		"x.exists(e, e.type == \"a\" && e.ok == true)": {"x", "true"},
	} {
		all := tokens(text)
		var got []string
		for _, i := range variables(all) {
			got = append(got, all[i].text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
