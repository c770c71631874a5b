package v1alpha1_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// constant is one string constant of the package.
type constant struct{ name, typ, value string }

// constants reads every string constant from the source, so that none can be forgotten.
func constants(t *testing.T) []constant {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []constant
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if parsed.Name.Name != "v1alpha1" {
			continue
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			if spec, ok := node.(*ast.ValueSpec); ok {
				out = append(out, stringConstants(spec)...)
			}
			return true
		})
	}
	return out
}

func stringConstants(spec *ast.ValueSpec) []constant {
	typ := ""
	if ident, ok := spec.Type.(*ast.Ident); ok {
		typ = ident.Name
	}
	var out []constant
	for i, value := range spec.Values {
		literal, ok := value.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			continue
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			panic(err) // it was parsed
		}
		out = append(out, constant{name: spec.Names[i].Name, typ: typ, value: text})
	}
	return out
}

// camelCase is what the API server accepts as reason, and as type without a prefix.
var camelCase = regexp.MustCompile(`^[A-Z][A-Za-z]*$`)

func TestNamesAreWellFormed(t *testing.T) {
	counts := map[string]int{}
	for _, c := range constants(t) {
		prefix, isName := namePrefix(c)
		if !isName {
			continue
		}
		counts[prefix]++
		switch prefix {
		case "Label", "Annotation", "Finalizer":
			for _, problem := range validation.IsQualifiedName(c.value) {
				t.Errorf("%s %q: %s", c.name, c.value, problem)
			}
		default:
			if !camelCase.MatchString(c.value) || c.name != prefix+c.value {
				t.Errorf("%s does not name %q", c.name, c.value)
			}
		}
	}
	for _, prefix := range []string{"Label", "Annotation", "Finalizer", "Condition", "Reason"} {
		if counts[prefix] == 0 {
			t.Errorf("no constant %s… was looked at", prefix)
		}
	}
}

// namePrefix says what sort of name a constant is.
func namePrefix(c constant) (string, bool) {
	switch c.typ {
	case "ConditionType":
		return "Condition", true
	case "Reason":
		return "Reason", true
	case "":
		for _, prefix := range []string{"Label", "Annotation", "Finalizer"} {
			if strings.HasPrefix(c.name, prefix) {
				return prefix, true
			}
		}
	}
	return "", false
}

func TestNamesAreDistinct(t *testing.T) {
	seen := map[string]string{}
	for _, c := range constants(t) {
		prefix, isName := namePrefix(c)
		if !isName {
			continue
		}
		key := prefix + " " + c.value
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s are both %q", other, c.name, c.value)
		}
		seen[key] = c.name
	}
}
