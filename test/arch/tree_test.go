package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A tree is what the checks look at: the Go files of one module, and its folders at the
// top.
type tree struct {
	files []sourceFile
	// top are the names of the folders at the top, hidden ones left out.
	top []string
}

// A sourceFile is one Go file.
type sourceFile struct {
	// path is the file's path from the root of the module; dir is its folder, "." at the
	// root, which is also the package's path within the module.
	path, dir string
	// name is what the package clause says.
	name string
	// isTest is true for files that only tests compile.
	isTest  bool
	imports []use
	// selectors are uses of other packages' names, such as time.Now.
	selectors []use
}

// A use is something that a file mentions, and the line where it does. It is an import
// path, for a selector followed by a dot and the name.
type use struct {
	what string
	line int
}

// readTree reads all Go files below the root, without nested modules, testdata, and
// folders that are hidden or not ours.
func readTree(root fs.FS) (*tree, error) {
	out := &tree{}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return out.enter(root, name)
		case path.Ext(name) != ".go":
			return nil
		}
		file, err := readFile(root, name)
		if err != nil {
			return fmt.Errorf("reading %q: %w", name, err)
		}
		out.files = append(out.files, file)
		return nil
	})
	return out, err
}

// enter notes a folder, and decides whether it is walked.
func (t *tree) enter(root fs.FS, dir string) error {
	if dir == "." {
		return nil
	}
	base := path.Base(dir)
	isTop := base == dir
	if strings.HasPrefix(base, ".") || base == "testdata" || isTop && slices.Contains(notOurs, base) {
		return fs.SkipDir
	}
	if isTop {
		t.top = append(t.top, dir)
	}
	if _, err := fs.Stat(root, path.Join(dir, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func readFile(root fs.FS, name string) (sourceFile, error) {
	content, err := fs.ReadFile(root, name)
	if err != nil {
		return sourceFile{}, err
	}
	positions := token.NewFileSet()
	parsed, err := parser.ParseFile(positions, name, content, parser.SkipObjectResolution)
	if err != nil {
		return sourceFile{}, err
	}
	file := sourceFile{
		path:   name,
		dir:    path.Dir(name),
		name:   parsed.Name.Name,
		isTest: strings.HasSuffix(name, "_test.go"),
	}
	names := map[string]string{} // what the file calls a package → its import path
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return sourceFile{}, err
		}
		file.imports = append(file.imports, use{imported, positions.Position(spec.Pos()).Line})
		names[localName(spec, imported)] = imported
	}
	file.selectors = selectors(parsed, positions, names)
	return file, nil
}

// localName is what a file calls an imported package. Without an alias it is taken to be
// the last part of the path, as it is for all packages that a callRule names.
func localName(spec *ast.ImportSpec, imported string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return path.Base(imported)
}

func selectors(parsed *ast.File, positions *token.FileSet, names map[string]string) []use {
	var out []use
	ast.Inspect(parsed, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if base, ok := selector.X.(*ast.Ident); ok && names[base.Name] != "" {
			what := names[base.Name] + "." + selector.Sel.Name
			out = append(out, use{what, positions.Position(selector.Pos()).Line})
		}
		return true
	})
	return out
}

// matches says whether a path is what a pattern means.
func matches(pattern, name string) bool {
	prefix, isTree := strings.CutSuffix(pattern, "...")
	if !isTree {
		return pattern == name
	}
	return strings.HasPrefix(name+"/", prefix)
}

func matchesAny(patterns []string, name string) bool {
	for _, pattern := range patterns {
		if matches(pattern, name) {
			return true
		}
	}
	return false
}
