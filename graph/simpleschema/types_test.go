package simpleschema

import (
	"fmt"
	"strings"
	"testing"
)

func TestNamedTypes(t *testing.T) {
	want := `{"type":"object","properties":{"p":{"type":"array","items":{"type":"object","properties":{"num":{"type":"string","minLength":1}}}}}}`
	sameJSON(t, want, schemaOfF(t, "types:\n  B: {p: '[]A'}\n  A: {num: Name}\n  Name: string | minLength=1\nspec: {f: B}"))
}

func TestTypeFaults(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"cycle": {"types:\n  Name: string\n  Folder: {title: Name, entries: '[]Entry'}\n  Entry: {name: Name, parent: Folder}\nspec: {f: Folder}", []string{
			"PLT104 spec.schema.types.Folder.entries the types hold each other: Folder (entries) → Entry (parent) → Folder"}},
		"alias of itself": {"types: {A: '[]A'}\nspec: {}", []string{"PLT104 spec.schema.types.A the types hold each other: A → A"}},
		"two cycles, one component": {"types: {A: {b: B, c: C}, B: {a: A}, C: {d: D}, D: {c: C, a: A}}\nspec: {}", []string{
			"PLT104 spec.schema.types.A.b the types hold each other: A (b) → B (a) → A"}},
		"inside a type, used twice":  {"types: {A: {x: strin}}\nspec: {a: A, b: A | default=3}", []string{`PLT101 spec.schema.types.A.x there is no type "strin"`}},
		"name taken":                 {"types: {string: integer}\nspec: {}", []string{`"string" is a type of the language`}},
		"bad name":                   {"types: {a.b: integer}\nspec: {}", []string{`PLT101 spec.schema.types["a.b"] "a.b" is no name for a type`}},
		"too large":                  {types2(20), []string{"PLT101 spec.schema.types.T13.a the schema has more than 10000 fields", "PLT101 spec.schema.types.T13.b the schema"}},
		"rules beside a broken type": {"validations: [{rule: self.a > 1}]\nspec: {a: intger}", []string{`there is no type "intger"`}},
	} {
		t.Run(name, func(t *testing.T) {
			result, problems := build(t, tc.text)
			got := list(problems)
			if len(got) != len(tc.want) {
				t.Fatalf("got %q", got)
			}
			for i, want := range tc.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("got %q, want %q in it", got[i], want)
				}
			}
			if len(result.Schema.XValidations) > 0 {
				t.Error("rules were kept although a type is not known")
			}
		})
	}
}

// types2 is n types, each of which uses the one before twice.
func types2(n int) string {
	var b strings.Builder
	b.WriteString("types:\n  T0: {a: string}\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "  T%d: {a: T%d, b: T%d}\n", i, i-1, i-1)
	}
	return b.String() + "spec: {}"
}
