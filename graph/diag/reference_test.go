package diag

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// declared gives the codes of codes.go in the order in which they stand there.
func declared(t *testing.T) []Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []Code
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, Code(text))
		}
		return true
	})
	return out
}

func TestEveryCodeIsExplained(t *testing.T) {
	var explained []Code
	for _, e := range Reference() {
		explained = append(explained, e.Code)
		if strings.HasSuffix(e.Title, ".") || !strings.HasSuffix(e.Why, ".") || !strings.HasSuffix(e.Cure, ".") {
			t.Errorf("%s: a title has no full stop, the rest has: %+v", e.Code, e)
		}
		if e.Example() == "" {
			t.Errorf("%s has no example", e.Code)
		}
	}
	if diff := cmp.Diff(declared(t), explained); diff != "" {
		t.Error(diff)
	}
}

func TestEveryExampleIsOfACode(t *testing.T) {
	files, err := examples.ReadDir("examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, ok := Explain(Code(strings.TrimSuffix(file.Name(), ".yaml"))); !ok {
			t.Errorf("%s is an example of no code", file.Name())
		}
	}
}

func TestCodesAreUniqueAndOfAStage(t *testing.T) {
	seen := map[Code]bool{}
	for _, code := range declared(t) {
		if seen[code] || !regexp.MustCompile(`^PLT[0-9]{3}$`).MatchString(string(code)) {
			t.Errorf("%s stands twice, or is no code", code)
		}
		seen[code] = true
		hasStage := false
		for _, stage := range Stages() {
			hasStage = hasStage || strings.HasPrefix(string(code), stage.Prefix)
		}
		if !hasStage {
			t.Errorf("%s belongs to no stage", code)
		}
	}
}

func TestExplain(t *testing.T) {
	if e, ok := Explain(NodeBody); !ok || e.Code != NodeBody {
		t.Errorf("got %+v, %t", e, ok)
	}
	if _, ok := Explain("PLT000"); ok {
		t.Error("a code that does not exist was explained")
	}
}
