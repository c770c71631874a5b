package arch

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// check holds a tree to all rules and returns what breaks them, one line each, in the
// order of the files.
func check(t *tree) []string {
	var out []string
	for _, file := range t.files {
		for _, rule := range importRules {
			out = append(out, rule.check(file)...)
		}
		for _, rule := range callRules {
			out = append(out, rule.check(file)...)
		}
	}
	out = append(out, checkNames(t)...)
	return append(out, checkTopLevel(t)...)
}

// binds says whether a file is bound by the rule.
func (r importRule) binds(file sourceFile) bool {
	if file.isTest && !r.tests {
		return false
	}
	return matchesAny(r.packages, file.dir) && !matchesAny(r.except, file.dir)
}

func (r importRule) check(file sourceFile) []string {
	if !r.binds(file) {
		return nil
	}
	var out []string
	for _, imported := range file.imports {
		name := ours(imported.what)
		if !matchesAny(r.forbidden, name) || matchesAny(r.allowed, name) {
			continue
		}
		out = append(out, fmt.Sprintf("%s:%d imports %q, which %s must not: %s",
			file.path, imported.line, imported.what, file.dir, r.why))
	}
	return out
}

// ours writes an import of this module as the rules do.
func ours(imported string) string {
	if rest, ok := strings.CutPrefix(imported, module); ok && (rest == "" || rest[0] == '/') {
		return "." + rest
	}
	return imported
}

func (r callRule) check(file sourceFile) []string {
	if file.isTest || !matchesAny(r.packages, file.dir) {
		return nil
	}
	var out []string
	for _, selector := range file.selectors {
		function, ok := strings.CutPrefix(selector.what, r.path+".")
		if !ok || !slices.Contains(r.functions, function) {
			continue
		}
		out = append(out, fmt.Sprintf("%s:%d uses %s, which %s must not: %s",
			file.path, selector.line, selector.what, file.dir, r.why))
	}
	return out
}

// checkNames finds packages, and folders on the way to them, whose names say nothing.
func checkNames(t *tree) []string {
	var out []string
	for _, file := range t.files {
		names := append(strings.Split(file.dir, "/"), strings.TrimSuffix(file.name, "_test"))
		for _, name := range names {
			if slices.Contains(nameless, name) {
				out = append(out, fmt.Sprintf(
					"%s is in a package or folder %q: a name that says nothing collects everything; "+
						"a helper lives with its only user, and with a second one it becomes a noun",
					file.path, name))
				break
			}
		}
	}
	return out
}

func checkTopLevel(t *tree) []string {
	var out []string
	for _, name := range t.top {
		if !slices.Contains(topLevel, name) {
			out = append(out, fmt.Sprintf(
				"%s/ stands at the top, where only %s may: the tree is read from the top, "+
					"and each folder there is a stage or a noun of ARCHITECTURE.md",
				name, strings.Join(topLevel, ", ")))
		}
	}
	return out
}

// checkRules finds patterns of the rules that mean no package: a rule about nothing cannot
// fail. A folder at the top that is not there yet is no mistake.
func checkRules(t *tree) []string {
	var out []string
	for _, pattern := range rulePatterns() {
		if exists(t, pattern) || !slices.Contains(t.top, firstFolder(pattern)) {
			continue
		}
		out = append(out, fmt.Sprintf("a rule speaks of %q, and there is no such package", pattern))
	}
	return out
}

// rulePatterns lists every pattern of the rules that means packages of ours.
func rulePatterns() []string {
	var out []string
	for _, rule := range importRules {
		out = append(out, rule.packages...)
		out = append(out, rule.except...)
		for _, pattern := range rule.forbidden {
			if own, ok := strings.CutPrefix(pattern, "./"); ok {
				out = append(out, own)
			}
		}
	}
	for _, rule := range callRules {
		out = append(out, rule.packages...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func exists(t *tree, pattern string) bool {
	return slices.ContainsFunc(t.files, func(file sourceFile) bool { return matches(pattern, file.dir) })
}

func firstFolder(pattern string) string {
	first, _, _ := strings.Cut(path.Clean(pattern), "/")
	return first
}
