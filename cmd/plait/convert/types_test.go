package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

func TestMarkers(t *testing.T) {
	for text, want := range map[string][]string{
		" required=true default=1":             {"required=true", "default=1"},
		`default=["a", "b"] | enum="a b"`:      {`default=["a", "b"]`, `enum="a b"`},
		`pattern="^a\"|b$" immutable`:          {`pattern="^a\"|b$"`, "immutable"},
		`description='one | two' default=it's`: {`description='one | two'`, "default=it's"},
		"":                                     nil,
	} {
		if diff := cmp.Diff(want, markers(text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestTypes(t *testing.T) {
	for text, want := range map[string]string{
		"string":                                "string",
		`string | default="1"`:                  `string | default="1"`,
		`integer | default="1" required=true`:   `integer | default=1 required=true`,
		`boolean|default="true"`:                `boolean | default=true`,
		`[]string | default="[\"a\"]"`:          `[]string | default=["a"]`,
		`Custom | default="x"`:                  `Custom | default="x"`,
		`string | default='a "b"'`:              `string | default="a \"b\""`,
		`string | unheard=of`:                   `string`,
		`string | default = x`:                  `string | default = x`,
		`string | required description="a | b"`: `string | required description="a | b"`,
	} {
		n := &yaml.Node{}
		n.SetString(text)
		(&conversion{}).types("spec.schema.spec.x", n)
		if n.Value != want {
			t.Errorf("%s became %s, want %s", text, n.Value, want)
		}
	}
}

func TestRuleText(t *testing.T) {
	for text, want := range map[string]string{
		"${schema.spec.a > schema.spec.b.c}": "self.a > self.b.c",
		"self.a > 1":                         "self.a > 1",
		"x.schema.spec > 1":                  "x.schema.spec > 1",
	} {
		if got := ruleText(text); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
}
