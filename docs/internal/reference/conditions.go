package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const conditionsIntro = `# Conditions and reasons

What stands in ` + "`status.conditions`" + ` of the kinds of Plait and of every instance. A condition that is absent has nothing to tell.
A reason is a word for programs; the message beside it is for people.

` + "`kubectl wait --for=condition=Ready`" + ` works on every kind but Workspace, which has a phase.

`

// constant is an exported constant with a text for its value, and what its comment says.
type constant struct {
	name, value, says string
}

// group is a block of constants, and what its comment says.
type group struct {
	title     string
	constants []constant
}

// conditionsPage is the reference of conditions and reasons, out of the comments of api/v1alpha1.
func conditionsPage() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(generated + conditionsIntro)
	for _, part := range []struct{ file, title, column string }{
		{"conditions.go", "Conditions", "condition"}, {"reasons.go", "Reasons", "reason"},
	} {
		groups, err := constantsOf(filepath.Join(root, "api", "v1alpha1", part.file))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "## %s\n", part.title)
		for _, g := range groups {
			fmt.Fprintf(&b, "\n%s\n\n| %s | says |\n|---|---|\n", g.title, part.column)
			for _, c := range g.constants {
				fmt.Fprintf(&b, "| `%s` | %s |\n", c.value, c.says)
			}
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// constantsOf gives the blocks of text constants of a file, in order.
func constantsOf(file string) ([]group, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("reading constants: %w", err)
	}
	var out []group
	for _, declaration := range parsed.Decls {
		block, ok := declaration.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		g := group{title: oneLine(block.Doc.Text())}
		for _, spec := range block.Specs {
			if c, ok := constantOf(spec, block); ok {
				g.constants = append(g.constants, c)
			}
		}
		switch {
		case len(block.Specs) > 1:
		case len(out) == 0:
			g.title = "Of every kind."
		default:
			g.title = "Beside these."
		}
		if len(g.constants) > 0 {
			out = append(out, g)
		}
	}
	return out, nil
}

func constantOf(spec ast.Spec, block *ast.GenDecl) (constant, bool) {
	value, ok := spec.(*ast.ValueSpec)
	if !ok || len(value.Values) != 1 {
		return constant{}, false
	}
	literal, ok := value.Values[0].(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return constant{}, false
	}
	text, err := strconv.Unquote(literal.Value)
	if err != nil {
		return constant{}, false
	}
	comment := value.Doc.Text()
	if comment == "" {
		comment = block.Doc.Text()
	}
	return constant{value.Names[0].Name, text, spoken(oneLine(comment), value.Names[0].Name)}, true
}

// spoken takes the name of a constant off its comment, for readers who do not know it.
func spoken(comment, name string) string {
	for _, start := range []string{name + ": ", name + " says ", name + " ", ""} {
		if rest, ok := strings.CutPrefix(comment, start); ok {
			return strings.ReplaceAll(strings.TrimSuffix(rest, "."), "|", `\|`)
		}
	}
	return comment
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// moduleRoot is the folder of go.mod above the working folder.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("finding the module: %w", err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("finding the module: no folder above has a go.mod")
		}
	}
}
