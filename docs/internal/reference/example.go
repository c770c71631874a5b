package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

const (
	documentFrame = "apiVersion: plait.run/v1alpha1\nkind: ResourceGroup\nmetadata: {name: example}\nspec:\n"
	schemaFrame   = "  schema:\n    apiVersion: v1alpha1\n    kind: Example\n"
	inputsFrame   = "    spec: {name: string | default=a, size: integer | default=1, zones: \"[]string | default=[]\"}\n"
)

var firstKey = regexp.MustCompile(`^[a-zA-Z]+`)

// framed makes a whole document of an example, which shows only the part that matters. What follows --- stays.
func framed(example string) string {
	example, rest, hasRest := strings.Cut(example, "---\n")
	var out string
	switch key := firstKey.FindString(example); key {
	case "apiVersion":
		out = example
	case "":
		out = documentFrame + schemaFrame + inputsFrame + "  resources:\n" + indented(example, 2)
	case "spec", "types", "status":
		out = documentFrame + schemaFrame + indented(example, 4)
	case "schema":
		out = documentFrame + indented(example, 2)
	default:
		out = documentFrame + schemaFrame + indented(example, 2)
	}
	if hasRest {
		out += "---\n" + rest
	}
	return out
}

func indented(text string, by int) string {
	indent := strings.Repeat(" ", by)
	return indent + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+indent) + "\n"
}

// enlarged gives an example that only shows the beginning its real size.
func enlarged(code diag.Code, example string) string {
	switch code {
	case diag.DocumentTooLarge:
		return strings.ReplaceAll(example, "… # and 700 KiB more", strings.Repeat("x", 701<<10))
	case diag.TooManyNodes:
		var b strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&b, "- {id: n%d, def: {value: 1}}\n", i)
		}
		return strings.ReplaceAll(example, "# … and 2000 more\n", b.String())
	case diag.ExprCost:
		return strings.ReplaceAll(example, "[[[[…]]]]", strings.Repeat("[", 150)+strings.Repeat("]", 150))
	default:
		return example
	}
}

// provoked gives what `plait validate` says to an example.
func provoked(ctx context.Context, e diag.Explanation) ([]diag.Diagnostic, error) {
	docs, problems := source.Parse("", []byte(framed(enlarged(e.Code, e.Example()))))
	set, err := offline.Load(ctx, docs, nil)
	if err != nil {
		return nil, fmt.Errorf("compiling the example of %s: %w", e.Code, err)
	}
	set.Problems.Append(problems)
	set.CheckInstances(ctx)
	return set.Problems.Sorted(), nil
}
